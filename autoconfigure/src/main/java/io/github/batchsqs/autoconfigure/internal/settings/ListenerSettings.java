/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.settings;

import io.github.batchsqs.internal.codec.Envelope;
import io.github.batchsqs.listener.ListenerOptions.AcknowledgeMode;
import io.github.batchsqs.listener.ListenerOptions.FifoGrouping;
import io.github.batchsqs.listener.ListenerOptions.FifoRetry;
import io.github.batchsqs.listener.ListenerOptions.QueueNotFound;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.convert.DurationUnit;

/**
 * Settings of one listener, or defaults of all listeners. A component that is {@code null} is not set here.
 *
 * @param batchSize Maximum number of messages per invocation, 1 to 10,000. A batch of more than 10 needs several
 *     receives.
 * @param batchLinger How long the first message of a batch waits for further messages, 0s to 12h.
 * @param concurrency Maximum number of concurrent invocations, at least 1, or auto. With auto, the number starts at 16
 *     and follows the latency of the handler, up to 200. auto:50 follows it up to 50.
 * @param pollers Number of concurrent receives.
 * @param waitTime Long-poll time of each receive, 0s to 20s in whole seconds.
 * @param prefetch Maximum number of messages in flight beyond concurrency x batch-size: 0 to 10 x pollers.max, or auto.
 *     With auto, the number follows the measured rate, up to 20 x pollers.max.
 * @param visibility Visibility timeouts of received messages.
 * @param acknowledge Deletes of processed messages.
 * @param failure Handling of failed messages.
 * @param payload Conversion of payloads.
 * @param rateLimit Maximum number of messages received per second, per instance. 0 disables the limit.
 * @param fifo FIFO queues.
 * @param inbox Skipping of messages that have been processed before.
 * @param executor Threads that run the handler: virtual, platform (a pool of as many platform threads as
 *     concurrency), or the name of an Executor bean.
 * @param client Name of the client that reads the queue: default, or a client of batchsqs.clients.
 * @param queueNotFound Behavior at start if the queue does not exist: fail, create (with the default attributes of
 *     SQS), or wait (until the queue exists).
 * @param autoStartup Whether the listener starts with the application.
 * @param shutdownTimeout Maximum duration of a stop, including running handlers and deletes, above 0s and up to 12h. Set it
 *     below the grace period of the platform (30s on Kubernetes).
 */
public record ListenerSettings(
        @Nullable Integer batchSize,
        @Nullable Duration batchLinger,
        @Nullable String concurrency,
        @DefaultValue Pollers pollers,
        @DurationUnit(ChronoUnit.SECONDS) @Nullable Duration waitTime,
        @Nullable String prefetch,
        @DefaultValue Visibility visibility,
        @DefaultValue Acknowledge acknowledge,
        @DefaultValue Failure failure,
        @DefaultValue Payload payload,
        @Nullable Double rateLimit,
        @DefaultValue Fifo fifo,
        @DefaultValue Inbox inbox,
        @Nullable String executor,
        @Nullable String client,
        @Nullable QueueNotFound queueNotFound,
        @Nullable Boolean autoStartup,
        @DurationUnit(ChronoUnit.SECONDS) @Nullable Duration shutdownTimeout) {

    /**
     * Number of concurrent receives.
     *
     * @param min Number of concurrent receives when the queue is empty, at least 1.
     * @param max Maximum number of concurrent receives, 1 to 1,000. The same value as pollers.min fixes the number.
     * @param minInterval Minimum delay after a receive that returned fewer messages than it requested, 0s to 1m, so
     *     that messages accumulate at low traffic. 0s disables it.
     */
    public record Pollers(
            @Nullable Integer min,
            @Nullable Integer max,
            @Nullable Duration minInterval) {}

    /**
     * Visibility timeouts of received messages.
     *
     * @param timeout Visibility timeout of each receive, 1s to 12h. Default: the visibility timeout of the queue.
     * @param maxExtension Maximum time after the receive for which the listener extends the visibility timeout of a
     *     message until it is processed, 0s to 12h. 0s disables the extension.
     */
    public record Visibility(
            @DurationUnit(ChronoUnit.SECONDS) @Nullable Duration timeout,
            @DurationUnit(ChronoUnit.SECONDS) @Nullable Duration maxExtension) {}

    /**
     * Deletes of processed messages.
     *
     * @param mode When messages are deleted: on-success (the handler succeeded), manual (the handler calls
     *     Acknowledgement), or always (the handler returned or threw).
     * @param linger How long a delete waits for further deletes to share a call of ten, 0s to 10s.
     */
    public record Acknowledge(
            @Nullable AcknowledgeMode mode, @Nullable Duration linger) {}

    /**
     * Handling of failed messages.
     *
     * @param backoff Delay before the next attempt, by number of attempts.
     * @param retryIndividually Whether the messages of a failed batch run again at once, one by one, if the handler
     *     did not report which message failed. Requires acknowledge.mode: on-success.
     * @param nonRetryable Class names of exceptions that move a message to the dead-letter queue without a retry. A
     *     cause of the thrown exception matches, too.
     * @param deadLetter Destination of messages without a retry: redrive-policy (the dead-letter queue of the queue),
     *     none, or a queue.
     */
    public record Failure(
            @DefaultValue Backoff backoff,
            @Nullable Boolean retryIndividually,
            @Nullable List<String> nonRetryable,
            @Nullable String deadLetter) {}

    /**
     * Delay before the next attempt of a failed message.
     *
     * @param initial Maximum delay after the first failure, above 0s. It doubles with each failure; the delay is random below it.
     * @param max Upper limit of the maximum delay, up to 12h.
     */
    public record Backoff(
            @DurationUnit(ChronoUnit.SECONDS) @Nullable Duration initial,
            @DurationUnit(ChronoUnit.SECONDS) @Nullable Duration max) {}

    /**
     * Conversion of payloads.
     *
     * @param envelope Format around the payload: none, sns (an SNS notification, or the payload itself with raw
     *     message delivery), or event-bridge (the payload is the detail of the event).
     * @param typeHeader Name of the message attribute whose value selects a class from payload.types. With sns also
     *     an attribute of the notification; with event-bridge a field of the event, such as detail-type.
     * @param types Full names of payload classes by value of the attribute payload.type-header. No other class can be
     *     selected.
     */
    public record Payload(
            @Nullable Envelope envelope,
            @Nullable String typeHeader,
            @Nullable Map<String, String> types) {}

    /**
     * FIFO queues.
     *
     * @param batchGrouping Message groups of a batch: group (one message group), or mixed (several message groups,
     *     each in order).
     * @param retry Where a failed message and the following ones of its group wait for the next attempt: in-process
     *     (their receive counts do not rise), or queue. in-process requires a redrive policy.
     */
    public record Fifo(
            @Nullable FifoGrouping batchGrouping, @Nullable FifoRetry retry) {}

    /**
     * Skipping of messages that have been processed before, with a table of the application's database.
     *
     * @param enabled Whether the handler runs in a database transaction that also records the ids of the messages, and messages
     *     whose id is recorded do not run. Requires the module batchsqs-spring-boot-jdbc and acknowledge.mode: on-success.
     * @param key Spring expression that returns the business key of a message, for example payload.orderId, which also
     *     stops duplicates that the sender made. Variables: payload, messageId, groupId, queue and attributes. Default:
     *     the message id.
     */
    public record Inbox(@Nullable Boolean enabled, @Nullable String key) {}
}
