/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.autoconfigure.internal.endpoint.BatchSqsEndpointAutoConfiguration;
import io.github.batchsqs.autoconfigure.internal.health.BatchSqsHealthAutoConfiguration;
import io.github.batchsqs.autoconfigure.internal.observation.BatchSqsObservationAutoConfiguration;
import io.github.batchsqs.autoconfigure.testkit.Contexts;
import io.github.batchsqs.autoconfigure.testkit.OrdersHandler;
import io.github.batchsqs.receive.ListenerContainers;
import io.micrometer.observation.ObservationRegistry;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;

class SwitchTests {

    @ParameterizedTest
    @ValueSource(strings = {"no", "0"})
    void offLeavesNoBean(String off) {
        Contexts.embedded()
                .withConfiguration(AutoConfigurations.of(
                        BatchSqsHealthAutoConfiguration.class,
                        BatchSqsEndpointAutoConfiguration.class,
                        BatchSqsObservationAutoConfiguration.class))
                .withBean(OrdersHandler.class)
                .withBean(ObservationRegistry.class, ObservationRegistry::create)
                .withPropertyValues("batchsqs.enabled=" + off, "management.endpoints.web.exposure.include=*")
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThat(Stream.of(context.getBeanDefinitionNames()))
                            .noneMatch(name -> name.startsWith("batchSqs"));
                });
    }

    /** K6: the client of Spring Cloud AWS wanted a region as soon as ours was off. */
    @Test
    void offLeavesAnApplicationRunningThatNeedsNoRegion() {
        Contexts.besideSpringCloudAws(Contexts.embedded())
                .run(context -> assertThat(context).hasNotFailed());
        Contexts.besideSpringCloudAws(Contexts.embedded())
                .withPropertyValues("batchsqs.enabled=false")
                .run(context -> assertThat(context).hasNotFailed());
    }

    @ParameterizedTest
    @ValueSource(strings = {"on", "1"})
    void onIsTheDefault(String on) {
        Contexts.aws()
                .withPropertyValues("batchsqs.enabled=" + on)
                .run(context -> assertThat(context).hasSingleBean(ListenerContainers.class));
    }
}
