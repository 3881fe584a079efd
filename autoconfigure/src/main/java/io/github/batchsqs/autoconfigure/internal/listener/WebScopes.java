/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.listener;

import io.github.batchsqs.autoconfigure.internal.diagnostics.SetupException;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.config.Scope;

/**
 * Refuses listeners in beans of a scope that only exists within web requests: no message is received within one, so each would
 * fail. A scope of the application, whatever its name, is its own affair.
 */
final class WebScopes {

    /** By name, because the classes may be absent. */
    private static final Set<String> OF_SPRING = Set.of(
            "org.springframework.web.context.request.AbstractRequestAttributesScope",
            "org.springframework.messaging.simp.SimpSessionScope");

    private static final Set<String> NAMES = Set.of("request", "session", "websocket");

    private WebScopes() {}

    /** @throws SetupException if the bean of the listener has such a scope */
    static void refuse(ConfigurableListableBeanFactory beans, AnnotatedListener listener) {
        String scope = scope(beans, listener.beanName());
        if (scope != null && isOfWebRequests(scope, beans.getRegisteredScope(scope))) {
            throw new SetupException(
                    "The listener " + listener.beanClass().getName() + "."
                            + listener.methods().getFirst().getName() + " is a method of the bean '"
                            + listener.beanName()
                            + "' of the scope '" + scope
                            + "', which only exists within web requests; messages are received outside of them.",
                    "Move the listener to a bean without a scope, which is a singleton.");
        }
    }

    /** Returns the scope of the bean behind any scoped proxy, or {@code null} if nobody has defined it. */
    private static @Nullable String scope(ConfigurableListableBeanFactory beans, String bean) {
        return Stream.of(ScopedProxyUtils.getTargetBeanName(bean), bean)
                .filter(beans::containsBeanDefinition)
                .findFirst()
                .map(name -> beans.getMergedBeanDefinition(name).getScope())
                .orElse(null);
    }

    private static boolean isOfWebRequests(String name, @Nullable Scope scope) {
        return scope == null
                ? NAMES.contains(name) // of an application without web
                : Stream.<Class<?>>iterate(scope.getClass(), each -> each != null, Class::getSuperclass)
                        .anyMatch(each -> OF_SPRING.contains(each.getName()));
    }
}
