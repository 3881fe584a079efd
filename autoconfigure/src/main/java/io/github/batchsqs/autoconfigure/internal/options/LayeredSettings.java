/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.options;

import io.github.batchsqs.autoconfigure.internal.diagnostics.SettingKeys;
import io.github.batchsqs.autoconfigure.internal.settings.ListenerSettings;
import io.github.batchsqs.errors.InvalidOptionException;
import java.lang.reflect.RecordComponent;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.util.ReflectionUtils;

/**
 * The settings of one container from several places, by their keys without prefix. The highest place that has a value wins; errors
 * and the report name it.
 */
@SuppressWarnings("TypeParameterUnusedInFormals") // the key decides on the type
public final class LayeredSettings {

    private static final Set<String> KEYS =
            SettingKeys.of("", ListenerSettings.class).collect(Collectors.toUnmodifiableSet());

    private final List<Layer> highestFirst;

    LayeredSettings(List<Layer> lowestFirst) {
        this.highestFirst = List.copyOf(lowestFirst.reversed());
    }

    /**
     * Settings from one place.
     *
     * @param values the values by the keys of {@link ListenerSettingsTable}, of the types of the settings
     * @param name returns the full key of a setting there, for errors: {@code batchsqs.listener.batch-size} for
     *     {@code batch-size}
     * @param ofAll whether the place holds defaults for all listeners
     */
    record Layer(Map<String, Object> values, UnaryOperator<String> name, boolean ofAll) {

        /** Returns what is set there. */
        static Layer of(Record settings, UnaryOperator<String> name, boolean ofAll) {
            Map<String, Object> values = new LinkedHashMap<>();
            collect("", settings, values);
            return new Layer(values, name, ofAll);
        }

        private static void collect(String prefix, Record settings, Map<String, Object> values) {
            for (RecordComponent component : settings.getClass().getRecordComponents()) {
                Object value = ReflectionUtils.invokeMethod(component.getAccessor(), settings);
                String key = prefix + DataObjectPropertyName.toDashedForm(component.getName());
                if (value instanceof Record group) {
                    collect(key + ".", group, values);
                } else if (value != null) {
                    values.put(key, value);
                }
            }
        }
    }

    /** {@return the key of a setting of one listener, as users write it} */
    public static String keyOfListener(String id, String key) {
        return "batchsqs.listeners." + id + "." + key;
    }

    /** {@return the value, or {@code null} if no layer has one} */
    public <V> @Nullable V find(String key) {
        return value(layer(key), key);
    }

    /** {@return the value, or the default if no layer has one} */
    public <V> V get(String key, V defaultValue) {
        V found = find(key);
        return found != null ? found : defaultValue;
    }

    /** {@return the value that is set for this listener rather than for all, or {@code null}} */
    public <V> @Nullable V findOwn(String key) {
        Layer layer = layer(key);
        return layer == null || layer.ofAll() ? null : value(layer, key);
    }

    /** Whoever asks knows the type of the setting. */
    @SuppressWarnings("unchecked")
    private static <V> @Nullable V value(@Nullable Layer layer, String key) {
        return layer == null ? null : (V) layer.values().get(key);
    }

    private @Nullable Layer layer(String key) {
        return highestFirst.stream()
                .filter(each -> each.values().containsKey(key))
                .findFirst()
                .orElse(null);
    }

    /** Returns the key as the user wrote it, or {@code null} if no layer has a value. */
    @Nullable
    String from(String key) {
        Layer layer = layer(key);
        return layer == null ? null : layer.name().apply(key);
    }

    /**
     * Makes a part of the container from these settings. An error about one of them names the key as the user wrote it, or as it is
     * written for the listener if it is not set.
     */
    public <R> R naming(String id, Supplier<R> made) {
        try {
            return made.get();
        } catch (InvalidOptionException broken) {
            String key = broken.option().startsWith("backoff.") ? "failure." + broken.option() : broken.option();
            throw KEYS.contains(key)
                    ? renamed(broken, Objects.requireNonNullElseGet(from(key), () -> keyOfListener(id, key)))
                    : broken;
        }
    }

    /** {@return the same error with another key} */
    public static InvalidOptionException renamed(InvalidOptionException broken, String key) {
        var renamed = new InvalidOptionException(key, broken.rule(), broken.value(), broken.remedy());
        renamed.initCause(broken);
        return renamed;
    }
}
