/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.listener;

import io.github.batchsqs.receive.ListenerContainer;
import io.github.batchsqs.receive.ListenerOptions;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Remembers, from the making of the options, where each setting came from. */
final class SettingsRecord implements ListenerSettingsReport {

    private final Map<String, Map<String, Setting>> byId = new ConcurrentHashMap<>();

    /** The settings were put together. */
    void mapped(ListenerOptions options, LayeredSettings settings) {
        var record = new LinkedHashMap<String, Setting>();
        OptionTexts.of(options)
                .forEach((option, value) -> record.put(option, new Setting(value, settings.from(option))));
        byId.put(options.id(), record);
    }

    /** A customizer had its word. */
    void customized(ListenerOptions options, String customizer) {
        byId.computeIfPresent(options.id(), (id, before) -> changed(before, options, "customizer " + customizer));
    }

    @Override
    public Map<String, Setting> of(ListenerContainer container) {
        ListenerOptions options = container.options();
        Map<String, Setting> known = byId.get(options.id());
        return known == null ? changed(Map.of(), options, "code") : changed(known, options, "changed at run time");
    }

    private static Map<String, Setting> changed(Map<String, Setting> before, ListenerOptions options, String by) {
        var after = new LinkedHashMap<String, Setting>();
        OptionTexts.of(options).forEach((option, value) -> {
            Setting old = before.get(option);
            after.put(option, old != null && old.value().equals(value) ? old : new Setting(value, by));
        });
        return after;
    }
}
