/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive;

import io.github.batchsqs.BatchListener;
import io.github.batchsqs.ReceivedMessage;
import io.github.batchsqs.client.Queue;
import io.github.batchsqs.events.ListenerEvents;
import io.github.batchsqs.internal.receive.delivery.MessageMemory;
import io.github.batchsqs.internal.receive.invoke.ListenerHandler;
import io.github.batchsqs.internal.support.TimeSource;
import io.github.batchsqs.listener.ErrorHook;
import io.github.batchsqs.listener.ListenerOptions;
import io.github.batchsqs.listener.ReceiveGate;
import io.github.batchsqs.payload.PayloadStore;
import io.github.batchsqs.testkit.Faults;
import io.github.batchsqs.testkit.InMemoryQueueClient;
import io.github.batchsqs.testkit.Operation;
import io.github.batchsqs.testkit.Progress;
import io.github.batchsqs.testkit.SettableTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;

/** Containers on a queue in memory, whose receives wait as SQS's do; no message is lost and no call breaks a rule of SQS. */
abstract class ContainerFixture {

    final InMemoryQueueClient client = new InMemoryQueueClient(TimeSource.system());
    final Queue queue = client.createQueue("orders");
    final Queue fifo = client.createQueue("orders.fifo");
    final List<EngineContainer> made = new ArrayList<>();
    final LinkedBlockingQueue<String> handled = new LinkedBlockingQueue<>();
    final BatchListener<String> collect = BatchListener.of(batch -> handled.addAll(batch.payloads()));

    /** What the listeners made from now on report to. */
    ListenerEvents events = ListenerEvents.NONE;

    /** What the listeners made from now on report failed messages to. */
    ErrorHook errorHook = ErrorHook.NONE;

    /** What the listeners made from now on ask before each receive. */
    Map<String, ReceiveGate> gates = Map.of();

    /** What the listeners made from now on have for messages in flight. */
    MessageMemory memory = MessageMemory.unlimited();

    /** Where the listeners made from now on find payloads that are outside of SQS. */
    @Nullable
    PayloadStore payloads;

    /** Each step of a stop gets its whole time, however slow this machine is. */
    final SettableTime standingStill = new SettableTime();

    ContainerFixture() {
        client.longPolling(true);
    }

    @AfterEach
    void nothingIsLostAndNoCallBrokeARule() {
        client.faults(Faults.NONE);
        made.forEach(EngineContainer::stop);
        client.assertNothingLost();
        client.assertNoMisuse();
    }

    String take() throws InterruptedException {
        return Progress.take(handled);
    }

    EngineContainer started(
            BatchListener<String> listener, UnaryOperator<ListenerOptions.Builder> options, TimeSource time) {
        EngineContainer container = container(listener, options, time);
        container.start();
        return container;
    }

    EngineContainer started(BatchListener<String> listener) {
        return started(listener, UnaryOperator.identity());
    }

    EngineContainer started(BatchListener<String> listener, UnaryOperator<ListenerOptions.Builder> options) {
        EngineContainer container = container(listener, options);
        container.start();
        return container;
    }

    EngineContainer container(BatchListener<String> listener, UnaryOperator<ListenerOptions.Builder> options) {
        return container(listener, options, TimeSource.system());
    }

    EngineContainer container(
            BatchListener<String> listener, UnaryOperator<ListenerOptions.Builder> options, TimeSource time) {
        EngineContainer container = new EngineContainer(
                options.apply(ListenerOptions.builder("orders-listener", "orders"))
                        .build(),
                new ListenerHandler<>(ReceivedMessage::body, listener, List.of(), errorHook),
                new ListenerResources(client, client, events, time, gates, memory, payloads));
        made.add(container);
        return container;
    }

    /** Counts down when such a call begins. */
    CountDownLatch latchAt(Operation operation, int calls) {
        CountDownLatch latch = new CountDownLatch(calls);
        client.faults(Faults.before(operation, call -> latch.countDown()));
        return latch;
    }

    static FutureTask<Void> async(Runnable action) {
        Callable<Void> call = () -> {
            action.run();
            return null;
        };
        FutureTask<Void> task = new FutureTask<>(call);
        Thread.ofVirtual().start(task);
        return task;
    }

    static <T> T get(FutureTask<T> task) throws Exception {
        return Progress.get(task);
    }

    /** Returns when the thread is interrupted, which it stays. */
    static void awaitInterrupt() {
        while (!Thread.currentThread().isInterrupted()) {
            LockSupport.park();
        }
    }

    static void await(CountDownLatch latch) throws InterruptedException {
        Progress.await(latch);
    }

    static void awaitUninterruptibly(CountDownLatch latch) {
        while (latch.getCount() > 0) {
            try {
                latch.await();
            } catch (InterruptedException e) {
                // that it ignores the interrupt is the point
            }
        }
    }
}
