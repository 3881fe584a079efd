/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.settings;

import io.github.batchsqs.codec.Envelope;
import io.github.batchsqs.receive.ListenerOptions.AcknowledgeMode;
import io.github.batchsqs.receive.ListenerOptions.FifoGrouping;
import io.github.batchsqs.receive.ListenerOptions.QueueNotFound;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The settings of a listener, or the defaults of all listeners. What is {@code null} was not set here.
 *
 * @param batchSize Most messages of an invocation, 1 to 10,000. More than 10 gather over several receives.
 * @param batchLinger How long the first message of a batch waits for others to fill it.
 * @param concurrency Most invocations at once.
 * @param pollers How many receives run at once.
 * @param waitTime Long poll of each receive: 0 to 20 whole seconds.
 * @param prefetch Messages held ready beyond those running, 0 to 10 x pollers.max; or auto: what a few round trips need at
 *     the measured rate.
 * @param visibility How messages are kept from others while they are held here.
 * @param acknowledge When and how messages are deleted.
 * @param failure What becomes of messages that failed.
 * @param payload How payloads are read.
 * @param rateLimit Most messages received per second; 0 for no limit.
 * @param fifo FIFO queues.
 * @param executor Threads that run the handler: virtual, platform (a pool of as many threads as concurrency), or the name
 *     of an Executor bean.
 * @param queueNotFound What happens at start if there is no such queue.
 * @param autoStartup Whether the listener starts with the application.
 * @param phase Lifecycle phase: a higher one starts later and stops earlier. The default is the last to start and the
 *     first to stop.
 * @param shutdownTimeout How long a stop may take in all: running handlers, leases and acknowledgements. Keep it below the
 *     time that the platform grants, 30s on Kubernetes.
 */
public record ListenerSettings(
        @Nullable Integer batchSize,
        @Nullable Duration batchLinger,
        @Nullable Integer concurrency,
        @DefaultValue Pollers pollers,
        @Nullable Duration waitTime,
        @Nullable String prefetch,
        @DefaultValue Visibility visibility,
        @DefaultValue Acknowledge acknowledge,
        @DefaultValue Failure failure,
        @DefaultValue Payload payload,
        @Nullable Double rateLimit,
        @DefaultValue Fifo fifo,
        @Nullable String executor,
        @Nullable QueueNotFound queueNotFound,
        @Nullable Boolean autoStartup,
        @Nullable Integer phase,
        @Nullable Duration shutdownTimeout) {

    /**
     * How many receives run at once.
     *
     * @param min Receives at once when idle, at least 1.
     * @param max Receives at once under load; equal to min it fixes their number.
     * @param pace Shortest time between two receives of a poller that did not fill up, so that messages gather under a
     *     trickle; 0 for none.
     */
    public record Pollers(
            @Nullable Integer min,
            @Nullable Integer max,
            @Nullable Duration pace) {}

    /**
     * How messages are kept from others while they are held here.
     *
     * @param timeout Visibility timeout of each receive, 1s to 12h. Default: the queue's own.
     * @param extend Whether messages are extended while they are held here.
     * @param maxExtension How long after its receive a message is extended at the most, up to 12h.
     */
    public record Visibility(
            @Nullable Duration timeout,
            @Nullable Boolean extend,
            @Nullable Duration maxExtension) {}

    /**
     * When and how messages are deleted.
     *
     * @param mode When messages are deleted: on-success, manual (through Acknowledgement), or always.
     * @param linger How long a delete waits for others to fill its call of ten. On FIFO also how long single messages of a
     *     group run before they are deleted together.
     * @param maxInFlight Most delete calls at once.
     */
    public record Acknowledge(
            @Nullable AcknowledgeMode mode,
            @Nullable Duration linger,
            @Nullable Integer maxInFlight) {}

    /**
     * What becomes of messages that failed.
     *
     * @param backoff Delay before the next try, by receive count.
     * @param isolate Whether a batch that failed as a whole is run once more one by one, to find the message that fails.
     * @param nonRetryable Class names of exceptions (also as a cause) that send a message to the dead-letter queue at
     *     once.
     * @param deadLetter Where messages go that are not to be retried: redrive-policy (the queue's own dead-letter queue),
     *     none, or a queue.
     */
    public record Failure(
            @DefaultValue Backoff backoff,
            @Nullable Boolean isolate,
            @Nullable List<String> nonRetryable,
            @Nullable String deadLetter) {}

    /**
     * Delay before the next try of a failed message.
     *
     * @param initial Longest delay after the first failure.
     * @param multiplier How the longest delay grows with each failure, at least 1.
     * @param max Longest delay ever, up to 12h.
     * @param jitter Whether the delay is drawn evenly from 0 up to the longest; false makes it the longest itself.
     */
    public record Backoff(
            @Nullable Duration initial,
            @Nullable Double multiplier,
            @Nullable Duration max,
            @Nullable Boolean jitter) {}

    /**
     * How payloads are read.
     *
     * @param envelope What the service that sent the message put around the payload: none, sns (a notification, or the
     *     payload itself with raw message delivery), or event-bridge (the event's detail is the payload).
     * @param typeHeader Name of the message attribute that chooses the type of the payload among those in payload.types; for
     *     sns an attribute of the notification too, for event-bridge a field of the event, such as detail-type.
     * @param types Full class names by the value of the attribute that payload.type-header names. Senders choose among these
     *     and no others.
     */
    public record Payload(
            @Nullable Envelope envelope,
            @Nullable String typeHeader,
            @Nullable Map<String, String> types) {}

    /**
     * FIFO queues.
     *
     * @param batchGrouping Whether a batch holds one message group (group) or may hold several, each in order (mixed).
     */
    public record Fifo(@Nullable FifoGrouping batchGrouping) {}
}
