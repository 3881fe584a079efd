/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.listener;

import io.github.batchsqs.annotation.BatchSqsHandler;
import io.github.batchsqs.annotation.BatchSqsListener;
import io.github.batchsqs.autoconfigure.internal.diagnostics.SetupException;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.LinkedHashMap;
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
final class ListenerMethods {

    private final ConfigurableListableBeanFactory beans;

    ListenerMethods(ConfigurableListableBeanFactory beans) {
        this.beans = beans;
    }

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
        List<BatchSqsListener> ofClass = annotationsOf(userClass);
        if (methods.isEmpty() && ofClass.isEmpty()) {
            return Stream.empty();
        }
        ResolvableType beanType = typeOf(beanName, userClass);
        List<AnnotatedListener> found = new ArrayList<>();
        Map<Method, Boolean> handlers = new LinkedHashMap<>();
        methods.forEach((method, annotations) -> {
            annotations.listeners().forEach(each -> found.add(new ListenerMethod(beanName, beanType, method, each)));
            if (annotations.handler() != null) {
                handlers.put(method, annotations.handler().isDefault());
            }
        });
        ListenerClass.refuse(
                beanType.toClass(),
                !ofClass.isEmpty(),
                handlers.keySet(),
                found.stream().flatMap(each -> each.methods().stream()).toList());
        ofClass.forEach(each -> found.add(listenerClass(beanName, beanType, handlers, each)));
        found.forEach(ConflictingAnnotations::refuse);
        return found.stream();
    }

    private static ListenerClass listenerClass(
            String beanName, ResolvableType beanType, Map<Method, Boolean> handlers, BatchSqsListener annotation) {
        List<Method> defaults = handlers.entrySet().stream()
                .filter(Map.Entry::getValue)
                .map(Map.Entry::getKey)
                .toList();
        return new ListenerClass(
                beanName,
                beanType,
                List.copyOf(handlers.keySet()),
                ListenerClass.defaultOf(beanType.toClass(), defaults),
                annotation);
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
    static List<BatchSqsListener> annotationsOf(AnnotatedElement element) {
        return annotations(MergedAnnotations.from(element, SearchStrategy.TYPE_HIERARCHY));
    }

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
