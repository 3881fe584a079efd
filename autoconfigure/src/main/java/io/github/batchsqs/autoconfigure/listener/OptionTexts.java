/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.listener;

import io.github.batchsqs.Check;
import io.github.batchsqs.receive.ListenerOptions;
import io.github.batchsqs.receive.ListenerOptions.InvocationExecutor;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Options as they would be written in settings. */
final class OptionTexts {

    private OptionTexts() {}

    static Map<String, String> of(ListenerOptions options) {
        var failure = options.failure();
        var texts = new LinkedHashMap<String, String>();
        texts.put("batch-size", String.valueOf(options.batchSize()));
        texts.put("batch-linger", text(options.batchLinger()));
        texts.put("concurrency", String.valueOf(options.concurrency()));
        texts.put("pollers.min", String.valueOf(options.pollers().min()));
        texts.put("pollers.max", String.valueOf(options.pollers().max()));
        texts.put("pollers.pace", text(options.pollers().pace()));
        texts.put("wait-time", text(options.waitTime()));
        texts.put(
                "prefetch",
                options.prefetch() == ListenerOptions.AUTO_PREFETCH ? "auto" : String.valueOf(options.prefetch()));
        texts.put("visibility.timeout", text(options.visibility().timeout()));
        texts.put("visibility.extend", String.valueOf(options.visibility().extend()));
        texts.put("visibility.max-extension", text(options.visibility().maxExtension()));
        texts.put("acknowledge.mode", text(options.acknowledge().mode()));
        texts.put("acknowledge.linger", text(options.acknowledge().linger()));
        texts.put(
                "acknowledge.max-in-flight",
                String.valueOf(options.acknowledge().maxInFlight()));
        texts.put("failure.backoff.initial", text(failure.backoff().initial()));
        texts.put("failure.backoff.multiplier", String.valueOf(failure.backoff().multiplier()));
        texts.put("failure.backoff.max", text(failure.backoff().max()));
        texts.put("failure.backoff.jitter", String.valueOf(failure.backoff().jitter()));
        texts.put("failure.isolate", String.valueOf(failure.isolate()));
        texts.put(
                "failure.non-retryable",
                failure.nonRetryable().stream().map(Class::getName).collect(Collectors.joining(",")));
        texts.put("failure.dead-letter", failure.deadLetter());
        texts.put("rate-limit", String.valueOf(options.rateLimit()));
        texts.put("fifo.batch-grouping", text(options.fifoGrouping()));
        texts.put("executor", text(options.executor()));
        texts.put("queue-not-found", text(options.queueNotFound()));
        texts.put("shutdown-timeout", text(options.shutdownTimeout()));
        return texts;
    }

    private static String text(@Nullable Duration duration) {
        return duration == null ? "the queue's own" : Check.text(duration);
    }

    private static String text(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private static String text(InvocationExecutor executor) {
        return switch (executor) {
            case InvocationExecutor.Virtual virtual -> "virtual";
            case InvocationExecutor.Platform platform -> "platform";
            case InvocationExecutor.Custom custom ->
                custom.executor().getClass().getName();
        };
    }
}
