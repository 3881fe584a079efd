/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.listener;

import io.github.batchsqs.Backoff;
import io.github.batchsqs.errors.InvalidOptionException;
import io.github.batchsqs.internal.client.QueueClient;
import io.github.batchsqs.internal.support.Check;
import io.github.batchsqs.internal.support.SqsLimits;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Configures how one listener reads one queue. Immutable; {@link #builder(String, String)} starts from the defaults.
 *
 * <p>The constructor checks each value. An {@link InvalidOptionException} names the setting (without its prefix), the rule,
 * the value and the remedy.
 *
 * @param id the listener's id, which is part of the names of its threads, meters and settings
 * @param queue the queue's name, URL or ARN
 * @param client the name of the client that reads the queue, or {@code default}
 * @param batchSize the maximum number of messages of an invocation, 1 to 10,000
 * @param batchLinger how long the first message of a batch waits for others, 0 up to 12 h
 * @param concurrency the maximum number of invocations at once, at least 1, or {@link #AUTO_CONCURRENCY}
 * @param concurrencyMax the limit of an automatic concurrency, at least 1
 * @param pollers the number of receives at once
 * @param waitTime the wait time of a receive (long polling), 0 to 20 s in whole seconds
 * @param prefetch the maximum number of messages in flight beyond concurrency × batch-size, 0 to 10 × pollers.max, or
 *     {@link #AUTO_PREFETCH}
 * @param visibility the visibility timeout and its extension
 * @param acknowledge when and how messages are deleted
 * @param failure how failed messages are retried
 * @param rateLimit the maximum number of messages received per second, or 0 for no limit
 * @param fifoGrouping how FIFO groups share batches
 * @param fifoRetry where a failed message of a FIFO queue waits for its next attempt
 * @param executor which threads run the handler
 * @param queueNotFound what happens at start if the queue does not exist
 * @param shutdownTimeout the maximum duration of a stop, above 0 up to 12 h
 */
public record ListenerOptions(
        String id,
        String queue,
        String client,
        int batchSize,
        Duration batchLinger,
        int concurrency,
        int concurrencyMax,
        Pollers pollers,
        Duration waitTime,
        int prefetch,
        Visibility visibility,
        Acknowledge acknowledge,
        Failure failure,
        double rateLimit,
        FifoGrouping fifoGrouping,
        FifoRetry fifoRetry,
        InvocationExecutor executor,
        QueueNotFound queueNotFound,
        Duration shutdownTimeout) {

    /** Follows the measured rate: the messages of three round trips, at most 20 × pollers.max. */
    public static final int AUTO_PREFETCH = -1;

    /**
     * Adapts the number of invocations at once to the latency of the handler: it starts at {@link #AUTO_CONCURRENCY_START} and grows
     * up to {@code concurrencyMax} while the latency stays flat. This is the default.
     */
    public static final int AUTO_CONCURRENCY = -1;

    /** The number of invocations at once with which an automatic concurrency starts, unless {@code concurrencyMax} is less. */
    public static final int AUTO_CONCURRENCY_START = 16;

    /** The limit of an automatic concurrency unless another is set. */
    public static final int DEFAULT_CONCURRENCY_MAX = 200;

    /**
     * Checks the values.
     *
     * @throws InvalidOptionException if a value breaks its rule
     */
    public ListenerOptions {
        Check.that(!id.isBlank(), "id", "must not be blank", id, "give the listener an id");
        Check.that(!queue.isBlank(), "queue", "must be a name, a URL or an ARN", queue, "name the queue to read");
        Check.range("batch-size", batchSize, 1, 10_000);
        Check.range("batch-linger", batchLinger, Duration.ZERO, SqsLimits.MAX_VISIBILITY);
        if (concurrency != AUTO_CONCURRENCY) {
            Check.atLeast("concurrency", concurrency, 1);
        }
        Check.that(
                concurrencyMax >= 1,
                "concurrency",
                "must have a maximum of at least 1 with auto",
                "auto:" + concurrencyMax,
                "set auto:1 or more, or auto");
        Check.range("wait-time", waitTime, Duration.ZERO, SqsLimits.MAX_WAIT);
        Check.that(
                waitTime.toNanosPart() == 0,
                "wait-time",
                "must be whole seconds, as SQS counts it",
                waitTime,
                "set a value such as 20s");
        if (prefetch != AUTO_PREFETCH) {
            Check.range("prefetch", prefetch, 0, (long) SqsLimits.MAX_PER_CALL * pollers.max());
        }
        Check.that(
                rateLimit >= 0 && Double.isFinite(rateLimit),
                "rate-limit",
                "must be a positive number of messages per second, or 0 for none",
                rateLimit,
                "set a positive number or remove the key");
        // Spring's timeout of a lifecycle phase is no bound: a listener's stop blocks, so that it is not cut short.
        Check.that(
                shutdownTimeout.isPositive() && shutdownTimeout.compareTo(SqsLimits.MAX_VISIBILITY) <= 0,
                "shutdown-timeout",
                "must be positive and at most " + Check.text(SqsLimits.MAX_VISIBILITY)
                        + ", because SQS keeps no message in flight for longer",
                shutdownTimeout,
                "set a value below the grace period of the platform, such as 25s");
    }

    /**
     * {@return a builder with the defaults, for the given listener and queue}
     *
     * @param id the listener's id
     * @param queue the queue's name, URL or ARN
     */
    public static Builder builder(String id, String queue) {
        return new Builder(id, queue);
    }

    /** {@return a builder with the values of these options} */
    public Builder toBuilder() {
        return new Builder(this);
    }

    /**
     * The number of receives at once.
     *
     * @param min the number when idle, at least 1
     * @param max the number under load, {@code min} to 1,000; equal values fix the number
     * @param minInterval the minimum delay after a receive that returned fewer messages than it requested, 0 to 1 minute,
     *     so that messages accumulate at low traffic; zero disables it
     */
    public record Pollers(int min, int max, Duration minInterval) {
        /**
         * Checks the values.
         *
         * @throws InvalidOptionException if a value breaks its rule
         */
        public Pollers {
            Check.atLeast("pollers.min", min, 1);
            Check.that(max >= min, "pollers.max", "must be at least pollers.min (" + min + ")", max, "raise it");
            Check.range("pollers.max", max, 1, 1_000);
            Check.range("pollers.min-interval", minInterval, Duration.ZERO, Duration.ofMinutes(1));
        }
    }

    /**
     * The visibility timeout of received messages and its extension.
     *
     * @param timeout the visibility timeout of each receive, 1 s to 12 h, or {@code null} for the queue's own
     * @param maxExtension the maximum time after the receive up to which the visibility timeout is extended until a message is
     *     settled, 0 up to 12 h; zero disables the extension
     */
    public record Visibility(@Nullable Duration timeout, Duration maxExtension) {
        /**
         * Checks the values.
         *
         * @throws InvalidOptionException if a value breaks its rule
         */
        public Visibility {
            if (timeout != null) {
                Check.range("visibility.timeout", timeout, Duration.ofSeconds(1), SqsLimits.MAX_VISIBILITY);
            }
            Check.range("visibility.max-extension", maxExtension, Duration.ZERO, SqsLimits.MAX_VISIBILITY);
        }
    }

    /**
     * When and how messages are deleted.
     *
     * @param mode when messages are deleted
     * @param linger how long a delete waits for others that fill its call, 0 to 10 s
     */
    public record Acknowledge(AcknowledgeMode mode, Duration linger) {
        /**
         * Checks the values.
         *
         * @throws InvalidOptionException if a value breaks its rule
         */
        public Acknowledge {
            Objects.requireNonNull(mode, "mode");
            Check.range("acknowledge.linger", linger, Duration.ZERO, Duration.ofSeconds(10));
        }
    }

    /** When messages are deleted. */
    public enum AcknowledgeMode {
        /** Messages are deleted when their outcome is done. */
        ON_SUCCESS,
        /** Messages are deleted when the handler acknowledges them through {@link io.github.batchsqs.Acknowledgement}. */
        MANUAL,
        /** Messages are deleted when the handler has ended, for any outcome. A message that cannot be converted still fails. */
        ALWAYS
    }

    /**
     * How failed messages are retried.
     *
     * @param backoff the delay before the next attempt, by the number of attempts (the receive count, and on FIFO queues also
     *     the retries in the process); at most 12 h
     * @param retryIndividually whether the messages of a batch that failed as a whole run again at once, one by one; with
     *     {@code acknowledge.mode} {@code on-success} only
     * @param nonRetryable exceptions (also as a cause) that send a message to the dead-letter queue at once
     * @param deadLetter the destination of such messages: {@link #REDRIVE_POLICY}, {@link #NO_DEAD_LETTER}, or a queue
     */
    public record Failure(
            Backoff backoff,
            boolean retryIndividually,
            List<Class<? extends Throwable>> nonRetryable,
            String deadLetter) {

        /** The queue's own dead-letter queue, read from its redrive policy. */
        public static final String REDRIVE_POLICY = "redrive-policy";

        /** No dead-letter queue: messages are received again until the queue's redrive policy moves them. */
        public static final String NO_DEAD_LETTER = "none";

        /**
         * Checks the values.
         *
         * @throws InvalidOptionException if a value breaks its rule
         */
        public Failure {
            nonRetryable = List.copyOf(nonRetryable);
            Check.range("failure.backoff.max", backoff.max(), Duration.ZERO, SqsLimits.MAX_VISIBILITY);
            Check.that(
                    !deadLetter.isBlank(),
                    "failure.dead-letter",
                    "must be redrive-policy, none, or a queue",
                    deadLetter,
                    "remove the key for redrive-policy");
        }
    }

    /** Whether message groups of a FIFO queue share batches. */
    public enum FifoGrouping {
        /** A batch contains one message group. */
        GROUP,
        /** A batch may contain several groups, each in order. */
        MIXED
    }

    /** Where a failed message of a FIFO queue waits for its next attempt. */
    public enum FifoRetry {
        /**
         * The message waits in this process. The message and the later messages of its group stay in flight. After the delay
         * the message runs again alone. After as many attempts as the redrive policy allows, it moves to the dead-letter queue,
         * and its group continues. This mode needs a redrive policy. Without a policy, and if a message cannot be kept, {@link
         * #QUEUE} applies.
         */
        IN_PROCESS,
        /**
         * The message waits in the queue. The message and the later messages of its group return to the queue, which increases
         * the receive counts of all of them.
         */
        QUEUE
    }

    /** Which threads run the handler. */
    public sealed interface InvocationExecutor {

        /** A new virtual thread for each invocation. */
        record Virtual() implements InvocationExecutor {}

        /** A pool of {@code concurrency} platform threads, for handlers that use much CPU time or pin their carrier thread. */
        record Platform() implements InvocationExecutor {}

        /**
         * A custom executor, which must be able to run {@code concurrency} tasks at once. The listener hands a batch that the
         * executor refuses over again, and receives nothing until the executor takes it.
         *
         * @param executor the executor; the listener never shuts it down
         */
        record Custom(Executor executor) implements InvocationExecutor {}
    }

    /** What happens at start if the queue does not exist. */
    public enum QueueNotFound {
        /** The start fails. */
        FAIL,
        /** The queue is created with SQS's defaults. */
        CREATE,
        /** The listener starts, and looks for the queue until the queue exists. */
        WAIT
    }

    /** Builds options. Values that are not set keep their defaults. Not safe for use by several threads. */
    public static final class Builder {

        private String id;
        private String queue;
        private String client = QueueClient.DEFAULT_NAME;
        private int batchSize = 10;
        private Duration batchLinger = Duration.ZERO;
        private int concurrency = AUTO_CONCURRENCY;
        private int concurrencyMax = DEFAULT_CONCURRENCY_MAX;
        private Pollers pollers = new Pollers(1, 32, Duration.ZERO);
        private Duration waitTime = SqsLimits.MAX_WAIT;
        private int prefetch = AUTO_PREFETCH;
        private Visibility visibility = new Visibility(null, Duration.ofHours(1));
        private Acknowledge acknowledge = new Acknowledge(AcknowledgeMode.ON_SUCCESS, Duration.ofMillis(50));
        private Failure failure = new Failure(
                Backoff.exponential(Duration.ofSeconds(1), Duration.ofMinutes(5)),
                false,
                List.of(),
                Failure.REDRIVE_POLICY);
        private double rateLimit;
        private FifoGrouping fifoGrouping = FifoGrouping.GROUP;
        private FifoRetry fifoRetry = FifoRetry.IN_PROCESS;
        private InvocationExecutor executor = new InvocationExecutor.Virtual();
        private QueueNotFound queueNotFound = QueueNotFound.FAIL;
        private Duration shutdownTimeout = Duration.ofSeconds(25);

        private Builder(String id, String queue) {
            this.id = id;
            this.queue = queue;
        }

        private Builder(ListenerOptions from) {
            id = from.id;
            queue = from.queue;
            client = from.client;
            batchSize = from.batchSize;
            batchLinger = from.batchLinger;
            concurrency = from.concurrency;
            concurrencyMax = from.concurrencyMax;
            pollers = from.pollers;
            waitTime = from.waitTime;
            prefetch = from.prefetch;
            visibility = from.visibility;
            acknowledge = from.acknowledge;
            failure = from.failure;
            rateLimit = from.rateLimit;
            fifoGrouping = from.fifoGrouping;
            fifoRetry = from.fifoRetry;
            executor = from.executor;
            queueNotFound = from.queueNotFound;
            shutdownTimeout = from.shutdownTimeout;
        }

        /**
         * Sets {@link ListenerOptions#id()}.
         *
         * @param value the listener's id, which is part of the names of its threads, meters and settings
         * @return this builder
         */
        public Builder id(String value) {
            id = value;
            return this;
        }

        /**
         * Sets {@link ListenerOptions#queue()}.
         *
         * @param value the queue's name, URL or ARN
         * @return this builder
         */
        public Builder queue(String value) {
            queue = value;
            return this;
        }

        /**
         * Sets {@link ListenerOptions#client()}.
         *
         * @param value the name of the client that reads the queue
         * @return this builder
         */
        public Builder client(String value) {
            client = value;
            return this;
        }

        /**
         * Sets {@link ListenerOptions#batchSize()}.
         *
         * @param value the maximum number of messages of an invocation, 1 to 10,000
         * @return this builder
         */
        public Builder batchSize(int value) {
            batchSize = value;
            return this;
        }

        /**
         * Sets {@link ListenerOptions#batchLinger()}.
         *
         * @param value how long the first message of a batch waits for others, 0 up to 12 h
         * @return this builder
         */
        public Builder batchLinger(Duration value) {
            batchLinger = value;
            return this;
        }

        /**
         * Sets {@link ListenerOptions#concurrency()}.
         *
         * @param value the maximum number of invocations at once, at least 1, or {@link #AUTO_CONCURRENCY}
         * @return this builder
         */
        public Builder concurrency(int value) {
            concurrency = value;
            return this;
        }

        /**
         * Sets {@link ListenerOptions#concurrencyMax()}.
         *
         * @param value the limit of an automatic concurrency, at least 1
         * @return this builder
         */
        public Builder concurrencyMax(int value) {
            concurrencyMax = value;
            return this;
        }

        /**
         * Sets {@link ListenerOptions#pollers()}.
         *
         * @param value the number of receives at once
         * @return this builder
         */
        public Builder pollers(Pollers value) {
            pollers = value;
            return this;
        }

        /**
         * Sets {@link ListenerOptions#pollers()}; keeps the minimum interval.
         *
         * @param min the number of concurrent receives when the queue is empty
         * @param max the maximum number of concurrent receives
         * @return this builder
         */
        public Builder pollers(int min, int max) {
            return pollers(new Pollers(min, max, pollers.minInterval()));
        }

        /**
         * Sets {@link ListenerOptions#waitTime()}.
         *
         * @param value the wait time of a receive (long polling), 0 to 20 s in whole seconds
         * @return this builder
         */
        public Builder waitTime(Duration value) {
            waitTime = value;
            return this;
        }

        /**
         * Sets {@link ListenerOptions#prefetch()}.
         *
         * @param value the maximum number of messages buffered in addition to those of running invocations, 0 to 10 ×
         *     pollers.max, or {@link #AUTO_PREFETCH}
         * @return this builder
         */
        public Builder prefetch(int value) {
            prefetch = value;
            return this;
        }

        /**
         * Sets {@link ListenerOptions#visibility()}.
         *
         * @param value the visibility timeout and its extension
         * @return this builder
         */
        public Builder visibility(Visibility value) {
            visibility = value;
            return this;
        }

        /**
         * Sets {@link ListenerOptions#acknowledge()}.
         *
         * @param value when and how messages are deleted
         * @return this builder
         */
        public Builder acknowledge(Acknowledge value) {
            acknowledge = value;
            return this;
        }

        /**
         * Sets {@link ListenerOptions#failure()}.
         *
         * @param value how failed messages are retried
         * @return this builder
         */
        public Builder failure(Failure value) {
            failure = value;
            return this;
        }

        /**
         * Sets {@link ListenerOptions#rateLimit()}.
         *
         * @param value the maximum number of messages received per second, or 0 for no limit
         * @return this builder
         */
        public Builder rateLimit(double value) {
            rateLimit = value;
            return this;
        }

        /**
         * Sets {@link ListenerOptions#fifoGrouping()}.
         *
         * @param value how FIFO groups share batches
         * @return this builder
         */
        public Builder fifoGrouping(FifoGrouping value) {
            fifoGrouping = value;
            return this;
        }

        /**
         * Sets {@link ListenerOptions#fifoRetry()}.
         *
         * @param value where a failed message of a FIFO queue waits for its next attempt
         * @return this builder
         */
        public Builder fifoRetry(FifoRetry value) {
            fifoRetry = value;
            return this;
        }

        /**
         * Sets {@link ListenerOptions#executor()}.
         *
         * @param value which threads run the handler
         * @return this builder
         */
        public Builder executor(InvocationExecutor value) {
            executor = value;
            return this;
        }

        /**
         * Sets {@link ListenerOptions#queueNotFound()}.
         *
         * @param value what happens at start if the queue does not exist
         * @return this builder
         */
        public Builder queueNotFound(QueueNotFound value) {
            queueNotFound = value;
            return this;
        }

        /**
         * Sets {@link ListenerOptions#shutdownTimeout()}.
         *
         * @param value the maximum duration of a stop, above 0 up to 12 h
         * @return this builder
         */
        public Builder shutdownTimeout(Duration value) {
            shutdownTimeout = value;
            return this;
        }

        /**
         * {@return the options}
         *
         * @throws InvalidOptionException if a value breaks its rule
         */
        public ListenerOptions build() {
            return new ListenerOptions(
                    id,
                    queue,
                    client,
                    batchSize,
                    batchLinger,
                    concurrency,
                    concurrencyMax,
                    pollers,
                    waitTime,
                    prefetch,
                    visibility,
                    acknowledge,
                    failure,
                    rateLimit,
                    fifoGrouping,
                    fifoRetry,
                    executor,
                    queueNotFound,
                    shutdownTimeout);
        }
    }
}
