/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Makes a method of a class with {@link BatchSqsListener} the handler of the messages of one payload type.
 *
 * <pre>{@code
 * @BatchSqsListener(queue = "events", batchSize = "100")
 * class OrderEvents {
 *
 *     @BatchSqsHandler
 *     void placed(List<OrderPlaced> events) { … }
 *
 *     @BatchSqsHandler
 *     void cancelled(SqsMessage<OrderCancelled> event) { … }
 *
 *     @BatchSqsHandler(isDefault = true)
 *     void other(String body) { … }
 * }
 * }</pre>
 *
 * <p>Each method has one of the signatures that {@link BatchSqsListener} describes, with a payload. A message goes to the method
 * whose payload type is its class, or else the nearest supertype of its class. The type of a payload comes from a message
 * attribute ({@code payload.type-header} and {@code payload.types}), or from Jackson, if the payload types have a common
 * supertype with {@code @JsonTypeInfo}.
 *
 * <p>A batch of several types is divided: each call of a method has messages of its type, and is a batch of its own for
 * outcome, acknowledgement, individual retries and interceptors. On a FIFO queue the calls keep the order of each message group, and after
 * a failure nothing of the group runs. On a standard queue, and between groups, messages of one type are collected. A method
 * that takes one message is called for each, one after another.
 *
 * <p>A message for whose type there is no method is treated like one with an unreadable payload.
 */
@Documented
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
public @interface BatchSqsHandler {

    /**
     * {@return whether this method takes the messages for whose type there is no other method} At most one method of a class
     * may be the default. It receives messages without the attribute {@code payload.type-header}, or with a value that
     * is not in {@code payload.types}, as its own payload type: {@code String} is the unchanged body.
     */
    boolean isDefault() default false;
}
