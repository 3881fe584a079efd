/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.listener;

import io.github.batchsqs.annotation.BatchSqsHandler;
import io.github.batchsqs.annotation.BatchSqsListener;
import io.github.batchsqs.autoconfigure.internal.diagnostics.SetupException;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.MethodIntrospector.MetadataLookup;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationConfigurationException;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.stereotype.Component;
import org.springframework.util.ClassUtils;

/** Finds the annotations of the classes of all beans and of their methods, without creating a bean. */
record ListenerMethods(ConfigurableListableBeanFactory beans) {

    private static final String ASYNC = "org.springframework.scheduling.annotation.Async";

    /** Would receive from the queue as well. */
    private static final String SQS_LISTENER = "io.awspring.cloud.sqs.annotation.SqsListener";

    /**
     * Returns all annotated methods and classes, in the order of the bean definitions. One with several annotations occurs once
     * for each.
     *
     * @throws SetupException if annotations of a class or of its methods do not fit together, or conflict with a listener
     */
    List<AnnotatedListener> find() {
        return Stream.of(beans.getBeanNamesForType(Object.class, true, false))
                .filter(name -> !ScopedProxyUtils.isScopedTarget(name))
                .flatMap(this::listenersOf)
                .toList();
    }

    private Stream<AnnotatedListener> listenersOf(String beanName) {
        Class<?> type = AutoProxyUtils.determineTargetClass(beans, beanName);
        if (type == null || isOfSpring(type) || !AnnotationUtils.isCandidateClass(type, BatchSqsListener.class)) {
            return Stream.empty();
        }
        MetadataLookup<MethodAnnotations> lookup = MethodAnnotations::of;
        Map<Method, MethodAnnotations> methods = MethodIntrospector.selectMethods(type, lookup);
        Class<?> userClass = ClassUtils.getUserClass(type);
        List<BatchSqsListener> ofClass = annotations(MergedAnnotations.from(userClass, SearchStrategy.TYPE_HIERARCHY));
        if (methods.isEmpty() && ofClass.isEmpty()) {
            return Stream.empty();
        }
        ResolvableType beanType = typeOf(beanName, userClass);
        List<AnnotatedListener> found = new ArrayList<>();
        List<Method> handlers = new ArrayList<>();
        List<Method> defaults = new ArrayList<>();
        methods.forEach((method, annotations) -> {
            for (BatchSqsListener each : annotations.listeners()) {
                found.add(new AnnotatedListener(beanName, beanType, each, false, List.of(method), null));
            }
            if (annotations.handler() != null) {
                handlers.add(method);
                if (annotations.handler().isDefault()) {
                    defaults.add(method);
                }
            }
        });
        refuse(beanType.toClass(), !ofClass.isEmpty(), handlers, defaults);
        Method defaultMethod = defaults.isEmpty() ? null : defaults.getFirst();
        for (BatchSqsListener each : ofClass) {
            found.add(new AnnotatedListener(beanName, beanType, each, true, List.copyOf(handlers), defaultMethod));
        }
        found.forEach(ListenerMethods::refuseConflicts);
        return found.stream();
    }

    /** Refuses annotations of a class and of its methods that do not fit together. */
    private static void refuse(Class<?> type, boolean annotated, List<Method> handlers, List<Method> defaults) {
        if (annotated && handlers.isEmpty()) {
            throw new SetupException(
                    "The class " + type.getName()
                            + " is annotated with @BatchSqsListener, but none of its methods with @BatchSqsHandler.",
                    "Annotate a method for each payload type with @BatchSqsHandler, or annotate a method instead of the"
                            + " class with @BatchSqsListener.");
        }
        if (!annotated && !handlers.isEmpty()) {
            throw new SetupException(
                    "The method " + type.getName() + "." + handlers.getFirst().getName()
                            + " is annotated with @BatchSqsHandler, but its class is not annotated with"
                            + " @BatchSqsListener.",
                    "Annotate the class with @BatchSqsListener(queue = \"orders\"), or the method with it instead of"
                            + " @BatchSqsHandler.");
        }
        if (defaults.size() > 1) {
            throw new SetupException(
                    "The class " + type.getName() + " has more than one default method: "
                            + String.join(
                                    ", ",
                                    defaults.stream()
                                            .map(Method::getName)
                                            .sorted()
                                            .toList()) + ".",
                    "Leave @BatchSqsHandler(isDefault = true) on one of them.");
        }
    }

