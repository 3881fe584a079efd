/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Contains the {@link BatchSqsListener} annotations of a method or class that has several. Each of them makes listeners of its own.
 *
 * <p>The compiler adds this annotation to a method or class with repeated annotations. In Kotlin, and as a meta-annotation, it may
 * be written as well.
 */
@Documented
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
public @interface BatchSqsListeners {

    /** {@return the annotations} */
    BatchSqsListener[] value();
}
