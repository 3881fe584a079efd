/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.listener;

import io.github.batchsqs.annotation.BatchSqsListener;
import java.util.List;
import java.util.stream.Stream;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.MethodIntrospector.MetadataLookup;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.util.ClassUtils;

/** Finds annotated methods in the classes of all beans, without creating a bean. */
final class ListenerMethods {

    private static final MetadataLookup<BatchSqsListener> LOOKUP =
            method -> AnnotatedElementUtils.findMergedAnnotation(method, BatchSqsListener.class);

    private final ConfigurableListableBeanFactory beans;

    ListenerMethods(ConfigurableListableBeanFactory beans) {
        this.beans = beans;
    }

    /** Returns all annotated methods, in the order of the bean definitions. */
    List<ListenerMethod> find() {
        return Stream.of(beans.getBeanNamesForType(Object.class, true, false))
                .filter(name -> !ScopedProxyUtils.isScopedTarget(name))
                .flatMap(this::methodsOf)
                .toList();
    }

    private Stream<ListenerMethod> methodsOf(String beanName) {
        Class<?> type = AutoProxyUtils.determineTargetClass(beans, beanName);
        if (type == null
                || type.getName().startsWith("org.springframework.")
                || !AnnotationUtils.isCandidateClass(type, BatchSqsListener.class)) {
            return Stream.empty();
        }
        Class<?> userClass = ClassUtils.getUserClass(type);
        return MethodIntrospector.selectMethods(type, LOOKUP).entrySet().stream()
                .map(found -> new ListenerMethod(beanName, userClass, found.getKey(), found.getValue()));
    }
}
