/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The subject of an SNS notification, beside the payload of a method that takes one message; {@code null} if it has none,
 * or was delivered raw.
 *
 * <pre>{@code
 * @BatchSqsListener(queue = "orders")
 * void handle(@SnsPayload Order order, @SnsSubject @Nullable String subject) { … }
 * }</pre>
 *
 * <p>Opens the envelope a second time. A batch takes {@code List<SnsNotification<T>>}, which does not.
 */
@Documented
@Target(ElementType.PARAMETER)
@Retention(RetentionPolicy.RUNTIME)
public @interface SnsSubject {}
