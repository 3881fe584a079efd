/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.signature;

import io.github.batchsqs.BatchListener;
import io.github.batchsqs.SnsNotification;
import io.github.batchsqs.autoconfigure.internal.diagnostics.SetupException;
import io.github.batchsqs.codec.ConversionException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ResolvableType;

/**
 * The handler methods of a class, each of which takes one payload type. A payload goes to the method of its class, or else of
 * the nearest supertype of its class. Safe for use by any thread.
 */
public final class TypedHandlers implements Handler {

    private final Class<?> beanClass;
    private final List<Signature> signatures;
    private final @Nullable Signature defaultHandler;
    private final Map<Class<?>, Choice> choices = new ConcurrentHashMap<>();

    private TypedHandlers(Class<?> beanClass, List<Signature> signatures, @Nullable Signature defaultHandler) {
        this.beanClass = beanClass;
        this.signatures = List.copyOf(signatures);
        this.defaultHandler = defaultHandler;
    }

    /**
     * Analyses the methods.
     *
     * @param methods the methods as they are declared
     * @param defaultMethod the one among them that is the default, or {@code null}
     * @param beanType the type of the bean behind any proxy, with its type arguments; resolves type variables
     * @throws SetupException if a signature is not one of those allowed, or if two methods take the same payload type
     */
    public static TypedHandlers of(List<Method> methods, @Nullable Method defaultMethod, ResolvableType beanType) {
        Class<?> beanClass = beanType.toClass();
        Map<Class<?>, Method> methodsByType = new HashMap<>();
        List<Signature> signatures = new ArrayList<>();
        Signature defaultHandler = null;
        for (Method method : methods) {
            Signature signature = Signature.of(method, beanType);
            if (!signature.takesPayloads()) {
                throw new SetupException(
                        "The method " + beanClass.getName() + "." + method.getName()
                                + " cannot be a @BatchSqsHandler: it takes messages of the SDK, which have no payload type.",
                        "Take the payload, too, or annotate a method of a class without other handlers with"
                                + " @BatchSqsListener.");
            }
            Method other = methodsByType.putIfAbsent(signature.payloadClass(), method);
            if (other != null) {
                throw new SetupException(
                        "Two methods of " + beanClass.getName() + " with @BatchSqsHandler take "
                                + signature.payloadClass().getName() + ": " + names(other, method) + ".",
                        "Leave one method for each payload type.");
            }
            signatures.add(signature);
            defaultHandler = method.equals(defaultMethod) ? signature : defaultHandler;
        }
        return new TypedHandlers(beanClass, signatures, defaultHandler);
    }

    /** Returns the names of two methods, in an order that does not depend on the JVM. */
    private static String names(Method one, Method other) {
        return Stream.of(one, other)
                .map(method -> method.getName() + "("
                        + Stream.of(method.getParameterTypes())
                                .map(Class::getSimpleName)
                                .collect(Collectors.joining(", "))
                        + ")")
                .sorted()
                .collect(Collectors.joining(" and "));
    }

    @Override
    public List<Signature> signatures() {
        return signatures;
    }

    /** Returns the default method, or {@code null} if there is none. */
    public @Nullable Signature defaultHandler() {
        return defaultHandler;
    }

    /** Returns whether the payloads are messages of SNS notifications for any of the methods. */
    @Override
    public boolean sns() {
        return signatures.stream().anyMatch(Signature::sns);
    }

    /** Returns the method for payloads of this class, or {@code null} if there is none. */
    public @Nullable Signature find(Class<?> type) {
        return choice(type).handler();
    }

    /**
     * Returns the method for a payload.
     *
     * @throws ConversionException if there is none
     */
    public Signature require(Object payload) {
        Choice choice = choice(payload.getClass());
        if (choice.handler() == null) {
            String type = payload.getClass().getTypeName();
            throw new ConversionException(type, "The payload is a " + type + ", and " + choice.problem(), null);
        }
        return choice.handler();
    }

    /** Returns the class and the payload types of its methods, for errors. */
    public String describe() {
        return beanClass.getName() + " has @BatchSqsHandler methods for " + types(signatures);
    }

    private Choice choice(Class<?> type) {
        Choice known = choices.get(type);
        return known != null ? known : choices.computeIfAbsent(type, this::choose);
    }

    private Choice choose(Class<?> type) {
        List<Signature> candidates = signatures.stream()
                .filter(each -> each.payloadClass().isAssignableFrom(type))
                .toList();
        List<Signature> nearest = candidates.stream()
                .filter(each -> candidates.stream().noneMatch(other -> isNearer(other, each)))
                .toList();
        if (nearest.size() == 1) {
            return new Choice(nearest.getFirst(), "");
        }
        if (nearest.isEmpty()) {
            return new Choice(
                    null,
                    describe()
                            + " alone; add a method for it, or one with @BatchSqsHandler(isDefault = true) that takes"
                            + " a supertype");
        }
        return defaultHandler != null && nearest.contains(defaultHandler)
                ? new Choice(defaultHandler, "")
                : new Choice(
                        null,
                        "several @BatchSqsHandler methods of " + beanClass.getName() + " take it, those for "
                                + types(nearest) + "; add a method for the type itself");
    }

    private static boolean isNearer(Signature one, Signature other) {
        return one != other && other.payloadClass().isAssignableFrom(one.payloadClass());
    }

    private static String types(List<Signature> signatures) {
        return signatures.stream()
                .map(each -> each.payloadClass().getTypeName())
                .sorted()
                .collect(Collectors.joining(", "));
    }

    @Override
    public BatchListener<Object> listener(Object bean, SpringArguments spring) {
        Map<Signature, BatchListener<Object>> listeners = new HashMap<>();
        signatures.forEach(each -> listeners.put(each, each.listener(bean, spring)));
        return new TypedListener(this, listeners);
    }

    /** Returns the published payload. */
    static Object published(Object payload) {
        return payload instanceof SnsNotification<?> notification ? notification.payload() : payload;
    }

    /**
     * The method for a class.
     *
     * @param handler the method, or {@code null} if there is none
     * @param problem why there is none, as the end of a sentence
     */
    private record Choice(@Nullable Signature handler, String problem) {}
}
