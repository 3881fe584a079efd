/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive;

import io.github.batchsqs.Backoff;
import io.github.batchsqs.Check;
import io.github.batchsqs.InvalidOptionException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * How one listener reads one queue. Immutable; {@link #builder(String, String)} starts from the defaults.
 *
 * <p>Each value is checked when the options are made; an {@link InvalidOptionException} names the setting (without its
 * prefix), the rule, the value and the remedy.
 *
 * @param id the listener's id: names its threads, its meters and its settings
 * @param queue the queue's name, URL or ARN
 * @param batchSize the most messages of an invocation, 1 to 10,000
 * @param batchLinger how long the first message of a batch waits for others, 0 up to {@link #MAX_VISIBILITY}
 * @param concurrency the most invocations at once, at least 1
 * @param pollers how many receives run at once
 * @param waitTime the long poll, 0 to 20 s in whole seconds
 * @param prefetch messages held ready beyond those running, 0 to 10 × pollers.max, or {@link #AUTO_PREFETCH}
 * @param visibility how leases are held
 * @param acknowledge when and how messages are deleted
 * @param failure what becomes of messages that failed
 * @param rateLimit the most messages received per second, or 0 for no limit
 * @param fifoGrouping how FIFO groups share batches
 * @param executor which threads run the handler
 * @param queueNotFound what happens at start if there is no such queue
 * @param shutdownTimeout how long a stop may take in all
 */
public record ListenerOptions(
        String id,
        String queue,
        int batchSize,
        Duration batchLinger,
        int concurrency,
        Pollers pollers,
        Duration waitTime,
        int prefetch,
        Visibility visibility,
        Acknowledge acknowledge,
        Failure failure,
        double rateLimit,
        FifoGrouping fifoGrouping,
        InvocationExecutor executor,
        QueueNotFound queueNotFound,
        Duration shutdownTimeout) {

    /** SQS: the longest time that a message may stay hidden. */
    public static final Duration MAX_VISIBILITY = Duration.ofHours(12);

    /** SQS: the most messages of a receive, and the most entries of a batch call. */
    public static final int MAX_PER_CALL = 10;

    /** Hold ready what a few round trips at the measured rate need, at most 20 × pollers.max. */
    public static final int AUTO_PREFETCH = -1;

    private static final int MAX_BATCH_SIZE = 10_000;

    public ListenerOptions {
        Check.that(!id.isBlank(), "id", "must not be blank", id, "give the listener an id");
        Check.that(!queue.isBlank(), "queue", "must be a name, a URL or an ARN", queue, "name the queue to read");
        Check.range("batch-size", batchSize, 1, MAX_BATCH_SIZE);
        Check.range("batch-linger", batchLinger, Duration.ZERO, MAX_VISIBILITY);
        Check.atLeast("concurrency", concurrency, 1);
        Check.range("wait-time", waitTime, Duration.ZERO, Duration.ofSeconds(20));
        Check.that(
                waitTime.toNanosPart() == 0,
                "wait-time",
                "must be whole seconds, as SQS counts it",
                waitTime,
                "set a value such as 20s");
        if (prefetch != AUTO_PREFETCH) {
            Check.range("prefetch", prefetch, 0, (long) MAX_PER_CALL * pollers.max());
        }
        Check.that(
                rateLimit >= 0 && Double.isFinite(rateLimit),
                "rate-limit",
                "must be a positive number of messages per second, or 0 for none",
                rateLimit,
                "set a positive number or remove the key");
        Check.that(
                shutdownTimeout.isPositive(),
                "shutdown-timeout",
                "must be positive",
                shutdownTimeout,
                "set a value such as 25s");
    }

    /** The defaults, for the given listener and queue. */
    public static Builder builder(String id, String queue) {
        return new Builder(id, queue);
    }

    /** A builder that starts from these options. */
    public Builder toBuilder() {
        return new Builder(this);
    }

    /**
     * How many receives run at once.
     *
     * @param min when idle, at least 1
     * @param max under load, at least {@code min}; equal values fix the number
     * @param pace the shortest time between two receives of a poller that did not fill up, so that messages gather
     *     under a trickle; zero for none
     */
    public record Pollers(int min, int max, Duration pace) {
        public Pollers {
            Check.atLeast("pollers.min", min, 1);
            Check.that(max >= min, "pollers.max", "must be at least pollers.min (" + min + ")", max, "raise it");
            Check.range("pollers.max", max, 1, 1_000);
            Check.range("pollers.pace", pace, Duration.ZERO, Duration.ofMinutes(1));
        }
    }

    /**
     * How leases are held.
     *
     * @param timeout the visibility timeout of each receive, 1 s to 12 h, or {@code null} for the queue's own
     * @param extend whether messages are extended while they are held here
     * @param maxExtension how long after its receive a message is extended at the most, up to 12 h
     */
    public record Visibility(@Nullable Duration timeout, boolean extend, Duration maxExtension) {
        public Visibility {
            if (timeout != null) {
                Check.range("visibility.timeout", timeout, Duration.ofSeconds(1), MAX_VISIBILITY);
            }
            Check.range("visibility.max-extension", maxExtension, Duration.ZERO, MAX_VISIBILITY);
        }
    }

    /**
     * When and how messages are deleted.
     *
     * @param mode when
     * @param linger how long a delete waits for others to fill its call, 0 to 10 s; on FIFO also how long single messages of
     *     a group run before they are deleted together
     * @param maxInFlight the most delete calls at once, at least 1
     */
    public record Acknowledge(AcknowledgeMode mode, Duration linger, int maxInFlight) {
        public Acknowledge {
            Objects.requireNonNull(mode, "mode");
            Check.range("acknowledge.linger", linger, Duration.ZERO, Duration.ofSeconds(10));
            Check.atLeast("acknowledge.max-in-flight", maxInFlight, 1);
        }
    }

    /** When messages are deleted. */
    public enum AcknowledgeMode {
        /** When their outcome is done. */
        ON_SUCCESS,
        /** When the handler says so through {@link io.github.batchsqs.Acknowledgement}. */
        MANUAL,
        /** When the handler ended, whatever the outcome. A message that cannot be converted is still a failure. */
        ALWAYS
    }

    /**
     * What becomes of messages that failed.
     *
     * @param backoff the delay before the next try, by receive count
     * @param isolate whether a batch that failed as a whole is run once more one by one; with {@code acknowledge.mode}
     *     {@code on-success} only
     * @param nonRetryable exceptions (also as a cause) that send a message to the dead-letter queue at once
     * @param deadLetter where such messages go: {@link #REDRIVE_POLICY}, {@link #NO_DEAD_LETTER}, or a queue
     */
    public record Failure(
            Backoff backoff, boolean isolate, List<Class<? extends Throwable>> nonRetryable, String deadLetter) {

        /** The queue's own dead-letter queue, read from its redrive policy. */
        public static final String REDRIVE_POLICY = "redrive-policy";

        /** Leave them to the queue: they are received again until its redrive policy takes them. */
        public static final String NO_DEAD_LETTER = "none";

        public Failure {
            nonRetryable = List.copyOf(nonRetryable);
            Check.range("failure.backoff.max", backoff.max(), Duration.ZERO, MAX_VISIBILITY);
            Check.that(
                    !deadLetter.isBlank(),
                    "failure.dead-letter",
                    "must be redrive-policy, none, or a queue",
                    deadLetter,
                    "remove the key for redrive-policy");
        }
    }

    /** How FIFO groups share batches. */
    public enum FifoGrouping {
        /** A batch holds one message group. */
        GROUP,
        /** A batch may hold several groups, each in order. */
        MIXED
    }

    /** Which threads run the handler. */
    public sealed interface InvocationExecutor {

        /** A new virtual thread for each invocation. */
        record Virtual() implements InvocationExecutor {}

        /** A pool of {@code concurrency} platform threads, for handlers that burn CPU or pin their carrier. */
        record Platform() implements InvocationExecutor {}

        /**
         * The caller's own executor; it must be able to run {@code concurrency} tasks at once. A task that it refuses is
         * given back to the queue.
         *
         * @param executor the executor; never shut down by the listener
         */
        record Custom(Executor executor) implements InvocationExecutor {}
    }

    /** What happens at start if there is no such queue. */
    public enum QueueNotFound {
        /** The start fails. */
        FAIL,
        /** The queue is created with SQS's defaults. */
        CREATE,
        /** The listener starts, and looks for the queue until it appears. */
        WAIT
    }

    /** Collects options; what is not set keeps its default. */
    public static final class Builder {

        private String id;
        private String queue;
        private int batchSize = 10;
        private Duration batchLinger = Duration.ZERO;
        private int concurrency = 16;
        private Pollers pollers = new Pollers(1, 32, Duration.ZERO);
        private Duration waitTime = Duration.ofSeconds(20);
        private int prefetch = AUTO_PREFETCH;
        private Visibility visibility = new Visibility(null, true, Duration.ofHours(1));
        private Acknowledge acknowledge = new Acknowledge(AcknowledgeMode.ON_SUCCESS, Duration.ofMillis(50), 32);
        private Failure failure = new Failure(
                Backoff.exponential(Duration.ofSeconds(1), Duration.ofMinutes(5)),
                false,
                List.of(),
                Failure.REDRIVE_POLICY);
        private double rateLimit;
        private FifoGrouping fifoGrouping = FifoGrouping.GROUP;
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
            batchSize = from.batchSize;
            batchLinger = from.batchLinger;
            concurrency = from.concurrency;
            pollers = from.pollers;
            waitTime = from.waitTime;
            prefetch = from.prefetch;
            visibility = from.visibility;
            acknowledge = from.acknowledge;
            failure = from.failure;
            rateLimit = from.rateLimit;
            fifoGrouping = from.fifoGrouping;
            executor = from.executor;
            queueNotFound = from.queueNotFound;
            shutdownTimeout = from.shutdownTimeout;
        }

        /** See {@link ListenerOptions#id()}. */
        public Builder id(String value) {
            id = value;
            return this;
        }

        /** See {@link ListenerOptions#queue()}. */
        public Builder queue(String value) {
            queue = value;
            return this;
        }

        /** See {@link ListenerOptions#batchSize()}. */
        public Builder batchSize(int value) {
            batchSize = value;
            return this;
        }

        /** See {@link ListenerOptions#batchLinger()}. */
        public Builder batchLinger(Duration value) {
            batchLinger = value;
            return this;
        }

        /** See {@link ListenerOptions#concurrency()}. */
        public Builder concurrency(int value) {
            concurrency = value;
            return this;
        }

        /** See {@link ListenerOptions#pollers()}. */
        public Builder pollers(Pollers value) {
            pollers = value;
            return this;
        }

        /** See {@link ListenerOptions#pollers()}; keeps the pace. */
        public Builder pollers(int min, int max) {
            return pollers(new Pollers(min, max, pollers.pace()));
        }

        /** See {@link ListenerOptions#waitTime()}. */
        public Builder waitTime(Duration value) {
            waitTime = value;
            return this;
        }

        /** See {@link ListenerOptions#prefetch()}. */
        public Builder prefetch(int value) {
            prefetch = value;
            return this;
        }

        /** See {@link ListenerOptions#visibility()}. */
        public Builder visibility(Visibility value) {
            visibility = value;
            return this;
        }

        /** See {@link ListenerOptions#acknowledge()}. */
        public Builder acknowledge(Acknowledge value) {
            acknowledge = value;
            return this;
        }

        /** See {@link ListenerOptions#failure()}. */
        public Builder failure(Failure value) {
            failure = value;
            return this;
        }

        /** See {@link ListenerOptions#rateLimit()}. */
        public Builder rateLimit(double value) {
            rateLimit = value;
            return this;
        }

        /** See {@link ListenerOptions#fifoGrouping()}. */
        public Builder fifoGrouping(FifoGrouping value) {
            fifoGrouping = value;
            return this;
        }

        /** See {@link ListenerOptions#executor()}. */
        public Builder executor(InvocationExecutor value) {
            executor = value;
            return this;
        }

        /** See {@link ListenerOptions#queueNotFound()}. */
        public Builder queueNotFound(QueueNotFound value) {
            queueNotFound = value;
            return this;
        }

        /** See {@link ListenerOptions#shutdownTimeout()}. */
        public Builder shutdownTimeout(Duration value) {
            shutdownTimeout = value;
            return this;
        }

        /**
         * The options.
         *
         * @throws InvalidOptionException if a value breaks its rule
         */
        public ListenerOptions build() {
            return new ListenerOptions(
                    id,
                    queue,
                    batchSize,
                    batchLinger,
                    concurrency,
                    pollers,
                    waitTime,
                    prefetch,
                    visibility,
                    acknowledge,
                    failure,
                    rateLimit,
                    fifoGrouping,
                    executor,
                    queueNotFound,
                    shutdownTimeout);
        }
    }
}
