/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive;

import io.github.batchsqs.Acknowledgement;
import io.github.batchsqs.BatchListener;
import io.github.batchsqs.ReceivedMessage;
import io.github.batchsqs.client.Queue;
import io.github.batchsqs.events.ListenerEvents;
import io.github.batchsqs.internal.receive.invoke.ListenerHandler;
import io.github.batchsqs.internal.support.TimeSource;
import io.github.batchsqs.listener.ErrorHook;
import io.github.batchsqs.listener.ListenerOptions;
import io.github.batchsqs.testkit.EventMethods;
import io.github.batchsqs.testkit.InMemoryQueueClient;
import io.github.batchsqs.testkit.Progress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;

/** The program of {@link ComputingHandlersTests}: a listener whose handlers, or other code beside it, hold every carrier. */
final class ComputingProcess {

    private static final int CARRIERS = 2;

    private final InMemoryQueueClient client = new InMemoryQueueClient(TimeSource.system());
    private final AtomicInteger extended = new AtomicInteger();
    private final AtomicInteger lost = new AtomicInteger();
    private final AtomicInteger acknowledged = new AtomicInteger();
    private final CountDownLatch computing = new CountDownLatch(CARRIERS);
    private volatile boolean computes = true;

    private ComputingProcess() {
        client.longPolling(true);
    }

    public static void main(String[] arguments) throws Exception {
        ComputingProcess process = new ComputingProcess();
        switch (arguments[0]) {
            case "other-code" -> process.otherCode();
            case "deletes" -> process.deletes();
            case "stop" -> process.stop();
            default -> throw new IllegalArgumentException(arguments[0]);
        }
        System.exit(0);
    }

    /** Handlers wait; other virtual threads compute. The test would last for ever if nothing went on without a carrier. */
    private void otherCode() {
        Queue queue = client.createQueue("orders");
        CountDownLatch handled = new CountDownLatch(1);
        EngineContainer container = started(
                queue,
                options -> options.batchSize(1).visibility(leaseOf(Duration.ofSeconds(4))),
                BatchListener.of(batch -> {
                    if (batch.payloads().contains("long")) {
                        ContainerFixture.awaitUninterruptibly(handled);
                    }
                }));
        client.put(queue, "long", "long", "long", "long");
        Progress.until(() -> container.status().activeInvocations() == 4);
        holdCarriers();
        Progress.until(extended::get, 8);
        handled.countDown();
        computes = false;
        Progress.until(acknowledged::get, 4);
        require(lost.get() == 0, lost + " leases were lost");
        container.stop();
    }

    /** Other virtual threads compute until a message is deleted that was handled before, and another one is received. */
    private void deletes() throws InterruptedException {
        Queue queue = client.createQueue("orders");
        LinkedBlockingQueue<Acknowledgement> handled = new LinkedBlockingQueue<>();
        EngineContainer container = started(
                queue,
                options -> options.batchSize(1)
                        .acknowledge(new ListenerOptions.Acknowledge(
                                ListenerOptions.AcknowledgeMode.MANUAL, Duration.ofMillis(50))),
                BatchListener.of(batch -> handled.add(batch.acknowledgement())));
        client.put(queue, "a");
        Acknowledgement first = Progress.take(handled);
        holdCarriers();
        var ignored = first.acknowledge();
        Progress.until(acknowledged::get, 1);
        client.put(queue, "b");
        Progress.until(() -> container.status().inFlight() == 1);
        computes = false;
        ignored = Progress.take(handled).acknowledge();
        Progress.until(acknowledged::get, 2);
        container.stop();
    }

    private void stop() {
        Queue queue = client.createQueue("orders");
        EngineContainer container = started(
                queue,
                options -> options.batchSize(1).concurrency(8).shutdownTimeout(Duration.ofSeconds(3)),
                BatchListener.of(batch -> {
                    if (batch.payloads().contains("computes")) {
                        compute();
                    }
                }));
        client.put(queue, "ends");
        Progress.until(acknowledged::get, 1);
        client.put(queue, "computes", "computes");
        Progress.until(() -> computing.getCount() == 0);
        client.put(queue, "waits", "waits");
        Progress.until(() -> container.status().inFlight() == 4);
        container.stop(); // the carriers are held, so this returns only if the stop needs none
        computes = false;
        require(client.visible(queue).size() == 4, client.visible(queue) + " returned to the queue");
    }

    private void holdCarriers() {
        for (int i = 0; i < CARRIERS; i++) {
            Thread.startVirtualThread(this::compute);
        }
        Progress.until(() -> computing.getCount() == 0);
    }

    private void compute() {
        computing.countDown();
        while (computes) {
            Thread.onSpinWait();
        }
    }

    private static ListenerOptions.Visibility leaseOf(Duration lease) {
        return new ListenerOptions.Visibility(lease, Duration.ofHours(1));
    }

    private EngineContainer started(
            Queue queue, UnaryOperator<ListenerOptions.Builder> options, BatchListener<String> listener) {
        ListenerEvents events = new EventMethods() {
            @Override
            public void leaseExtended(int messages) {
                int all = extended.addAndGet(messages);
                System.out.println(all + " extensions");
            }

            @Override
            public void leaseLost() {
                lost.incrementAndGet();
            }

            @Override
            public void acknowledged(int messages) {
                int all = acknowledged.addAndGet(messages);
                System.out.println(all + " acknowledged");
            }
        };
        EngineContainer container = new EngineContainer(
                options.apply(ListenerOptions.builder("orders-listener", queue.name()))
                        .build(),
                new ListenerHandler<>(ReceivedMessage::body, listener, List.of(), ErrorHook.NONE),
                new ListenerResources(client, client, events, TimeSource.system()));
        container.start();
        return container;
    }

    private static void require(boolean condition, String otherwise) {
        if (!condition) {
            System.out.println(otherwise);
            System.exit(1);
        }
    }
}
