/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.signature;

import io.github.batchsqs.BatchListener;
import io.github.batchsqs.BatchOutcome;
import io.github.batchsqs.MessageBatch;
import io.github.batchsqs.SnsNotification;
import io.github.batchsqs.autoconfigure.internal.diagnostics.SetupException;
import io.github.batchsqs.codec.ConversionException;
import io.github.batchsqs.internal.receive.invoke.PartitionedListener;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ResolvableType;

/**
 * What handles the messages of an annotated listener: one method, or the methods of a class, each of which takes one payload type.
 * There a payload goes to the method of its class, or else of the nearest supertype of its class. Safe for use by any thread.
 */
public final class Handlers {

    private final Class<?> beanClass;
    private final List<Signature> signatures;
    private final boolean byType;
    private final @Nullable Signature defaultHandler;
    private final Map<Class<?>, List<Signature>> nearestByType = new ConcurrentHashMap<>();

    private Handlers(
            Class<?> beanClass, List<Signature> signatures, boolean byType, @Nullable Signature defaultHandler) {
        this.beanClass = beanClass;
        this.signatures = List.copyOf(signatures);
        this.byType = byType;
        this.defaultHandler = defaultHandler;
    }

    /**
     * Analyses the one method of a listener.
     *
     * @param method the method as it is declared
     * @param beanType the type of the bean behind any proxy, with its type arguments; resolves type variables
     * @throws SetupException if the signature is not one of those allowed
     */
    public static Handlers of(Method method, ResolvableType beanType) {
        return new Handlers(beanType.toClass(), List.of(Signature.of(method, beanType)), false, null);
    }

    /**
     * Analyses the methods of a class, each of which takes one payload type.
     *
     * @param methods the methods as they are declared
     * @param defaultMethod the one among them that is the default, or {@code null}
     * @param beanType the type of the bean behind any proxy, with its type arguments; resolves type variables
     * @throws SetupException if a signature is not one of those allowed, or if two methods take the same payload type
     */
    public static Handlers byType(List<Method> methods, @Nullable Method defaultMethod, ResolvableType beanType) {
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
                        "Take the payload, too, or annotate the method with @BatchSqsListener.");
            }
            Method other = methodsByType.putIfAbsent(signature.payloadClass(), method);
            if (other != null) {
                throw new SetupException(
                        "Two methods of " + beanClass.getName() + " with @BatchSqsHandler take "
                                + signature.payloadClass().getName() + ": " + other + " and " + method + ".",
                        "Leave one method for each payload type.");
            }
            signatures.add(signature);
            defaultHandler = method.equals(defaultMethod) ? signature : defaultHandler;
        }
        return new Handlers(beanClass, signatures, true, defaultHandler);
    }

    /** Returns the signatures of the methods, at least one. */
    public List<Signature> signatures() {
        return signatures;
    }

    /** Returns whether the methods take one payload type each. */
    public boolean byType() {
        return byType;
    }

    /** Returns the default method, or {@code null} if there is none. */
    public @Nullable Signature defaultHandler() {
        return defaultHandler;
    }

    /** Returns whether the payloads are messages of SNS notifications for any of the methods, regardless of the settings. */
    public boolean sns() {
        return signatures.stream().anyMatch(Signature::sns);
    }

    /** Returns the method for payloads of this class, or {@code null} if there is none. */
    public @Nullable Signature find(Class<?> type) {
        List<Signature> nearest = nearest(type);
        if (nearest.size() == 1) {
            return nearest.getFirst();
        }
        return defaultHandler != null && nearest.contains(defaultHandler) ? defaultHandler : null;
    }

    /**
     * Returns the method for a payload.
     *
     * @throws ConversionException if there is none
     */
    public Signature require(Object payload) {
        Signature found = find(payload.getClass());
        if (found == null) {
            String type = payload.getClass().getTypeName();
            List<Signature> nearest = nearest(payload.getClass());
            throw new ConversionException(
                    "The payload is a " + type + ", and "
                            + (nearest.isEmpty()
                                    ? describe()
                                            + " alone; add a method for it, or one with @BatchSqsHandler(isDefault = true)"
                                            + " that takes a supertype"
                                    : "several @BatchSqsHandler methods of " + beanClass.getName()
                                            + " take it, those for " + types(nearest)
                                            + "; add a method for the type itself"),
                    null);
        }
        return found;
    }

    /** Returns the name of the class. */
    public String name() {
        return beanClass.getName();
    }

    /** Returns the class and the payload types of its methods, for errors. */
    public String describe() {
        return name() + " has @BatchSqsHandler methods for " + types(signatures);
    }

    /** Returns the methods that take this class and whose type has no subtype among them. */
    private List<Signature> nearest(Class<?> type) {
        List<Signature> known = nearestByType.get(type);
        return known != null ? known : nearestByType.computeIfAbsent(type, this::chooseNearest);
    }

    private List<Signature> chooseNearest(Class<?> type) {
        List<Signature> candidates = signatures.stream()
                .filter(each -> each.payloadClass().isAssignableFrom(type))
                .toList();
        return candidates.stream()
                .filter(each -> candidates.stream()
                        .noneMatch(
                                other -> other != each && each.payloadClass().isAssignableFrom(other.payloadClass())))
                .toList();
    }

    private static String types(List<Signature> signatures) {
        return signatures.stream()
                .map(each -> each.payloadClass().getTypeName())
                .sorted()
                .collect(Collectors.joining(", "));
    }

    /**
     * Returns a listener that calls the methods on this bean.
     *
     * @param bean the bean, a proxy or not
     * @param spring resolves the arguments of Spring Messaging
     * @throws SetupException if the bean's proxy does not have a method
     */
    public BatchListener<Object> listener(Object bean, SpringArguments spring) {
        if (!byType) {
            return signatures.getFirst().listener(bean, spring);
        }
        Map<Signature, BatchListener<Object>> listeners = new HashMap<>();
        signatures.forEach(each -> listeners.put(each, each.listener(bean, spring)));
        return new ByType(listeners);
    }

    private Signature handler(Object payload) {
        return require(payload instanceof SnsNotification<?> notification ? notification.payload() : payload);
    }

    /** Calls the method for the payloads of a batch, which are all of its type. */
    private final class ByType implements PartitionedListener<Object> {

        private final Map<Signature, BatchListener<Object>> listeners;

        ByType(Map<Signature, BatchListener<Object>> listeners) {
            this.listeners = listeners;
        }

        /** Returns the method, or {@code null} if it takes one message at a time. */
        @Override
        public @Nullable Object kind(Object payload) {
            Signature handler = handler(payload);
            return handler.single() ? null : handler;
        }

        @Override
        public BatchOutcome onBatch(MessageBatch<Object> batch) throws Exception {
            Signature handler = handler(batch.messages().getFirst().payload());
            return Objects.requireNonNull(listeners.get(handler)).onBatch(batch);
        }
    }
}
