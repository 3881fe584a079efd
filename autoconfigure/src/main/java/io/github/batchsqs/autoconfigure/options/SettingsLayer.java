/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.options;

import io.github.batchsqs.autoconfigure.options.ListenerSetting.Former;
import io.github.batchsqs.autoconfigure.settings.ListenerSettings;
import io.github.batchsqs.support.Check;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Settings from one place.
 *
 * @param settings the settings of that place
 * @param key returns the full key of a setting there, for errors: {@code batchsqs.listener.batch-size} for
 *     {@code batch-size}
 * @param allListeners whether the place holds defaults for all listeners
 */
record SettingsLayer(ListenerSettings settings, UnaryOperator<String> key, boolean allListeners) {

    static SettingsLayer defaults(ListenerSettings settings) {
        return new SettingsLayer(settings, option -> "batchsqs.listener." + option, true);
    }

    static SettingsLayer ofListener(String id, ListenerSettings settings) {
        return new SettingsLayer(settings, option -> keyOfListener(id, option), false);
    }

    static String keyOfListener(String id, String option) {
        return "batchsqs.listeners." + id + "." + option;
    }

    /** Returns the value of the setting, also if it has its former key, or {@code null} if it is not set here. */
    <V> @Nullable V find(ListenerSetting<V> setting) {
        V value = setting.bound().apply(settings);
        Former<V> former = setting.former();
        return value == null && former != null ? former.bound().apply(settings) : value;
    }

    /** Returns the key of a setting that is set here, as the user wrote it. */
    String written(ListenerSetting<?> setting) {
        Former<?> former = setting.former();
        return key.apply(former == null || setting.bound().apply(settings) != null ? setting.key() : former.key());
    }

    /** Logs each former key that is set; throws if it contradicts the key that replaces it. */
    void warnOfFormerKeys(Logger log) {
        for (ListenerSetting<?> setting : ListenerSettingsTable.rows()) {
            Former<?> former = setting.former();
            Object old = former == null ? null : former.bound().apply(settings);
            if (former != null && old != null) {
                String oldKey = key.apply(former.key());
                String newKey = key.apply(setting.key());
                Object value = setting.bound().apply(settings);
                Check.that(
                        value == null || value.equals(old),
                        newKey,
                        "must equal its former name " + oldKey + " (" + SettingConversions.text(old)
                                + ") if both are set",
                        SettingConversions.text(value),
                        "remove " + oldKey);
                log.warn("{} is deprecated; replace it by {}", oldKey, newKey);
            }
        }
    }
}
