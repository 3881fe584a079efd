/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.options;

import io.github.batchsqs.autoconfigure.internal.settings.ListenerSettings;
import io.github.batchsqs.listener.ListenerOptions;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One listener setting, a row of {@link ListenerSettingsTable}.
 *
 * @param key the key without its prefix, for example {@code batch-size}
 * @param attribute the attribute of the annotation, or {@code null} if there is none
 * @param bound reads the setting from the settings of one place; returns {@code null} where it is not set
 * @param option reads the setting from options, as it is written in settings; {@code null} if options do not contain it
 * @param <V> the type of the value in settings
 */
public record ListenerSetting<V>(
        String key,
        @Nullable String attribute,
        Function<ListenerSettings, @Nullable V> bound,
        @Nullable Function<ListenerOptions, @Nullable V> option) {}
