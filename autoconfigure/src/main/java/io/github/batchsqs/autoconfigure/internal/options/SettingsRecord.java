/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.options;

import io.github.batchsqs.listener.ListenerOptions;
import io.github.batchsqs.receive.ListenerContainer;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Records where each setting of the containers came from. */
final class SettingsRecord implements ListenerSettingsReport {

    private final Map<String, Map<String, Setting>> byId = new ConcurrentHashMap<>();

    /** Records where the options took their settings from. */
    void mapped(ListenerOptions options, LayeredSettings settings) {
        var record = new LinkedHashMap<String, Setting>();
        texts(options).forEach((key, value) -> record.put(key, new Setting(value, settings.from(key))));
        byId.put(options.id(), record);
    }

    /** Records what a customizer changed. */
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
        texts(options).forEach((key, value) -> {
            Setting old = before.get(key);
            after.put(key, old != null && old.value().equals(value) ? old : new Setting(value, by));
        });
        return after;
    }

    /** Returns the settings that options contain, as they are written. */
    static Map<String, String> texts(ListenerOptions options) {
        var texts = new LinkedHashMap<String, String>();
        for (ListenerSetting<?> setting : ListenerSettingsTable.rows()) {
            if (setting.option() != null) {
                texts.put(
                        setting.key(), SettingConversions.text(setting.option().apply(options)));
            }
        }
        return texts;
    }
}
