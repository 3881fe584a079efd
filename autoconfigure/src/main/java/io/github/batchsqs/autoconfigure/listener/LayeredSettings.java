/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.listener;

import io.github.batchsqs.InvalidOptionException;
import io.github.batchsqs.autoconfigure.settings.ListenerSettings;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Settings of several places, of which the highest that has a value wins; remembers which one did, for errors. Made for
 * one container and used by one thread.
 */
final class LayeredSettings {

    private final List<SettingsLayer> lowestFirst;
    private final Map<String, SettingsLayer> winners = new HashMap<>();

    LayeredSettings(List<SettingsLayer> lowestFirst) {
        this.lowestFirst = List.copyOf(lowestFirst);
    }

    /** The value of the option, or {@code null} if no layer has one. */
    <V> @Nullable V find(String option, Function<ListenerSettings, @Nullable V> value) {
        return find(option, value, false);
    }

    /** The value of the option, or the default if no layer has one. */
    <V> V get(String option, Function<ListenerSettings, @Nullable V> value, V defaultValue) {
        V found = find(option, value);
        return found != null ? found : defaultValue;
    }

    /** The value of the option that is meant for this listener rather than for all, or {@code null}. */
    <V> @Nullable V findOwn(String option, Function<ListenerSettings, @Nullable V> value) {
        return find(option, value, true);
    }

    private <V> @Nullable V find(String option, Function<ListenerSettings, @Nullable V> value, boolean ownOnly) {
        for (SettingsLayer layer : lowestFirst.reversed()) {
            V found = value.apply(layer.settings());
            if (found != null && !(ownOnly && layer.allListeners())) {
                winners.put(option, layer);
                return found;
            }
        }
        return null;
    }

    /** Where the option's value came from, as the user wrote it; {@code default} if no layer has one. */
    String from(String option) {
        SettingsLayer winner = winners.get(option);
        return winner == null ? "default" : winner.key().apply(option);
    }

    /** The same error, naming the option as the user wrote it; one that nobody wrote, as it is written for the listener. */
    InvalidOptionException named(InvalidOptionException broken, String id) {
        String option = broken.option().startsWith("backoff.") ? "failure." + broken.option() : broken.option();
        SettingsLayer winner = winners.get(option);
        String key = winner != null
                ? winner.key().apply(option)
                : SettingsLayer.ofListener(id, lowestFirst.getFirst().settings())
                        .key()
                        .apply(option);
        return Keys.renamed(broken, key);
    }
}
