/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.core.annotation.AliasFor;

/**
 * Makes a method of a singleton bean the handler of one or several queues.
 *
 * <pre>{@code
 * @BatchSqsListener(queue = "orders", batchSize = "100", batchLinger = "200ms")
 * BatchOutcome handle(List<SqsMessage<Order>> orders) { … }
 * }</pre>
 *
 * <p>The method takes a batch ({@code List<T>}, {@code List<SqsMessage<T>>}, {@code MessageBatch<T>}, or with Spring's
 * message {@code List<Message<T>>}) or one message ({@code T}, {@code SqsMessage<T>}, {@code Message<T>}). {@code T} is any
 * type that Jackson reads, generic ones included, or {@code String}, {@code byte[]}, or
 * {@link io.github.batchsqs.SnsNotification} of one of them. That parameter may be annotated with {@code @Payload}, with
 * {@link SnsPayload}, and with {@code @Valid} or {@code @Validated}, which tests each payload.
 *
 * <p>Beside it the method may take an {@code Acknowledgement} and the SDK's own messages ({@code List<Message>} or
 * {@code Message}); if it takes one message, {@code @Header}, {@code @Headers}, {@code MessageHeaders} and
 * {@link SnsSubject} too. The SDK's messages may stand alone.
 *
 * <p>The method returns {@code void}, {@code BatchOutcome}, or a {@code CompletionStage} of either, for which the invocation
 * waits. It must be neither private nor static. What it throws and returns decides about the messages as described at
 * {@link io.github.batchsqs.BatchListener}.
 *
 * <p>All attributes are text, in which <code>${…}</code> and <code>#{…}</code> are resolved; an empty one is not set. A
 * setting is taken from {@code batchsqs.listeners.<id>.*} if it is there, else from here, else from
 * {@code batchsqs.listener.*}, else from the defaults. Beans of type {@code ListenerOptionsCustomizer} come last.
 *
 * <p>Usable as a meta-annotation.
 */
@Documented
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
public @interface BatchSqsListener {

    /** The queue, same as {@link #queues()}. */
    @AliasFor("queues")
    String[] queue() default {};

    /**
     * The queues: names, URLs or ARNs, or comma-separated lists of them. Each has a container of its own, with the
     * concurrency, the pollers and all other settings of this listener for itself.
     */
    @AliasFor("queue")
    String[] queues() default {};

    /**
     * The id, under which the listener has its settings and appears in meters, thread names and logs.
     *
     * <p>Without one, each container takes its queue's name. With one, the container of the first queue has this id, and
     * that of each further queue has {@code <id>-<queue name>}; settings of the id apply to all of them, those of the longer
     * id to that one container. In a queue's name, all but letters, digits, {@code -} and {@code _} become {@code -}, so the
     * listener of {@code orders.fifo} is {@code orders-fifo}.
     */
    String id() default "";

    /** {@code batch-size}: the most messages of an invocation, 1 to 10,000. */
    String batchSize() default "";

    /** {@code batch-linger}: how long the first message of a batch waits for others, for example {@code 200ms}. */
    String batchLinger() default "";

    /** {@code concurrency}: the most invocations at once. */
    String concurrency() default "";

    /** {@code pollers.min}: receives at once when idle. */
    String pollersMin() default "";

    /** {@code pollers.max}: receives at once under load. */
    String pollersMax() default "";

    /** {@code wait-time}: the long poll, 0 to 20 s. */
    String waitTime() default "";

    /** {@code prefetch}: messages held ready beyond those running, or {@code auto}. */
    String prefetch() default "";

    /** {@code visibility.timeout}: the visibility timeout of each receive. */
    String visibilityTimeout() default "";

    /** {@code acknowledge.mode}: {@code on-success}, {@code manual} or {@code always}. */
    String acknowledgeMode() default "";

    /** {@code failure.isolate}: whether a failed batch is run once more one by one. */
    String failureIsolate() default "";

    /** {@code failure.dead-letter}: {@code redrive-policy}, {@code none} or a queue. */
    String deadLetter() default "";

    /** {@code payload.envelope}: {@code none}, {@code sns} or {@code event-bridge}. */
    String envelope() default "";

    /** {@code rate-limit}: the most messages per second. */
    String rateLimit() default "";

    /** {@code fifo.batch-grouping}: {@code group} or {@code mixed}. */
    String fifoBatchGrouping() default "";

    /** {@code executor}: {@code virtual}, {@code platform} or the name of an Executor bean. */
    String executor() default "";

    /** {@code queue-not-found}: {@code fail}, {@code create} or {@code wait}. */
    String queueNotFound() default "";

    /** {@code auto-startup}: whether the listener starts with the application. */
    String autoStartup() default "";

    /** {@code phase}: the lifecycle phase. */
    String phase() default "";

    /** {@code shutdown-timeout}: how long a stop may take in all. */
    String shutdownTimeout() default "";
}
