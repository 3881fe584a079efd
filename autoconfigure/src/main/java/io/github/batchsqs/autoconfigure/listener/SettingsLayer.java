/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.listener;

import io.github.batchsqs.autoconfigure.settings.ListenerSettings;
import java.util.function.UnaryOperator;

/**
 * Settings from one place.
 *
 * @param settings what was set there
 * @param key how the user wrote a setting there, for errors: from {@code batch-size} to
 *     {@code batchsqs.listener.batch-size}
 * @param allListeners whether it is meant for all listeners rather than for this one
 */
record SettingsLayer(ListenerSettings settings, UnaryOperator<String> key, boolean allListeners) {

    static SettingsLayer defaults(ListenerSettings settings) {
        return new SettingsLayer(settings, option -> "batchsqs.listener." + option, true);
    }

    static SettingsLayer ofListener(String id, ListenerSettings settings) {
        return new SettingsLayer(settings, option -> "batchsqs.listeners." + id + "." + option, false);
    }
}
