/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.signature;

import io.github.batchsqs.annotation.SnsPayload;
import io.github.batchsqs.annotation.SnsSubject;
import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedParameterizedType;
import java.lang.reflect.AnnotatedType;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodParameter;
import org.springframework.messaging.handler.annotation.Payload;
import org.springframework.validation.annotation.ValidationAnnotationUtils;

/**
 * Reads the annotations of a parameter. It knows those of Spring Cloud AWS by name, because the SQS module of Spring
 * Cloud AWS is optional.
 */
final class Annotations {

    private static final String AWSPRING = "io.awspring.cloud.sqs.annotation.";

    private Annotations() {}

    /** Returns whether the payload is the message of an SNS notification. */
    static boolean isSnsPayload(MethodParameter parameter) {
        return parameter.hasParameterAnnotation(SnsPayload.class)
                || has(parameter, AWSPRING + "SnsNotificationMessage");
    }

    /** Returns whether the parameter is the subject of an SNS notification. */
    static boolean isSnsSubject(MethodParameter parameter) {
        return parameter.hasParameterAnnotation(SnsSubject.class)
                || has(parameter, AWSPRING + "SnsNotificationSubject");
    }

    /**
     * Returns the validation groups of the payloads: none for the default group, {@code null} if payloads are not
     * validated.
     */
    static Object @Nullable [] validationHints(MethodParameter parameter) {
        return Stream.concat(Stream.of(parameter.getParameterAnnotations()), ofElements(parameter))
                .map(ValidationAnnotationUtils::determineValidationHints)
                .filter(hints -> hints != null)
                .findFirst()
                .orElse(null);
    }

    /** Returns the annotations of the type arguments, where {@code List<@Valid Order>} has them. */
    private static Stream<Annotation> ofElements(MethodParameter parameter) {
        return ofElements(parameter.getExecutable().getAnnotatedParameterTypes()[parameter.getParameterIndex()]);
    }

    private static Stream<Annotation> ofElements(AnnotatedType type) {
        return type instanceof AnnotatedParameterizedType parameterized
                ? Stream.of(parameterized.getAnnotatedActualTypeArguments())
                        .flatMap(argument -> Stream.concat(Stream.of(argument.getAnnotations()), ofElements(argument)))
                : Stream.empty();
    }

    /** Refuses an annotation on the payload parameter that would be ignored. */
    static void requireKnown(MethodParameter parameter) {
        for (Annotation annotation : parameter.getParameterAnnotations()) {
            String name = annotation.annotationType().getName();
            if (annotation instanceof Payload payload) {
                if (!payload.expression().isEmpty()) {
                    throw new UnsupportedParameterException(
                            "is annotated with @Payload and an expression, which is not supported: take the payload,"
                                    + " and get out of it in the method what you need");
                }
            } else if (name.startsWith("org.springframework.messaging.")
                    || (name.startsWith(AWSPRING) && !isSnsPayload(parameter))) {
                throw new UnsupportedParameterException("is annotated with @"
                        + annotation.annotationType().getSimpleName() + ", which is not supported here");
            }
        }
    }

    private static boolean has(MethodParameter parameter, String annotation) {
        return Stream.of(parameter.getParameterAnnotations())
                .anyMatch(each -> each.annotationType().getName().equals(annotation));
    }
}
