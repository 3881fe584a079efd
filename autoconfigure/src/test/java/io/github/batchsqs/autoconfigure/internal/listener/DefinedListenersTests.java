/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.listener;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.BatchListener;
import io.github.batchsqs.autoconfigure.listener.ListenerDefinition;
import io.github.batchsqs.autoconfigure.testkit.Contexts;
import io.github.batchsqs.listener.ContainerState;
import io.github.batchsqs.receive.ListenerContainers;
import io.github.batchsqs.send.BatchSqsOperations;
import io.github.batchsqs.testkit.Progress;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.ParameterizedTypeReference;

/** Listeners that are defined by code, as beans; {@link RunTimeListenersTests} has those at run time. */
class DefinedListenersTests {

    private final Queue<Order> seen = new ConcurrentLinkedQueue<>();
    private final ListenerDefinition<Order> definition = ListenerDefinition.of(
            "eu", "orders-eu", Order.class, BatchListener.of(batch -> seen.addAll(batch.payloads())));
    private final ApplicationContextRunner contexts = Contexts.embedded()
            .withPropertyValues("batchsqs.embedded.queues=orders-eu,others", "batchsqs.listener.wait-time=1s");

    @Test
    void aBeanIsAListenerFromTheStart() {
        contexts.withBean(ListenerDefinition.class, () -> definition).run(context -> {
            assertThat(context.getBean(ListenerContainers.class).get("eu").state())
                    .isEqualTo(ContainerState.RUNNING);
            context.getBean(BatchSqsOperations.class).sendAndWait("orders-eu", new Order(1));
            Progress.until(() -> seen.contains(new Order(1)));
        });
    }

    @Test
    void genericPayloadsAreRead() {
        var maps = new ConcurrentLinkedQueue<Map<String, Order>>();
        var generic = ListenerDefinition.of(
                "eu",
                "orders-eu",
                new ParameterizedTypeReference<Map<String, Order>>() {},
                BatchListener.of(batch -> maps.addAll(batch.payloads())));
        contexts.withBean(ListenerDefinition.class, () -> generic).run(context -> {
            context.getBean(BatchSqsOperations.class).sendAndWait("orders-eu", Map.of("first", new Order(1)));
            Progress.until(() -> maps.contains(Map.of("first", new Order(1))));
        });
    }

    @Test
    void settingsApplyAndCodeWinsOverThem() {
        contexts.withBean(
                        ListenerDefinition.class,
                        () -> definition.with(
                                options -> options.toBuilder().batchSize(50).build()))
                .withPropertyValues(
                        "batchsqs.listener.concurrency=3",
                        "batchsqs.listeners.eu.auto-startup=false",
                        "batchsqs.listeners.eu.batch-size=20",
                        "batchsqs.listeners.eu.pollers.max=5")
                .run(context -> {
                    var container = context.getBean(ListenerContainers.class).get("eu");
                    assertThat(container.state()).isEqualTo(ContainerState.STOPPED);
                    assertThat(container.options().concurrency()).isEqualTo(3);
                    assertThat(container.options().pollers().max()).isEqualTo(5);
                    assertThat(container.options().batchSize()).isEqualTo(50);
                });
    }

    record Order(int number) {}
}
