/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.signature;

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
 * What the annotations of a parameter say. Those of Spring Cloud AWS are known by name, since its SQS module need not be
 * there.
 */
final class Annotations {

    private static final String AWSPRING = "io.awspring.cloud.sqs.annotation.";

    private Annotations() {}

    /** Whether the payload comes out of an SNS notification. */
    static boolean isSnsPayload(MethodParameter parameter) {
        return parameter.hasParameterAnnotation(SnsPayload.class)
                || has(parameter, AWSPRING + "SnsNotificationMessage");
    }

    /** Whether it is the subject of an SNS notification. */
    static boolean isSnsSubject(MethodParameter parameter) {
        return parameter.hasParameterAnnotation(SnsSubject.class)
                || has(parameter, AWSPRING + "SnsNotificationSubject");
    }

    /** The groups to test payloads by, none for the default one; {@code null} if payloads are not to be tested. */
    static Object @Nullable [] validationHints(MethodParameter parameter) {
        return Stream.concat(Stream.of(parameter.getParameterAnnotations()), ofElements(parameter))
                .map(ValidationAnnotationUtils::determineValidationHints)
                .filter(hints -> hints != null)
                .findFirst()
                .orElse(null);
    }

    /** Those of the type arguments, which is where {@code List<@Valid Order>} has them. */
    private static Stream<Annotation> ofElements(MethodParameter parameter) {
        return ofElements(parameter.getExecutable().getAnnotatedParameterTypes()[parameter.getParameterIndex()]);
    }

    private static Stream<Annotation> ofElements(AnnotatedType type) {
        return type instanceof AnnotatedParameterizedType parameterized
                ? Stream.of(parameterized.getAnnotatedActualTypeArguments())
                        .flatMap(argument -> Stream.concat(Stream.of(argument.getAnnotations()), ofElements(argument)))
                : Stream.empty();
    }

    /** Refuses a parameter for payloads with an annotation that would be ignored. */
    static void requireKnown(MethodParameter parameter) {
        for (Annotation annotation : parameter.getParameterAnnotations()) {
            String name = annotation.annotationType().getName();
            if (annotation instanceof Payload payload) {
                if (!payload.expression().isEmpty()) {
                    throw new UnsupportedParameterException(
                            "is annotated with @Payload and an expression, which is not supported: take the payload, and"
                                    + " get out of it in the method what you need");
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
