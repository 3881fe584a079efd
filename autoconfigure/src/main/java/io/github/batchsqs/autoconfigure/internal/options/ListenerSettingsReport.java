/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.options;

import io.github.batchsqs.listener.ListenerOptions;
import io.github.batchsqs.receive.ListenerContainer;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

/** Reports the current settings of listeners and their origins. Safe for use by any thread. */
public final class ListenerSettingsReport {

    /** The origin of a setting that is not set. */
    public static final String DEFAULT = "default";

    private final Map<String, Map<String, Setting>> byId = new ConcurrentHashMap<>();

    ListenerSettingsReport() {}

    /**
     * A setting.
     *
     * @param value the current value, as it is written in settings
     * @param from its origin: {@link #DEFAULT}, the key as the user wrote it, the annotation, a customizer's
     *     class, {@code code}, or {@code changed at run time}
     */
    public record Setting(String value, String from) {}

    /** Records where the options took their settings from. */
    void mapped(ListenerOptions options, LayeredSettings settings) {
        var record = new LinkedHashMap<String, Setting>();
        ListenerSettingsTable.texts(options)
                .forEach((key, value) ->
                        record.put(key, new Setting(value, Objects.requireNonNullElse(settings.from(key), DEFAULT))));
        byId.put(options.id(), record);
    }

    /** Records what a customizer changed. */
    void customized(ListenerOptions options, String customizer) {
        byId.computeIfPresent(options.id(), (id, before) -> changed(before, options, "customizer " + customizer));
    }

    /**
     * {@return the settings of the container by their keys without prefix}
     *
     * @param container a container of the application
     */
    public Map<String, Setting> of(ListenerContainer container) {
        ListenerOptions options = container.options();
        Map<String, Setting> known = byId.get(options.id());
        return known == null ? changed(Map.of(), options, "code") : changed(known, options, "changed at run time");
    }

    private static Map<String, Setting> changed(Map<String, Setting> before, ListenerOptions options, String by) {
        var after = new LinkedHashMap<String, Setting>();
        ListenerSettingsTable.texts(options).forEach((key, value) -> {
            Setting old = before.get(key);
            after.put(key, old != null && old.value().equals(value) ? old : new Setting(value, by));
        });
        return after;
    }
}
