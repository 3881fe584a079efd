/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.sender;

import io.github.batchsqs.MessageAttribute;
import io.github.batchsqs.autoconfigure.internal.options.LayeredSettings;
import io.github.batchsqs.autoconfigure.internal.settings.SenderSettings;
import io.github.batchsqs.autoconfigure.internal.settings.SenderSettings.Deduplication;
import io.github.batchsqs.errors.InvalidOptionException;
import io.github.batchsqs.send.DeduplicationIds;
import io.github.batchsqs.send.SenderOptions;
import io.github.batchsqs.send.SenderOptions.Buffer;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.util.unit.DataSize;

/** Makes options of settings. The only place where the two meet. */
final class SenderOptionsMapper {

    private static final String PREFIX = "batchsqs.sender.";

    private SenderOptionsMapper() {}

    /**
     * The options.
     *
     * @param own the application's own deduplication ids, or {@code null}
     * @throws InvalidOptionException if a value breaks its rule; names the key as it is written
     */
    static SenderOptions map(SenderSettings settings, @Nullable DeduplicationIds own) {
        try {
            return options(settings, own);
        } catch (InvalidOptionException broken) {
            throw LayeredSettings.renamed(broken, PREFIX + broken.option());
        }
    }

    private static SenderOptions options(SenderSettings settings, @Nullable DeduplicationIds own) {
        var defaults = SenderOptions.defaults();
        return SenderOptions.builder()
                .linger(or(settings.linger(), defaults.linger()))
                .buffer(new Buffer(
                        bytes(settings.bufferBytes(), defaults.buffer().bytes()),
                        or(settings.maxBlock(), defaults.buffer().maxBlock())))
                .deliveryTimeout(or(settings.deliveryTimeout(), defaults.deliveryTimeout()))
                .deduplication(own != null ? own : deduplication(settings))
                .shutdownTimeout(or(settings.shutdownTimeout(), defaults.shutdownTimeout()))
                .defaultQueue(settings.defaultQueue())
                .defaultAttributes(defaultAttributes(settings))
                .build();
    }

    private static Map<String, MessageAttribute> defaultAttributes(SenderSettings settings) {
        Map<String, MessageAttribute> attributes = new HashMap<>();
        or(settings.defaultAttributes(), Map.<String, String>of())
                .forEach((name, text) -> attributes.put(name, MessageAttribute.string(text)));
        return attributes;
    }

    private static DeduplicationIds deduplication(SenderSettings settings) {
        return settings.deduplication() == Deduplication.QUEUE ? DeduplicationIds.queue() : DeduplicationIds.content();
    }

    private static long bytes(@Nullable DataSize setting, long defaultBytes) {
        return setting == null ? defaultBytes : setting.toBytes();
    }

    private static <V> V or(@Nullable V setting, V defaultValue) {
        return Objects.requireNonNullElse(setting, defaultValue);
    }
}
