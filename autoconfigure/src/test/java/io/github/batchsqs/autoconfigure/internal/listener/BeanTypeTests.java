/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.listener;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.annotation.BatchSqsListener;
import io.github.batchsqs.autoconfigure.testkit.Contexts;
import io.github.batchsqs.autoconfigure.testkit.StartFailure;
import io.github.batchsqs.receive.ListenerContainers;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.factory.config.BeanDefinitionHolder;
import org.springframework.beans.factory.support.BeanDefinitionReaderUtils;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.ScopedProxyMode;
import org.springframework.context.support.SimpleThreadScope;
import org.springframework.samples.visits.Visits;
import org.springframework.web.context.request.RequestScope;

/** Listener methods are found in beans of all kinds of types. */
class BeanTypeTests {

    private final ApplicationContextRunner contexts =
            Contexts.aws().withPropertyValues("batchsqs.listener.auto-startup=false");

    @Test
    void aLazyBeanThatIsDeclaredByAnInterfaceHasItsListeners() {
        contexts.withUserConfiguration(LazyBeans.class).run(context -> {
            assertThat(ids(context)).containsExactly("by-interface");
            assertThat(context.getBeanFactory().containsSingleton("other"))
                    .as("a lazy bean without listeners is created")
                    .isFalse();
        });
    }

    @Test
    void beansHaveTheirListenersIfAllOfThemAreLazy() {
        contexts.withUserConfiguration(EagerBeans.class)
                .withInitializer(context ->
                        context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()))
                .run(context -> assertThat(ids(context)).containsExactly("by-interface"));
    }

    @Test
    void theTypeArgumentsOfABeanMethodAreThePayloadType() {
        contexts.withUserConfiguration(GenericBeans.class)
                .run(context -> assertThat(ids(context)).containsExactly("orders"));
    }

    @Test
    void componentsOfTheApplicationInPackagesOfSpringHaveTheirListeners() {
        contexts.withBean(Visits.class).run(context -> assertThat(ids(context)).containsExactly("visits"));
    }

    /** It would start, and each message would fail. */
    @ParameterizedTest
    @EnumSource(
            value = ScopedProxyMode.class,
            names = {"NO", "TARGET_CLASS"})
    void aListenerInAWebScopeIsRefused(ScopedProxyMode proxy) {
        contexts.withInitializer(context -> context.getBeanFactory().registerScope("request", new RequestScope()))
                .withInitializer(context -> register(context, "request", proxy))
                .run(context -> assertThat(StartFailure.of(context))
                        .contains("The listener " + OrderHandler.class.getName() + ".handle is a method of the bean"
                                + " 'handler' of the scope 'request', which only exists within web requests")
                        .contains("Action: Move the listener to a bean without a scope"));
        contexts.withInitializer(context -> register(context, "session", proxy))
                .run(context -> assertThat(StartFailure.of(context)).contains("of the scope 'session'"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"prototype", "tenant", "request"})
    void aListenerInAnotherScopeRuns(String scope) {
        contexts.withInitializer(context -> {
                    if (!scope.equals("prototype")) { // a request of the application's own, for example
                        context.getBeanFactory().registerScope(scope, new SimpleThreadScope());
                    }
                    register(context, scope, ScopedProxyMode.NO);
                })
                .run(context -> assertThat(ids(context)).containsExactly("by-interface"));
    }

    private static void register(ConfigurableApplicationContext context, String scope, ScopedProxyMode proxy) {
        var registry = (BeanDefinitionRegistry) context.getBeanFactory();
        var definition = new RootBeanDefinition(OrderHandler.class);
        definition.setScope(scope);
        var holder = new BeanDefinitionHolder(definition, "handler");
        BeanDefinitionReaderUtils.registerBeanDefinition(
                proxy == ScopedProxyMode.NO ? holder : ScopedProxyUtils.createScopedProxy(holder, registry, true),
                registry);
    }

    private static List<String> ids(AssertableApplicationContext context) {
        return context.getBean(ListenerContainers.class).all().stream()
                .map(each -> each.options().id())
                .toList();
    }

    interface Handler {}

    static class OrderHandler implements Handler {
        @BatchSqsListener(queue = "by-interface")
        void handle(List<String> orders) {}
    }

    static class OtherHandler implements Handler {}

    @Configuration(proxyBeanMethods = false)
    static class LazyBeans {
        @Bean
        @Lazy
        Handler handler() {
            return new OrderHandler();
        }

        @Bean
        @Lazy
        Handler other() {
            return new OtherHandler();
        }
    }

    @Configuration
    static class EagerBeans {
        @Bean
        Handler handler() {
            return new OrderHandler();
        }
    }

    record Order(String id) {}

    static class Any<T> {
        @BatchSqsListener(queue = "orders")
        void handle(List<T> payloads) {}
    }

    @Configuration(proxyBeanMethods = false)
    static class GenericBeans {
        @Bean
        Any<Order> any() {
            return new Any<>();
        }
    }
}
