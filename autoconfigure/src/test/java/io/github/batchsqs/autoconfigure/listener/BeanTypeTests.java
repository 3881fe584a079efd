/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.listener;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.annotation.BatchSqsListener;
import io.github.batchsqs.autoconfigure.testkit.Contexts;
import io.github.batchsqs.receive.ListenerContainers;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.samples.visits.Visits;

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
