/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.options;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.annotation.BatchSqsListener;
import io.github.batchsqs.autoconfigure.testkit.Contexts;
import io.github.batchsqs.autoconfigure.testkit.StartFailure;
import io.github.batchsqs.receive.ListenerContainers;
import io.github.batchsqs.send.SenderOptions;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Numbers without a unit, which Boot reads as milliseconds or bytes, and limits of sizes. */
class UnitTests {

    private final ApplicationContextRunner contexts =
            Contexts.aws().withBean(Plain.class).withPropertyValues("batchsqs.listener.auto-startup=false");

    @ParameterizedTest
    @CsvSource({
        "batchsqs.listener.shutdown-timeout, 25",
        "batchsqs.listeners.orders.shutdown-timeout, 90",
        "batchsqs.listener.visibility.max-extension, 3600",
        "batchsqs.listener.visibility.timeout, 5",
        "batchsqs.listener.wait-time, 20",
        "batchsqs.listener.failure.backoff.initial, 1",
        "batchsqs.listener.failure.backoff.max, 300",
        "batchsqs.sender.delivery-timeout, 120",
        "batchsqs.sender.max-block, 10",
        "batchsqs.listener.batch-linger, 200",
        "batchsqs.sender.shutdown-timeout, 5",
    })
    void aNumberOfSecondsWithoutItsUnitIsRefused(String key, String number) {
        contexts.withPropertyValues(key + "=" + number)
                .run(context -> assertThat(StartFailure.of(context))
                        .contains(
                                key + " needs a unit: a number without a unit is milliseconds.",
                                "Value: " + number,
                                "Origin: \"" + key + "\" from property source",
                                "Action: Write " + number + "s, or " + number + "ms if milliseconds are meant."));
    }

    @Test
    void aNumberFromAPlaceholderIsRefusedAsWell() {
        contexts.withPropertyValues("batchsqs.listener.shutdown-timeout=${stop}", "stop=25")
                .run(context -> assertThat(StartFailure.of(context))
                        .contains("batchsqs.listener.shutdown-timeout needs a unit", "Action: Write 25s"));
    }

    @Test
    void aNumberInTheAnnotationIsRefusedAsWell() {
        contexts.withBean(WithoutUnit.class)
                .run(context -> assertThat(StartFailure.of(context))
                        .contains(
                                "@BatchSqsListener(visibilityTimeout) on " + WithoutUnit.class.getName()
                                        + ".handle needs a unit",
                                "Value: 30",
                                "Action: Write 30s"));
    }

    @Test
    void unitsAndZeroAreNot() {
        contexts.withPropertyValues(
                        "batchsqs.listener.batch-linger=200ms",
                        "batchsqs.listener.acknowledge.linger=0",
                        "batchsqs.listener.pollers.min-interval=0",
                        "batchsqs.listener.wait-time=10s",
                        "batchsqs.listener.shutdown-timeout=1500ms",
                        "batchsqs.sender.linger=0",
                        "batchsqs.sender.max-block=100ms")
                .run(context -> {
                    var options = context.getBean(ListenerContainers.class)
                            .get("orders")
                            .options();
                    assertThat(options.batchLinger()).isEqualTo(Duration.ofMillis(200));
                    assertThat(options.waitTime()).isEqualTo(Duration.ofSeconds(10));
                    assertThat(options.shutdownTimeout()).isEqualTo(Duration.ofMillis(1_500));
                    var sender = context.getBean(SenderOptions.class);
                    assertThat(sender.buffer().maxBlock()).isEqualTo(Duration.ofMillis(100));
                });
    }

    @ParameterizedTest
    @ValueSource(strings = {"batchsqs.sender.buffer-bytes", "batchsqs.in-flight-bytes"})
    void aSmallNumberOfBytesWithoutAUnitIsRefused(String key) {
        contexts.withPropertyValues(key + "=256")
                .run(context -> assertThat(StartFailure.of(context))
                        .contains(
                                key + " needs a unit: a number without a unit is bytes.",
                                "Value: 256",
                                "Action: Write 256KB or 256MB, or 256B if bytes are meant."));
    }

    @ParameterizedTest
    @CsvSource({
        "batchsqs.sender.buffer-bytes, 512KB, must be at least the maximum size of a message (1MB)., 'Value: 512KB'",
        "batchsqs.sender.buffer-bytes, 2GB, must be between 1KB and 1024MB., 'Value: 2048MB'",
        "batchsqs.in-flight-bytes, 512KB, must be at least 1MB., 'Value: 512KB'",
    })
    void limitsOfSizesHaveUnits(String key, String size, String rule, String value) {
        contexts.withPropertyValues(key + "=" + size)
                .run(context -> assertThat(StartFailure.of(context)).contains(key + " " + rule, value));
    }

    static class Plain {
        @BatchSqsListener(queue = "orders")
        void handle(List<String> orders) {}
    }

    static class WithoutUnit {
        @BatchSqsListener(queue = "returns", visibilityTimeout = "30")
        void handle(List<String> orders) {}
    }
}
