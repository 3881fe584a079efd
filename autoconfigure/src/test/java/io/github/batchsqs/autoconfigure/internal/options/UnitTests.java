/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.options;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.annotation.BatchSqsListener;
import io.github.batchsqs.autoconfigure.testkit.Contexts;
import io.github.batchsqs.listener.ListenerOptions;
import io.github.batchsqs.receive.ListenerContainers;
import io.github.batchsqs.send.SenderOptions;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

class UnitTests {

    private final ApplicationContextRunner contexts =
            Contexts.aws().withBean(Plain.class).withPropertyValues("batchsqs.listener.auto-startup=false");

    /** Boot would read each as milliseconds. */
    @Test
    void numbersWithoutAUnitAreSecondsExceptForTheTimesThatMessagesGather() {
        contexts.withPropertyValues(
                        "batchsqs.listener.shutdown-timeout=25",
                        "batchsqs.listener.visibility.max-extension=3600",
                        "batchsqs.listener.wait-time=10",
                        "batchsqs.listener.failure.backoff.initial=2",
                        "batchsqs.listener.failure.backoff.max=300",
                        "batchsqs.listener.batch-linger=200",
                        "batchsqs.listener.acknowledge.linger=20",
                        "batchsqs.listener.pollers.min-interval=30",
                        "batchsqs.sender.delivery-timeout=120",
                        "batchsqs.sender.max-block=10",
                        "batchsqs.sender.shutdown-timeout=5",
                        "batchsqs.sender.linger=3")
                .run(context -> {
                    ListenerOptions options = context.getBean(ListenerContainers.class)
                            .get("orders")
                            .options();
                    assertThat(options.shutdownTimeout()).isEqualTo(Duration.ofSeconds(25));
                    assertThat(options.visibility())
                            .isEqualTo(new ListenerOptions.Visibility(Duration.ofSeconds(30), Duration.ofHours(1)));
                    assertThat(options.waitTime()).isEqualTo(Duration.ofSeconds(10));
                    assertThat(options.failure().backoff().initial()).isEqualTo(Duration.ofSeconds(2));
                    assertThat(options.failure().backoff().max()).isEqualTo(Duration.ofMinutes(5));
                    assertThat(options.batchLinger()).isEqualTo(Duration.ofMillis(200));
                    assertThat(options.acknowledge().linger()).isEqualTo(Duration.ofMillis(20));
                    assertThat(options.pollers().minInterval()).isEqualTo(Duration.ofMillis(30));
                    var sender = context.getBean(SenderOptions.class);
                    assertThat(sender.deliveryTimeout()).isEqualTo(Duration.ofMinutes(2));
                    assertThat(sender.buffer().maxBlock()).isEqualTo(Duration.ofSeconds(10));
                    assertThat(sender.shutdownTimeout()).isEqualTo(Duration.ofSeconds(5));
                    assertThat(sender.linger()).isEqualTo(Duration.ofMillis(3));
                });
    }

    static class Plain {
        @BatchSqsListener(queue = "orders", visibilityTimeout = "30")
        void handle(List<String> orders) {}
    }
}
