/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.options;

import io.github.batchsqs.Backoff;
import io.github.batchsqs.autoconfigure.internal.settings.ListenerSettings;
import io.github.batchsqs.codec.Envelope;
import io.github.batchsqs.internal.support.Check;
import io.github.batchsqs.listener.ListenerOptions;
import io.github.batchsqs.listener.ListenerOptions.Acknowledge;
import io.github.batchsqs.listener.ListenerOptions.AcknowledgeMode;
import io.github.batchsqs.listener.ListenerOptions.Failure;
import io.github.batchsqs.listener.ListenerOptions.FifoGrouping;
import io.github.batchsqs.listener.ListenerOptions.FifoRetry;
import io.github.batchsqs.listener.ListenerOptions.Pollers;
import io.github.batchsqs.listener.ListenerOptions.QueueNotFound;
import io.github.batchsqs.listener.ListenerOptions.Visibility;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * All listener settings, each in one row: its key, its annotation attribute, and how it is read from bound settings and
 * from options. {@link #options} sets the rows on the options. The annotation, the report and the metadata follow the rows.
 */
public final class ListenerSettingsTable {

    private static final List<ListenerSetting<?>> ROWS = new ArrayList<>();

    private static final @Nullable String NO_ATTRIBUTE = null;

    private static final ListenerSetting<Integer> BATCH_SIZE =
            row("batch-size", "batchSize", ListenerSettings::batchSize, ListenerOptions::batchSize);

    private static final ListenerSetting<Duration> BATCH_LINGER =
            row("batch-linger", "batchLinger", ListenerSettings::batchLinger, ListenerOptions::batchLinger);

    private static final ListenerSetting<String> CONCURRENCY =
            row("concurrency", "concurrency", ListenerSettings::concurrency, SettingConversions::concurrencyText);

    private static final ListenerSetting<Integer> POLLERS_MIN = row(
            "pollers.min",
            NO_ATTRIBUTE,
            set -> set.pollers().min(),
            o -> o.pollers().min());

    private static final ListenerSetting<Integer> POLLERS_MAX = row(
            "pollers.max",
            NO_ATTRIBUTE,
            set -> set.pollers().max(),
            o -> o.pollers().max());

    private static final ListenerSetting<Duration> POLLERS_MIN_INTERVAL = row(
            "pollers.min-interval",
            NO_ATTRIBUTE,
            set -> set.pollers().minInterval(),
            o -> o.pollers().minInterval());

    private static final ListenerSetting<Duration> WAIT_TIME =
            row("wait-time", NO_ATTRIBUTE, ListenerSettings::waitTime, ListenerOptions::waitTime);

    private static final ListenerSetting<String> PREFETCH = row(
            "prefetch", NO_ATTRIBUTE, ListenerSettings::prefetch, o -> SettingConversions.prefetchText(o.prefetch()));

    private static final ListenerSetting<Duration> VISIBILITY_TIMEOUT = row(
            "visibility.timeout",
            "visibilityTimeout",
            set -> set.visibility().timeout(),
            o -> o.visibility().timeout());

    private static final ListenerSetting<Duration> VISIBILITY_MAX_EXTENSION = row(
            "visibility.max-extension",
            NO_ATTRIBUTE,
            set -> set.visibility().maxExtension(),
            o -> o.visibility().maxExtension());

    static final ListenerSetting<AcknowledgeMode> ACKNOWLEDGE_MODE = row(
            "acknowledge.mode",
            "acknowledgeMode",
            set -> set.acknowledge().mode(),
            o -> o.acknowledge().mode());

    private static final ListenerSetting<Duration> ACKNOWLEDGE_LINGER = row(
            "acknowledge.linger",
            NO_ATTRIBUTE,
            set -> set.acknowledge().linger(),
            o -> o.acknowledge().linger());

    private static final ListenerSetting<Duration> BACKOFF_INITIAL = row(
            "failure.backoff.initial",
            NO_ATTRIBUTE,
            set -> set.failure().backoff().initial(),
            o -> o.failure().backoff().initial());

    private static final ListenerSetting<Duration> BACKOFF_MAX = row(
            "failure.backoff.max",
            NO_ATTRIBUTE,
            set -> set.failure().backoff().max(),
            o -> o.failure().backoff().max());

    private static final ListenerSetting<Boolean> RETRY_INDIVIDUALLY = row(
            "failure.retry-individually",
            NO_ATTRIBUTE,
            set -> set.failure().retryIndividually(),
            o -> o.failure().retryIndividually());

    private static final ListenerSetting<List<String>> NON_RETRYABLE = row(
            "failure.non-retryable",
            NO_ATTRIBUTE,
            set -> set.failure().nonRetryable(),
            o -> SettingConversions.names(o.failure().nonRetryable()));

    private static final ListenerSetting<String> DEAD_LETTER = row(
            "failure.dead-letter",
            "deadLetter",
            set -> set.failure().deadLetter(),
            o -> o.failure().deadLetter());

    private static final ListenerSetting<Double> RATE_LIMIT =
            row("rate-limit", NO_ATTRIBUTE, ListenerSettings::rateLimit, ListenerOptions::rateLimit);

    private static final ListenerSetting<FifoGrouping> FIFO_BATCH_GROUPING = row(
            "fifo.batch-grouping",
            "fifoBatchGrouping",
            set -> set.fifo().batchGrouping(),
            ListenerOptions::fifoGrouping);

    private static final ListenerSetting<FifoRetry> FIFO_RETRY =
            row("fifo.retry", NO_ATTRIBUTE, set -> set.fifo().retry(), ListenerOptions::fifoRetry);

    private static final ListenerSetting<String> EXECUTOR =
            row("executor", "executor", ListenerSettings::executor, o -> SettingConversions.executorText(o.executor()));

    private static final ListenerSetting<String> CLIENT =
            row("client", "client", ListenerSettings::client, ListenerOptions::client);

    private static final ListenerSetting<QueueNotFound> QUEUE_NOT_FOUND =
            row("queue-not-found", NO_ATTRIBUTE, ListenerSettings::queueNotFound, ListenerOptions::queueNotFound);

    private static final ListenerSetting<Duration> SHUTDOWN_TIMEOUT =
            row("shutdown-timeout", NO_ATTRIBUTE, ListenerSettings::shutdownTimeout, ListenerOptions::shutdownTimeout);

    public static final ListenerSetting<Boolean> AUTO_STARTUP =
            row("auto-startup", "autoStartup", ListenerSettings::autoStartup, null);

    public static final ListenerSetting<Envelope> PAYLOAD_ENVELOPE =
            row("payload.envelope", "envelope", set -> set.payload().envelope(), null);

    public static final ListenerSetting<String> PAYLOAD_TYPE_HEADER =
            row("payload.type-header", NO_ATTRIBUTE, set -> set.payload().typeHeader(), null);

    public static final ListenerSetting<Map<String, String>> PAYLOAD_TYPES =
            row("payload.types", NO_ATTRIBUTE, set -> set.payload().types(), null);

    public static final ListenerSetting<Boolean> INBOX_ENABLED =
            row("inbox.enabled", "inbox", set -> set.inbox().enabled(), null);

    public static final ListenerSetting<String> INBOX_KEY =
            row("inbox.key", "inboxKey", set -> set.inbox().key(), null);

    private ListenerSettingsTable() {}

    /** Returns all rows, in the order of the report. */
    static List<ListenerSetting<?>> rows() {
        return Collections.unmodifiableList(ROWS);
    }

    /**
     * Returns the options of one container.
     *
     * @param single whether the handler takes one message at a time
     */
    static ListenerOptions options(
            String id, String queue, LayeredSettings settings, boolean single, SettingConversions conversions) {
        var defaults = ListenerOptions.builder(id, queue).build();
        var values = new Values(settings, defaults);
        var concurrency = Concurrency.of(values.of(CONCURRENCY));
        return defaults.toBuilder()
                .batchSize(single ? one(settings) : values.of(BATCH_SIZE))
                .batchLinger(values.of(BATCH_LINGER))
                .concurrency(concurrency.number())
                .concurrencyMax(concurrency.max())
                .pollers(pollers(values))
                .waitTime(values.of(WAIT_TIME))
                .prefetch(SettingConversions.prefetch(values.of(PREFETCH)))
                .visibility(new Visibility(settings.find(VISIBILITY_TIMEOUT), values.of(VISIBILITY_MAX_EXTENSION)))
                .acknowledge(new Acknowledge(values.of(ACKNOWLEDGE_MODE), values.of(ACKNOWLEDGE_LINGER)))
                .failure(new Failure(
                        backoff(values),
                        values.of(RETRY_INDIVIDUALLY),
                        conversions.exceptions(NON_RETRYABLE.key(), values.of(NON_RETRYABLE)),
                        values.of(DEAD_LETTER)))
                .rateLimit(values.of(RATE_LIMIT))
                .fifoGrouping(values.of(FIFO_BATCH_GROUPING))
                .fifoRetry(values.of(FIFO_RETRY))
                .executor(conversions.executor(values.of(EXECUTOR)))
                .client(values.of(CLIENT))
                .queueNotFound(values.of(QUEUE_NOT_FOUND))
                .shutdownTimeout(values.of(SHUTDOWN_TIMEOUT))
                .build();
    }

    private static Pollers pollers(Values values) {
        int min = values.of(POLLERS_MIN);
        int max = values.of(POLLERS_MAX);
        Check.that(
                min <= max || values.set(POLLERS_MAX),
                POLLERS_MIN.key(),
                "must be at most pollers.max, which is " + max + " by default",
                min,
                "lower it, or set pollers.max as well");
        return new Pollers(min, max, values.of(POLLERS_MIN_INTERVAL));
    }

    private static Backoff backoff(Values values) {
        Duration initial = values.of(BACKOFF_INITIAL);
        Duration max = values.of(BACKOFF_MAX);
        Check.that(
                initial.compareTo(max) <= 0 || values.set(BACKOFF_MAX),
                BACKOFF_INITIAL.key(),
                "must be at most failure.backoff.max, which is " + Check.text(max) + " by default",
                initial,
                "lower it, or set failure.backoff.max as well");
        Check.that(
                initial.compareTo(max) <= 0 || values.set(BACKOFF_INITIAL),
                BACKOFF_MAX.key(),
                "must be at least failure.backoff.initial, which is " + Check.text(initial) + " by default",
                max,
                "raise it, or set failure.backoff.initial as well");
        return Backoff.exponential(initial, max);
    }

    /** Ignores a default for all listeners; a size for this listener must fit. */
    private static int one(LayeredSettings settings) {
        Integer own = settings.findOwn(BATCH_SIZE);
        Check.that(
                own == null || own == 1,
                BATCH_SIZE.key(),
                "must be 1, since the method takes one message",
                String.valueOf(own),
                "let the method take a List, or remove the setting");
        return 1;
    }

    private static <V> ListenerSetting<V> row(
            String key,
            @Nullable String attribute,
            Function<ListenerSettings, @Nullable V> bound,
            @Nullable Function<ListenerOptions, @Nullable V> option) {
        var row = new ListenerSetting<>(key, attribute, bound, option);
        ROWS.add(row);
        return row;
    }

    /** The values of one container: the settings, else the defaults of the options. */
    private record Values(LayeredSettings settings, ListenerOptions defaults) {

        <V> V of(ListenerSetting<V> setting) {
            V found = settings.find(setting);
            return found != null
                    ? found
                    : Objects.requireNonNull(
                            Objects.requireNonNull(setting.option()).apply(defaults));
        }

        boolean set(ListenerSetting<?> setting) {
            return settings.find(setting) != null;
        }
    }
}
