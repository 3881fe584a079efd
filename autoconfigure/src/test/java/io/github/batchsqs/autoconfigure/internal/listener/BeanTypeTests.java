/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.listener;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.annotation.BatchSqsListener;
import io.github.batchsqs.autoconfigure.testkit.Contexts;
import io.github.batchsqs.receive.ListenerContainers;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.samples.visits.Visits;

/** Listener methods are found in beans of all kinds of types. */
class BeanTypeTests {

    private final ApplicationContextRunner contexts =
            Contexts.aws().withPropertyValues("batchsqs.listener.auto-startup=false");

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
