/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.listener;

import io.github.batchsqs.annotation.BatchSqsListener;
import io.github.batchsqs.autoconfigure.diagnostics.SetupException;
import java.lang.reflect.Method;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.MethodIntrospector.MetadataLookup;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.stereotype.Component;
import org.springframework.util.ClassUtils;

/** Finds the annotations of methods in the classes of all beans, without creating a bean. */
final class ListenerMethods {

    private final ConfigurableListableBeanFactory beans;

    ListenerMethods(ConfigurableListableBeanFactory beans) {
        this.beans = beans;
    }

    /**
     * Returns all annotated methods, in the order of the bean definitions. A method with several annotations occurs once for
     * each.
     *
     * @throws SetupException if a method also has an annotation that conflicts with a listener
     */
    List<ListenerMethod> find() {
        return Stream.of(beans.getBeanNamesForType(Object.class, true, false))
                .filter(name -> !ScopedProxyUtils.isScopedTarget(name))
                .flatMap(this::methodsOf)
                .toList();
    }

    private Stream<ListenerMethod> methodsOf(String beanName) {
        Class<?> type = AutoProxyUtils.determineTargetClass(beans, beanName);
        if (type == null || isOfSpring(type) || !AnnotationUtils.isCandidateClass(type, BatchSqsListener.class)) {
            return Stream.empty();
        }
        ResolvableType beanType = typeOf(beanName, ClassUtils.getUserClass(type));
        MetadataLookup<List<BatchSqsListener>> lookup = ListenerMethods::annotationsOf;
        return MethodIntrospector.selectMethods(type, lookup).entrySet().stream()
                .flatMap(found -> found.getValue().stream()
                        .map(annotation -> new ListenerMethod(beanName, beanType, found.getKey(), annotation)))
                .map(method -> {
                    ConflictingAnnotations.refuse(method);
                    return method;
                });
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
     * Returns the annotations of the method, repeated and composed ones included, or {@code null} if there are none. Those of
     * an overridden method count only if the method has none itself.
     */
    private static @Nullable List<BatchSqsListener> annotationsOf(Method method) {
        var found = MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY).stream(BatchSqsListener.class)
                .toList();
        return found.isEmpty()
                ? null
                : found.stream()
                        .filter(each ->
                                each.getAggregateIndex() == found.getFirst().getAggregateIndex())
                        .map(MergedAnnotation::synthesize)
                        .toList();
    }
}
