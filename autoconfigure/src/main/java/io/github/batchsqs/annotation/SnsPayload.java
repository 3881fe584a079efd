/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The payload was published to a topic of Amazon SNS: it is taken out of the notification, or, where the subscription has
 * raw message delivery, out of the body.
 *
 * <pre>{@code
 * @BatchSqsListener(queue = "orders")
 * void handle(@SnsPayload List<Order> orders) { … }
 * }</pre>
 *
 * <p>For the parameter that takes the messages, whatever its shape. The same as {@code payload.envelope: sns}. A handler
 * that wants subject and attributes too asks for {@link io.github.batchsqs.SnsNotification} instead, which needs no
 * annotation.
 */
@Documented
@Target(ElementType.PARAMETER)
@Retention(RetentionPolicy.RUNTIME)
public @interface SnsPayload {}