    /** Throws if a method of the listener has a conflicting annotation, also through another annotation, or {@code @Async} by its class. */
    private static void refuseConflicts(AnnotatedListener listener) {
        for (Method method : listener.methods()) {
            String name = listener.beanClass().getName() + "." + method.getName();
            if (isAnnotated(method, ASYNC) || isAnnotated(listener.beanClass(), ASYNC)) {
                throw new SetupException(
                        "The listener method " + name
                                + " is annotated with @Async, itself or by its class. It would return"
                                + " before its work is done: the listener would delete the messages at once, and would"
                                + " not see exceptions.",
                        "Remove @Async from the method and its class. Invocations already run concurrently. A method that"
                                + " continues on other threads can return a CompletableFuture, for which the listener waits.");
            }
            if (isAnnotated(method, SQS_LISTENER)) {
                throw new SetupException(
                        "The listener method " + name + " is annotated with @SqsListener as well.",
                        "Remove one of the annotations, or give @SqsListener a method of its own that calls this one.");
            }
        }
    }

    private static boolean isAnnotated(AnnotatedElement element, String annotation) {
        return MergedAnnotations.from(element, SearchStrategy.TYPE_HIERARCHY).isPresent(annotation);
    }

    /** Returns whether the class is one of Spring's own, which have no listeners: a component there is an application's. */
    private static boolean isOfSpring(Class<?> type) {
        return type.getName().startsWith("org.springframework.")
                && !AnnotatedElementUtils.isAnnotated(ClassUtils.getUserClass(type), Component.class);
    }

    /** Returns the type of the bean with its type arguments, if its definition has them. */
    private ResolvableType typeOf(String beanName, Class<?> userClass) {
        ResolvableType defined = beans.containsBeanDefinition(beanName)
                ? beans.getMergedBeanDefinition(beanName).getResolvableType()
                : ResolvableType.NONE;
        return defined.resolve() == userClass ? defined : ResolvableType.forClass(userClass);
    }

    /**
     * Returns the annotations of a method or class, repeated and composed ones included. Those of an overridden method, or of a
     * supertype, count only if it has none itself.
     */
    private static List<BatchSqsListener> annotations(MergedAnnotations all) {
        try {
            var found = all.stream(BatchSqsListener.class).toList();
            return found.stream()
                    .filter(each -> each.getAggregateIndex() == found.getFirst().getAggregateIndex())
                    .map(MergedAnnotation::synthesize)
                    .toList();
        } catch (AnnotationConfigurationException different) {
            throw new SetupException(
                    String.valueOf(different.getMessage()),
                    "Name the queue once: @BatchSqsListener(\"orders\"), or @BatchSqsListener(queue = \"orders\").",
                    different);
        }
    }

    /** The annotations of a method that concern listeners. */
    private record MethodAnnotations(
            List<BatchSqsListener> listeners, @Nullable BatchSqsHandler handler) {

        /** Returns the annotations, or {@code null} if there are none. */
        static @Nullable MethodAnnotations of(Method method) {
            MergedAnnotations all = MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY);
            List<BatchSqsListener> listeners = annotations(all);
            BatchSqsHandler handler = all.get(BatchSqsHandler.class)
                    .synthesize(MergedAnnotation::isPresent)
                    .orElse(null);
            return listeners.isEmpty() && handler == null ? null : new MethodAnnotations(listeners, handler);
        }
    }
}
