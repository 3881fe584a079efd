/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.listener;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.BatchListener;
import io.github.batchsqs.autoconfigure.listener.ListenerDefinition;
import io.github.batchsqs.autoconfigure.testkit.Contexts;
import io.github.batchsqs.autoconfigure.testkit.OrdersHandler;
import io.github.batchsqs.events.ListenerEvents;
import io.github.batchsqs.receive.ListenerContainers;
import io.github.batchsqs.send.BatchSqsOperations;
import io.github.batchsqs.testkit.EventMethods;
import io.github.batchsqs.testkit.Progress;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Beans of the application that receive the events of its listeners. */
class ListenerEventsBeansTests {

    private final Queue<String> seen = new ConcurrentLinkedQueue<>();

    private final ApplicationContextRunner contexts = Contexts.embedded()
            .withPropertyValues("batchsqs.embedded.queues=orders,returns", "batchsqs.listener.wait-time=1s")
            .withBean(OrdersHandler.class);

    @Test
    void aBeanReceivesTheEventsOfAllListenersBesideOneThatThrows() {
        contexts.withBean("throwing", ListenerEvents.class, () -> event -> {
                    throw new AssertionError("told to fail");
                })
                .withBean("recording", ListenerEvents.class, () -> recording("all"))
                .withBean(
                        ListenerDefinition.class,
                        () -> ListenerDefinition.of("by-code", "returns", String.class, BatchListener.of(batch -> {})))
                .run(context -> {
                    send(context.getBean(BatchSqsOperations.class), "orders", "returns");
                    Progress.until(() -> count("all Acknowledged") == 2);
                    context.getBean(ListenerContainers.class).stop();

                    Progress.until(() -> count("all Stopped") == 2);
                    assertThat(count("all Started")).isEqualTo(2);
                });
    }

    @Test
    void eachListenerMayHaveAReceiverThatKnowsIt() {
        contexts.withBean(ListenerEvents.class, () -> new EventMethods() {
                    @Override
                    public ListenerEvents forListener(String listener, String queue, String client) {
                        return recording(listener + " " + queue + " " + client);
                    }
                })
                .run(context -> {
                    send(context.getBean(BatchSqsOperations.class), "orders");
                    Progress.until(() -> seen.contains("orders orders default Acknowledged"));
                });
    }

    private ListenerEvents recording(String name) {
        return event -> seen.add(name + " " + event.getClass().getSimpleName());
    }

    private long count(String event) {
        return seen.stream().filter(event::equals).count();
    }

    private static void send(BatchSqsOperations sqs, String... queues) throws InterruptedException {
        for (String queue : queues) {
            assertThat(sqs.sendAndWait(queue, "a").messageId()).isNotEmpty();
        }
    }
}
