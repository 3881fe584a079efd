/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.sample;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.autoconfigure.internal.settings.BatchSqsProperties;
import io.github.batchsqs.sample.settings.SampleProperties;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.test.context.ConfigDataApplicationContextInitializer;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.ContextConsumer;

/** What the profiles of {@code application.yml} set. */
class ProfileTests {

    @Test
    void aRealAccountGetsNoQueueAndNoMessageByItself() {
        with("aws", context -> {
            SampleProperties sample = context.getBean(SampleProperties.class);
            assertThat(List.of(
                            sample.queues().orders(),
                            sample.queues().shipments(),
                            sample.queues().stock()))
                    .containsExactly(
                            "batchsqs-sample-orders", "batchsqs-sample-shipments.fifo", "batchsqs-sample-stock");
            assertThat(sample.firstOrders()).isZero();
            assertThat(context.getBean(BatchSqsProperties.class).embedded().enabled())
                    .isFalse();
            assertThat(Arrays.asList("batchsqs.listener.queue-not-found", "spring.cloud.aws.endpoint"))
                    .noneMatch(context.getEnvironment()::containsProperty);
        });
    }

    @Test
    void localStackIsWhereComposeStartsIt() {
        with("localstack", context -> {
            assertThat(context.getEnvironment().getProperty("spring.cloud.aws.endpoint"))
                    .isEqualTo("http://localhost:4566");
            assertThat(context.getBean(SampleProperties.class).queues().orders())
                    .isEqualTo("orders");
            assertThat(context.getBean(BatchSqsProperties.class).embedded().enabled())
                    .isFalse();
        });
    }

    private static void with(String profile, ContextConsumer<AssertableApplicationContext> consumer) {
        new ApplicationContextRunner()
                .withInitializer(new ConfigDataApplicationContextInitializer())
                .withPropertyValues("spring.profiles.active=" + profile)
                .withUserConfiguration(Setup.class)
                .run(consumer);
    }

    @EnableConfigurationProperties({SampleProperties.class, BatchSqsProperties.class})
    static class Setup {}
}
