/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.signature;

import io.github.batchsqs.MessageBatch;
import io.github.batchsqs.SnsNotification;
import java.lang.reflect.Type;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.stream.BaseStream;
import org.springframework.core.ResolvableType;

/** Distinguishes payload types from types that only resemble one. */
final class Payloads {

    /** Types of Spring Cloud AWS for which there is one of the same name here. */
    private static final Set<String> REPLACED = Set.of("Acknowledgement", "Visibility", "SnsNotification");

    private Payloads() {}

    /**
     * Returns the type to which bodies are converted: type variables are resolved, and a wildcard is replaced by its
     * bound.
     *
     * @throws UnsupportedParameterException if the type does not determine the payload type, or has another meaning
     */
    static Type typeOf(ResolvableType type) {
        Class<?> raw = type.resolve();
        if (raw == null || raw == Object.class) {
            throw new UnsupportedParameterException("does not say which type the payload has");
        }
        if (raw == Void.class || raw == Optional.class || CompletionStage.class.isAssignableFrom(raw)) {
            throw new UnsupportedParameterException("is no payload type");
        }
        if (raw == SnsNotification.class) {
            return ResolvableType.forClassWithGenerics(raw, ResolvableType.forType(typeOf(type.getGeneric(0))))
                    .getType();
        }
        if (raw.getName().startsWith("io.awspring.")) {
            throw new UnsupportedParameterException("is of Spring Cloud AWS: take "
                    + (REPLACED.contains(raw.getSimpleName())
                            ? "io.github.batchsqs." + raw.getSimpleName()
                            : "SqsMessage or MessageBatch"));
        }
        if (raw.getName().startsWith("org.springframework.messaging.")
                || raw.getName().startsWith("software.amazon.awssdk.")
                || raw.getPackageName().equals(MessageBatch.class.getPackageName())) {
            throw new UnsupportedParameterException("is not supported here");
        }
        return concrete(type, raw);
    }

    /** Refuses a collection as the payload of one message, because a reader of the method would take it for a batch. */
    static void requireNoCollection(ResolvableType type) {
        Class<?> raw = type.toClass();
        boolean objects = raw.isArray() && !raw.componentType().isPrimitive();
        if (objects
                || raw == Iterable.class
                || Collection.class.isAssignableFrom(raw)
                || BaseStream.class.isAssignableFrom(raw)
                || SuspendFunctions.isOfCoroutines(raw)) {
            throw new UnsupportedParameterException("is ambiguous: take List<T> for a batch");
        }
    }

    private static Type concrete(ResolvableType type, Class<?> raw) {
        if (raw.getTypeParameters().length == 0) {
            return raw;
        }
        ResolvableType[] generics = type.getGenerics();
        if (generics.length == 0) {
            if (Map.class.isAssignableFrom(raw)) {
                return raw; // as open as JSON itself
            }
            throw new UnsupportedParameterException("is a generic type without its type arguments");
        }
        var arguments = new ResolvableType[generics.length];
        for (int i = 0; i < generics.length; i++) {
            Class<?> argument = generics[i].resolve(Object.class);
            arguments[i] = argument == Object.class
                    ? ResolvableType.forClass(Object.class)
                    : ResolvableType.forType(concrete(generics[i], argument));
        }
        return ResolvableType.forClassWithGenerics(raw, arguments).getType();
    }
}
