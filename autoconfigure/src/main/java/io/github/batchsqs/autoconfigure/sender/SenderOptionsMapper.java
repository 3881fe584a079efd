/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.sender;

import io.github.batchsqs.Backoff;
import io.github.batchsqs.InvalidOptionException;
import io.github.batchsqs.autoconfigure.settings.SenderSettings;
import io.github.batchsqs.send.DeduplicationIds;
import io.github.batchsqs.send.SenderOptions;
import io.github.batchsqs.send.SenderOptions.Buffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.util.unit.DataSize;

/** Makes options of settings. The only place where the two meet. */
final class SenderOptionsMapper {

    private static final String PREFIX = "batchsqs.sender.";
    private static final String BACKOFF = "backoff.";

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
            String option = broken.option().startsWith(BACKOFF)
                    ? "retry." + broken.option().substring(BACKOFF.length())
                    : broken.option();
            var named = new InvalidOptionException(PREFIX + option, broken.rule(), broken.value(), broken.remedy());
            named.initCause(broken);
            throw named;
        }
    }

    private static SenderOptions options(SenderSettings settings, @Nullable DeduplicationIds own) {
        var defaults = SenderOptions.defaults();
        return SenderOptions.builder()
                .linger(or(settings.linger(), defaults.linger()))
                .maxBatchBytes(bytes(settings.maxBatchBytes(), defaults.maxBatchBytes()))
                .maxInFlight(or(settings.maxInFlight(), defaults.maxInFlight()))
                .buffer(new Buffer(
                        bytes(settings.bufferBytes(), defaults.buffer().bytes()),
                        or(settings.maxBlock(), defaults.buffer().maxBlock())))
                .deliveryTimeout(or(settings.deliveryTimeout(), defaults.deliveryTimeout()))
                .retry(retry(settings.retry(), defaults.retry()))
                .deduplication(own != null ? own : deduplication(settings.deduplication(), defaults.deduplication()))
                .shutdownTimeout(or(settings.shutdownTimeout(), defaults.shutdownTimeout()))
                .build();
    }

    private static Backoff retry(SenderSettings.Retry settings, Backoff defaults) {
        return new Backoff(
                or(settings.initial(), defaults.initial()),
                or(settings.multiplier(), defaults.multiplier()),
                or(settings.max(), defaults.max()),
                or(settings.jitter(), defaults.jitter()));
    }

    private static DeduplicationIds deduplication(
            SenderSettings.@Nullable Deduplication setting, DeduplicationIds defaultIds) {
        if (setting == null) {
            return defaultIds;
        }
        return switch (setting) {
            case CONTENT -> DeduplicationIds.content();
            case QUEUE -> DeduplicationIds.queue();
        };
    }

    private static long bytes(@Nullable DataSize setting, long defaultBytes) {
        return setting == null ? defaultBytes : setting.toBytes();
    }

    private static <V> V or(@Nullable V setting, V defaultValue) {
        return Objects.requireNonNullElse(setting, defaultValue);
    }
}
