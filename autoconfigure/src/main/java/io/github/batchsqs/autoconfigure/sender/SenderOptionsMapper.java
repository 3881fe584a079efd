/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.sender;

import io.github.batchsqs.MessageAttribute;
import io.github.batchsqs.autoconfigure.internal.settings.MessageExpression;
import io.github.batchsqs.autoconfigure.internal.settings.SenderSettings;
import io.github.batchsqs.autoconfigure.internal.settings.SenderSettings.Deduplication;
import io.github.batchsqs.errors.InvalidOptionException;
import io.github.batchsqs.send.DeduplicationIds;
import io.github.batchsqs.send.MessageDefaults;
import io.github.batchsqs.send.OutgoingMessage;
import io.github.batchsqs.send.SenderOptions;
import io.github.batchsqs.send.SenderOptions.Buffer;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.util.unit.DataSize;

/** Makes options of settings. The only place where the two meet. */
final class SenderOptionsMapper {

    private static final String PREFIX = "batchsqs.sender.";
    private static final String DEDUPLICATION_KEY = "deduplication-key";

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
            var named = new InvalidOptionException(
                    PREFIX + broken.option(), broken.rule(), broken.value(), broken.remedy());
            named.initCause(broken);
            throw named;
        }
    }

    private static SenderOptions options(SenderSettings settings, @Nullable DeduplicationIds own) {
        var defaults = SenderOptions.defaults();
        return SenderOptions.builder()
                .linger(or(settings.linger(), defaults.linger()))
                .maxInFlight(or(settings.maxInFlight(), defaults.maxInFlight()))
                .buffer(new Buffer(
                        bytes(settings.bufferBytes(), defaults.buffer().bytes()),
                        or(settings.maxBlock(), defaults.buffer().maxBlock())))
                .deliveryTimeout(or(settings.deliveryTimeout(), defaults.deliveryTimeout()))
                .deduplication(own != null ? own : deduplication(settings, defaults.deduplication()))
                .shutdownTimeout(or(settings.shutdownTimeout(), defaults.shutdownTimeout()))
                .messageDefaults(messageDefaults(settings))
                .build();
    }

    private static MessageDefaults messageDefaults(SenderSettings settings) {
        Map<String, MessageAttribute> attributes = new HashMap<>();
        or(settings.defaultAttributes(), Map.<String, String>of())
                .forEach((name, text) -> attributes.put(name, MessageAttribute.string(text)));
        return new MessageDefaults(settings.defaultQueue(), attributes);
    }

    private static DeduplicationIds deduplication(SenderSettings settings, DeduplicationIds defaultIds) {
        Deduplication strategy = settings.deduplication();
        String key = settings.deduplicationKey();
        if (key != null && strategy != Deduplication.KEY) {
            throw new InvalidOptionException(
                    DEDUPLICATION_KEY,
                    "is used only with " + PREFIX + "deduplication: key",
                    key,
                    "set " + PREFIX + "deduplication to key, or remove the expression");
        }
        if (strategy == null) {
            return defaultIds;
        }
        return switch (strategy) {
            case CONTENT -> DeduplicationIds.content();
            case KEY -> DeduplicationIds.key(keys(MessageExpression.ofSent(DEDUPLICATION_KEY, required(key))));
            case QUEUE -> DeduplicationIds.queue();
        };
    }

    private static Function<OutgoingMessage, @Nullable String> keys(MessageExpression<OutgoingMessage> expression) {
        return message -> {
            Object found = expression.valueIn(message);
            return found == null ? null : found.toString();
        };
    }

    private static String required(@Nullable String key) {
        if (key == null || key.isBlank()) {
            throw new InvalidOptionException(
                    DEDUPLICATION_KEY,
                    "must be set with " + PREFIX + "deduplication: key",
                    String.valueOf(key),
                    "write the expression that finds the key of a message, such as payload.id");
        }
        return key;
    }

    private static long bytes(@Nullable DataSize setting, long defaultBytes) {
        return setting == null ? defaultBytes : setting.toBytes();
    }

    private static <V> V or(@Nullable V setting, V defaultValue) {
        return Objects.requireNonNullElse(setting, defaultValue);
    }
}
