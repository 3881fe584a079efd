/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.core.annotation.AliasFor;

/**
 * Makes a method of a singleton bean the handler of one or several queues, or a class whose {@link BatchSqsHandler} methods take
 * one payload type each.
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
 * {@link SnsPayload}, and with {@code @Valid} or {@code @Validated}, which validates each payload.
 *
 * <p>In addition, the method may take an {@code Acknowledgement}, a {@code Visibility} and the SDK's own messages
 * ({@code List<Message>} or {@code Message}). A method that takes one message may also take {@code @Header}, {@code @Headers},
 * {@code MessageHeaders} and {@link SnsSubject}. The SDK's messages may be the only parameter.
 *
 * <p>The method returns {@code void}, {@code BatchOutcome}, or a {@code CompletionStage} of either, for which the invocation
 * waits; a suspend function of Kotlin returns {@code Unit} or {@code BatchOutcome}. It must be neither private nor static. Its return value or exception decides about the messages as described at
 * {@link io.github.batchsqs.BatchListener}.
 *
 * <p>All attributes are text, in which <code>${…}</code> and <code>#{…}</code> are resolved. An empty attribute is not set. The
 * settings {@code batchsqs.listeners.<id>.*} override the attributes and have further keys, and the attributes override {@code batchsqs.listener.*}.
 * Beans of type {@code ListenerOptionsCustomizer} override all of them.
 *
 * <p>This annotation can be a meta-annotation, and it can be repeated: each annotation of a method makes listeners of its own,
 * with settings of their own. So does each annotation of a class. The start of the application fails if the method, or its class, is also annotated with
 * {@code @Async}, or the method with the listener annotation of another library, such as {@code @SqsListener}.
 */
@Documented
@Repeatable(BatchSqsListener.List.class)
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
public @interface BatchSqsListener {

    /**
     * {@return the queues: names, URLs or ARNs, or comma-separated lists of them} Each has a container of its own. All
     * settings of this listener, such as concurrency, apply to each container separately. Required, here or as {@link #value()}.
     */
    @AliasFor("value")
    String[] queue() default {};

    /** {@return the queues; an alias of {@link #queue()}, for an annotation without other attributes} */
    @AliasFor("queue")
    String[] value() default {};

    /**
     * Returns the id of the listener. Its settings, meters, thread names and log lines contain the id.
     *
     * <p>Without an id, each container uses the name of its queue as its id. With an id, the container of the first queue has
     * this id, and the container of each further queue has {@code <id>-<queue name>}. Settings of the id apply to all of these
     * containers. Settings of the longer id apply to that one container. In a queue's name, every character except letters,
     * digits, {@code -} and {@code _} becomes {@code -}, so the id of the listener of {@code orders.fifo} is {@code
     * orders-fifo}. Settings match an id by its letters and digits alone: those of {@code my.orders} are under {@code
     * batchsqs.listeners.my-orders}.
     *
     * @return the id; without one, the queue's name is the id
     */
    String id() default "";

    /** {@return the name of the client that reads the queues: {@code default}, or one of {@code batchsqs.clients} ({@code client})} */
    String client() default "";

    /** {@return the maximum number of messages per invocation, 1 to 10,000 ({@code batch-size})} */
    String batchSize() default "";

    /**
     * {@return how long the first message of a batch waits for further messages, for example {@code 200ms}
     * ({@code batch-linger})}
     */
    String batchLinger() default "";

    /**
     * {@return the maximum number of concurrent invocations, {@code auto}, or {@code auto:50} with a maximum
     * ({@code concurrency})}
     */
    String concurrency() default "";

    /** {@return the visibility timeout of each receive ({@code visibility.timeout})} */
    String visibilityTimeout() default "";

    /**
     * {@return {@code on-success}, {@code manual} or {@code always} ({@code acknowledge.mode})} With {@code manual} the method
     * must take an {@code Acknowledgement} or a {@code MessageBatch}.
     */
    String acknowledgeMode() default "";

    /** {@return {@code redrive-policy}, {@code none} or a queue ({@code failure.dead-letter})} */
    String deadLetter() default "";

    /** {@return {@code none}, {@code sns} or {@code event-bridge} ({@code payload.envelope})} */
    String envelope() default "";

    /** {@return {@code group} or {@code mixed} ({@code fifo.batch-grouping})} */
    String fifoBatchGrouping() default "";

    /**
     * {@return whether the inbox of the module {@code batchsqs-spring-boot-jdbc} skips messages that have been processed before
     * ({@code inbox.enabled})}
     */
    String inbox() default "";

    /** {@return the expression of the business key of a message, for example {@code payload.orderId} ({@code inbox.key})} */
    String inboxKey() default "";

    /** {@return {@code virtual}, {@code platform} or the name of an Executor bean ({@code executor})} */
    String executor() default "";

    /** {@return whether the listener starts with the application ({@code auto-startup})} */
    String autoStartup() default "";

    /**
     * Contains the annotations of a method or class that has several. The compiler adds it to a method or class with repeated
     * annotations. In Kotlin, and as a meta-annotation, it may be written as well.
     */
    @Documented
    @Target({ElementType.TYPE, ElementType.METHOD})
    @Retention(RetentionPolicy.RUNTIME)
    @interface List {

        /** {@return the annotations} */
        BatchSqsListener[] value();
    }
}
