/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.options;

import static java.util.Map.entry;

import io.github.batchsqs.Backoff;
import io.github.batchsqs.internal.support.Check;
import io.github.batchsqs.listener.ListenerOptions;
import io.github.batchsqs.listener.ListenerOptions.Acknowledge;
import io.github.batchsqs.listener.ListenerOptions.Failure;
import io.github.batchsqs.listener.ListenerOptions.Pollers;
import io.github.batchsqs.listener.ListenerOptions.Visibility;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * All listener settings by their keys without prefix. {@link #options} makes options of them, and {@link #texts} makes them of
 * options; binding, description and types are those of the settings classes.
 */
public final class ListenerSettingsTable {

    public static final String ACKNOWLEDGE_MODE = "acknowledge.mode";
    public static final String AUTO_STARTUP = "auto-startup";
    public static final String PAYLOAD_ENVELOPE = "payload.envelope";
    public static final String PAYLOAD_TYPE_HEADER = "payload.type-header";
    public static final String PAYLOAD_TYPES = "payload.types";
    public static final String INBOX_ENABLED = "inbox.enabled";
    public static final String INBOX_KEY = "inbox.key";

    /** The keys by the attributes of the annotation. */
    static final Map<String, String> ATTRIBUTES = Map.ofEntries(
            entry("client", "client"),
            entry("batchSize", "batch-size"),
            entry("batchLinger", "batch-linger"),
            entry("concurrency", "concurrency"),
            entry("visibilityTimeout", "visibility.timeout"),
            entry("acknowledgeMode", ACKNOWLEDGE_MODE),
            entry("deadLetter", "failure.dead-letter"),
            entry("envelope", PAYLOAD_ENVELOPE),
            entry("fifoBatchGrouping", "fifo.batch-grouping"),
            entry("inbox", INBOX_ENABLED),
            entry("inboxKey", INBOX_KEY),
            entry("executor", "executor"),
            entry("autoStartup", AUTO_STARTUP));

    private ListenerSettingsTable() {}

    /**
     * Returns the options of one container.
     *
     * @param single whether the handler takes one message at a time
     */
    static ListenerOptions options(
            String id, String queue, LayeredSettings set, boolean single, SettingConversions conversions) {
        var or = ListenerOptions.builder(id, queue).build();
        var concurrency =
                Concurrency.of(set.get("concurrency", Concurrency.of(or).text()));
        return or.toBuilder()
                .batchSize(single ? ofOne(set, "batch-size", 1) : set.get("batch-size", or.batchSize()))
                .batchLinger(
                        single ? ofOne(set, "batch-linger", Duration.ZERO) : set.get("batch-linger", or.batchLinger()))
                .concurrency(concurrency.number())
                .concurrencyMax(concurrency.max())
                .pollers(new Pollers(
                        set.get("pollers.min", or.pollers().min()),
                        set.get("pollers.max", or.pollers().max()),
                        set.get("pollers.min-interval", or.pollers().minInterval())))
                .waitTime(set.get("wait-time", or.waitTime()))
                .prefetch(SettingConversions.prefetch(set.get("prefetch", SettingConversions.AUTO)))
                .visibility(new Visibility(
                        set.find("visibility.timeout"),
                        set.get("visibility.max-extension", or.visibility().maxExtension())))
                .acknowledge(new Acknowledge(
                        set.get(ACKNOWLEDGE_MODE, or.acknowledge().mode()),
                        set.get("acknowledge.linger", or.acknowledge().linger())))
                .failure(failure(set, or.failure(), conversions))
                .rateLimit(set.get("rate-limit", or.rateLimit()))
                .fifoGrouping(set.get("fifo.batch-grouping", or.fifoGrouping()))
                .fifoRetry(set.get("fifo.retry", or.fifoRetry()))
                .executor(conversions.executor(set.get("executor", SettingConversions.VIRTUAL)))
                .client(set.get("client", or.client()))
                .queueNotFound(set.get("queue-not-found", or.queueNotFound()))
                .shutdownTimeout(set.get("shutdown-timeout", or.shutdownTimeout()))
                .build();
    }

    private static Failure failure(LayeredSettings set, Failure or, SettingConversions conversions) {
        return new Failure(
                Backoff.exponential(
                        set.get("failure.backoff.initial", or.backoff().initial()),
                        set.get("failure.backoff.max", or.backoff().max())),
                set.get("failure.retry-individually", or.retryIndividually()),
                conversions.exceptions("failure.non-retryable", set.get("failure.non-retryable", List.of())),
                set.get("failure.dead-letter", or.deadLetter()));
    }

    /** Returns the only value for a method that takes one message. Ignores a default for all listeners; a value for this listener must fit. */
    private static <V> V ofOne(LayeredSettings settings, String key, V only) {
        V own = settings.findOwn(key);
        Check.that(
                own == null || own.equals(only),
                key,
                "must be " + SettingConversions.text(only) + ", since the method takes one message",
                own == null ? only : own,
                "let the method take a List, or remove the setting");
        return only;
    }

    /** Returns the settings that options contain, as they are written, in the order of the report. */
    static Map<String, String> texts(ListenerOptions options) {
        Map<String, @Nullable Object> values = new LinkedHashMap<>();
        values.put("batch-size", options.batchSize());
        values.put("batch-linger", options.batchLinger());
        values.put("concurrency", Concurrency.of(options).text());
        values.put("pollers.min", options.pollers().min());
        values.put("pollers.max", options.pollers().max());
        values.put("pollers.min-interval", options.pollers().minInterval());
        values.put("wait-time", options.waitTime());
        values.put("prefetch", SettingConversions.prefetchText(options.prefetch()));
        values.put("visibility.timeout", options.visibility().timeout());
        values.put("visibility.max-extension", options.visibility().maxExtension());
        values.put(ACKNOWLEDGE_MODE, options.acknowledge().mode());
        values.put("acknowledge.linger", options.acknowledge().linger());
        values.put("failure.backoff.initial", options.failure().backoff().initial());
        values.put("failure.backoff.max", options.failure().backoff().max());
        values.put("failure.retry-individually", options.failure().retryIndividually());
        values.put(
                "failure.non-retryable",
                SettingConversions.names(options.failure().nonRetryable()));
        values.put("failure.dead-letter", options.failure().deadLetter());
        values.put("rate-limit", options.rateLimit());
        values.put("fifo.batch-grouping", options.fifoGrouping());
        values.put("fifo.retry", options.fifoRetry());
        values.put("executor", SettingConversions.executorText(options.executor()));
        values.put("client", options.client());
        values.put("queue-not-found", options.queueNotFound());
        values.put("shutdown-timeout", options.shutdownTimeout());
        Map<String, String> texts = new LinkedHashMap<>();
        values.forEach((key, value) -> texts.put(key, SettingConversions.text(value)));
        return texts;
    }
}
