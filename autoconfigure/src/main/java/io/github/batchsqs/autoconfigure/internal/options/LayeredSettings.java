/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.options;

import io.github.batchsqs.errors.InvalidOptionException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The settings of one container from several places. The highest place that has a value wins; errors and the report name
 * it. Not safe for use by several threads.
 */
public final class LayeredSettings {

    private final List<SettingsLayer> lowestFirst;
    private final Map<String, String> written = new HashMap<>();

    LayeredSettings(List<SettingsLayer> lowestFirst) {
        this.lowestFirst = List.copyOf(lowestFirst);
    }

    /** {@return the value, or {@code null} if no layer has one} */
    public <V> @Nullable V find(ListenerSetting<V> setting) {
        return find(setting, false);
    }

    /** {@return the value, or the default if no layer has one} */
    public <V> V get(ListenerSetting<V> setting, V defaultValue) {
        V found = find(setting);
        return found != null ? found : defaultValue;
    }

    /** {@return the value that is set for this listener rather than for all, or {@code null}} */
    public <V> @Nullable V findOwn(ListenerSetting<V> setting) {
        return find(setting, true);
    }

    private <V> @Nullable V find(ListenerSetting<V> setting, boolean ownOnly) {
        for (SettingsLayer layer : lowestFirst.reversed()) {
            V found = layer.find(setting);
            if (found != null && !(ownOnly && layer.allListeners())) {
                written.put(setting.key(), layer.written(setting));
                return found;
            }
        }
        return null;
    }

    /** Returns the key of the option's value as the user wrote it, or {@code default} if no layer has one. */
    String from(String option) {
        return written.getOrDefault(option, "default");
    }

    /**
     * {@return the same error with the key as the user wrote it, or as it is written for the listener if it is not set}
     */
    public InvalidOptionException named(InvalidOptionException broken, String id) {
        String option = broken.option().startsWith("backoff.") ? "failure." + broken.option() : broken.option();
        return Keys.renamed(broken, written.getOrDefault(option, SettingsLayer.keyOfListener(id, option)));
    }
}
