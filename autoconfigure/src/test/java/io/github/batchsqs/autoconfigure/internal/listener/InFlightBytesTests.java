/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.listener;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.annotation.BatchSqsListener;
import io.github.batchsqs.autoconfigure.testkit.Contexts;
import io.github.batchsqs.listener.ContainerStatus;
import io.github.batchsqs.listener.ReceiveWait;
import io.github.batchsqs.receive.ListenerContainers;
import io.github.batchsqs.send.BatchSqsOperations;
import io.github.batchsqs.testkit.Progress;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.springframework.context.ApplicationContext;

class InFlightBytesTests {

    private static final int LARGE = 100_000;
    private static final int MESSAGES = 15;

    @Test
    void limitsTheMessagesOfAllListenersTogether() {
        Contexts.embedded()
                .withBean(Handler.class)
                .withPropertyValues(
                        "batchsqs.embedded.queues=orders,returns",
                        "batchsqs.in-flight-bytes=1MB",
                        "batchsqs.listener.visibility.timeout=10m", // longer than Progress waits
                        "batchsqs.listener.wait-time=1s")
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    Handler handler = context.getBean(Handler.class);
                    List<String> bodies = IntStream.range(0, MESSAGES)
                            .mapToObj(i -> "x".repeat(LARGE))
                            .toList();
                    for (String queue : List.of("orders", "returns")) {
                        assertThat(context.getBean(BatchSqsOperations.class)
                                        .sendAll(queue, bodies)
                                        .failed())
                                .isEmpty();
                    }

                    Progress.until(() -> waitsForMemory(context, "orders")
                            && waitsForMemory(context, "returns")
                            && bytes(context) >= 8 * LARGE);

                    assertThat(bytes(context))
                            .isLessThanOrEqualTo((1 << 20) + 5 * LARGE); // both may ask at the same moment
                    ContainerStatus orders = status(context, "orders");
                    assertThat(orders.inFlightBytes()).isEqualTo((long) orders.inFlight() * LARGE);

                    handler.mayEnd.countDown();
                    Progress.until(handler.handled::get, 2 * MESSAGES);
                    Progress.until(() -> bytes(context), 0L);
                });
    }

    private static ContainerStatus status(ApplicationContext context, String id) {
        return context.getBean(ListenerContainers.class).get(id).status();
    }

    private static boolean waitsForMemory(ApplicationContext context, String id) {
        ReceiveWait wait = status(context, id).receiveWait();
        return wait != null && wait.reason().equals("in-flight-bytes");
    }

    private static long bytes(ApplicationContext context) {
        return status(context, "orders").inFlightBytes()
                + status(context, "returns").inFlightBytes();
    }

    static class Handler {

        final CountDownLatch mayEnd = new CountDownLatch(1);
        final AtomicInteger handled = new AtomicInteger();

        @BatchSqsListener(queue = {"orders", "returns"})
        void handle(List<String> messages) throws InterruptedException {
            mayEnd.await();
            handled.addAndGet(messages.size());
        }
    }
}
