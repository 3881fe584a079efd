/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.options;

import io.github.batchsqs.autoconfigure.internal.settings.ListenerSettings;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

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

    /** Returns the value of the setting, or {@code null} if it is not set here. */
    <V> @Nullable V find(ListenerSetting<V> setting) {
        return setting.bound().apply(settings);
    }

    /** Returns the key of a setting here. */
    String written(ListenerSetting<?> setting) {
        return key.apply(setting.key());
    }
}
