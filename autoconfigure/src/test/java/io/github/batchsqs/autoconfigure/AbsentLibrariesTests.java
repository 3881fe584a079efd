/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.autoconfigure.internal.health.BatchSqsHealthAutoConfiguration;
import io.github.batchsqs.autoconfigure.internal.observation.BatchSqsObservationAutoConfiguration;
import io.github.batchsqs.autoconfigure.internal.observation.BatchSqsTracingAutoConfiguration;
import io.github.batchsqs.autoconfigure.testkit.Contexts;
import io.github.batchsqs.autoconfigure.testkit.OrdersHandler;
import io.github.batchsqs.receive.ListenerContainers;
import io.github.batchsqs.send.BatchSqsOperations;
import io.micrometer.observation.ObservationRegistry;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;

/**
 * What is optional may be missing. A class path that really lacks all of it, the actuator too, is that of the new user's
 * project in {@code .ci/first-hour}.
 */
class AbsentLibrariesTests {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "io.micrometer.tracing",
                "io.micrometer.prometheusmetrics",
                "jakarta.validation",
                "kotlin",
                "kotlinx.coroutines",
                "org.elasticmq",
                "org.hibernate.validator",
                "org.springframework.boot.jackson",
                "org.springframework.boot.micrometer",
                "org.springframework.transaction",
                "org.springframework.web",
                "software.amazon.awssdk.services.sts"
            })
    void theContextStartsWithout(String absent) {
        Contexts.aws()
                .withConfiguration(AutoConfigurations.of(
                        BatchSqsHealthAutoConfiguration.class,
                        BatchSqsObservationAutoConfiguration.class,
                        BatchSqsTracingAutoConfiguration.class))
                .withClassLoader(new FilteredClassLoader(absent))
                .withBean(OrdersHandler.class)
                .withBean(ObservationRegistry.class, ObservationRegistry::create)
                .withPropertyValues("batchsqs.listener.auto-startup=false")
                .run(context -> {
                    assertThat(context).hasNotFailed().hasSingleBean(BatchSqsOperations.class);
                    assertThat(context.getBean(ListenerContainers.class).find("orders"))
                            .isPresent();
                });
    }
}
