/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.BatchListener;
import io.github.batchsqs.BatchOutcome;
import io.github.batchsqs.MessageBatch;
import io.github.batchsqs.client.Queue;
import io.github.batchsqs.client.ReceivedMessage;
import io.github.batchsqs.events.ListenerEvents;
import io.github.batchsqs.internal.receive.invoke.ListenerHandler;
import io.github.batchsqs.internal.support.TimeSource;
import io.github.batchsqs.listener.BatchInterceptor;
import io.github.batchsqs.listener.ContainerState;
import io.github.batchsqs.listener.ErrorHook;
import io.github.batchsqs.listener.ListenerOptions;
import io.github.batchsqs.model.sqs.QueueSettings;
import io.github.batchsqs.testkit.InMemoryQueueClient;
import io.github.batchsqs.testkit.Progress;
import io.github.batchsqs.testkit.SettableTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** No handler runs on a message that a stop has returned to the queue, and a stop interrupts none before its deadline. */
@Execution(ExecutionMode.CONCURRENT)
class StoppedInvocationsTests {

    /** What is visible again was returned, no lease ran out. */
    private static final QueueSettings LEASED_FOR_LONG =
            QueueSettings.DEFAULT.withVisibilityTimeout(Duration.ofHours(1));

    private final InMemoryQueueClient client = new InMemoryQueueClient(TimeSource.system());
    /** Each step of a stop gets its whole time, however slow this machine is. */
    private final SettableTime standingStill = new SettableTime();

    private final Queue standard = client.createQueue("orders", LEASED_FOR_LONG);
    private final Queue fifo = client.createQueue("orders.fifo", LEASED_FOR_LONG);
    private final List<String> runs = new CopyOnWriteArrayList<>();
    private final List<BatchInterceptor> interceptors = new ArrayList<>();

    StoppedInvocationsTests() {
        client.longPolling(true);
    }

    @AfterEach
    void nothingIsLost() {
        client.assertNothingLost();
        client.assertNoMisuse();
    }

    @Test
    void aTaskThatTheExecutorStillQueuesAfterTheStopRunsNoHandler() throws Exception {
        LinkedBlockingQueue<Runnable> tasks = new LinkedBlockingQueue<>();
        EngineContainer container = started("orders.fifo", tasks::add, options -> options, collect());
        client.putInGroup(fifo, "g", "a", "b", "c");
        Runnable task = taken(tasks);

        stop(container); // does not wait for what has not begun

        assertThat(client.visible(fifo)).hasSize(3);
        task.run();
        tasks.forEach(Runnable::run);
        assertThat(runs).isEmpty();
        assertThat(client.visible(fifo)).hasSize(3);
    }

    @Test
    void retryingIndividuallyEndsWithTheStop() throws Exception {
        CountDownLatch stopped = new CountDownLatch(1);
        CountDownLatch ended = new CountDownLatch(1);
        EngineContainer container = started(
                "orders",
                runAndThen(ended::countDown),
                options -> options.batchSize(3).batchLinger(Duration.ofMinutes(1)),
                batch -> {
                    if (batch.size() > 1) {
                        throw new IllegalStateException("one of them is poison");
                    }
                    runs.addAll(batch.payloads());
                    awaitWhateverHappens(stopped);
                    return BatchOutcome.done();
                });
        client.put(standard, "a", "b", "c");
        Progress.until(runs::size, 1);

        stop(container);

        Progress.until(() -> client.visible(standard).size(), 3);
        stopped.countDown();
        Progress.await(ended);
        assertThat(runs).hasSize(1);
        assertThat(client.visible(standard)).hasSize(3);
    }

    @Test
    void aBatchWhoseInterceptorOutlastsTheStopDoesNotRun() throws Exception {
        CountDownLatch intercepting = new CountDownLatch(1);
        CountDownLatch stopped = new CountDownLatch(1);
        CountDownLatch ended = new CountDownLatch(1);
        interceptors.add(new BatchInterceptor() {
            @Override
            public void before(MessageBatch<?> batch) {
                intercepting.countDown();
                awaitWhateverHappens(stopped);
            }
        });
        EngineContainer container = started("orders", runAndThen(ended::countDown), options -> options, collect());
        client.put(standard, "a");
        Progress.await(intercepting);

        stop(container);

        stopped.countDown();
        Progress.await(ended);
        assertThat(runs).isEmpty();
        assertThat(client.visible(standard)).hasSize(1);
    }

    @Test
    void aStopDoesNotInterruptAHandlerThatTheExecutorRunsOnThePollersThread() throws Exception {
        CountDownLatch mayEnd = new CountDownLatch(1);
        List<Boolean> interrupted = new CopyOnWriteArrayList<>();
        EngineContainer container = started(
                "orders",
                Runnable::run,
                options -> options.shutdownTimeout(Duration.ofSeconds(40)).batchSize(1),
                batch -> {
                    runs.addAll(batch.payloads());
                    try {
                        mayEnd.await();
                    } catch (InterruptedException e) {
                        interrupted.add(true);
                    }
                    return BatchOutcome.done();
                });
        client.put(standard, "a");
        Progress.until(runs::size, 1);
        FutureTask<Boolean> stop = new FutureTask<>(container::stop, true);
        Thread.ofVirtual().start(stop);
        Progress.until(() -> container.status().pollers() == 0);

        mayEnd.countDown();

        assertThat(Progress.get(stop)).isTrue();
        assertThat(interrupted).isEmpty();
        client.assertDrained(standard);
    }

    private BatchListener<String> collect() {
        return BatchListener.of(batch -> runs.addAll(batch.payloads()));
    }

    private static Executor runAndThen(Runnable after) {
        return task -> Thread.ofVirtual().start(() -> {
            task.run();
            after.run();
        });
    }

    /** To its very end: a caller waits for a stop in the time of the machine, whose steps last as long as they like here. */
    private static void stop(EngineContainer container) {
        container.stop();
        Progress.until(container::state, ContainerState.STOPPED);
    }

    private static Runnable taken(LinkedBlockingQueue<Runnable> tasks) throws InterruptedException {
        Runnable task = Progress.take(tasks);
        if (task == null) {
            throw new AssertionError("nothing was handed to the executor");
        }
        return task;
    }

    /** As a handler does that ignores its interrupt. */
    private static void awaitWhateverHappens(CountDownLatch latch) {
        boolean over = false;
        while (!over) {
            try {
                latch.await();
                over = true;
            } catch (InterruptedException e) {
                over = latch.getCount() == 0;
            }
        }
    }

    private EngineContainer started(
            String queue,
            Executor executor,
            UnaryOperator<ListenerOptions.Builder> options,
            BatchListener<String> listener) {
        return started(queue, executor, options, ReceivedMessage::body, listener);
    }

    private EngineContainer started(
            String queue,
            Executor executor,
            UnaryOperator<ListenerOptions.Builder> options,
            Function<ReceivedMessage, String> converter,
            BatchListener<String> listener) {
        ListenerOptions.Builder defaults = ListenerOptions.builder("listener", queue)
                .shutdownTimeout(Duration.ofSeconds(5))
                .executor(new ListenerOptions.InvocationExecutor.Custom(executor))
                .failure(new ListenerOptions.Failure(
                        ThrowingPartsTests.SOON, true, List.of(), ListenerOptions.Failure.NO_DEAD_LETTER));
        EngineContainer container = new EngineContainer(
                options.apply(defaults).build(),
                new ListenerHandler<>(converter, listener, interceptors, ErrorHook.NONE),
                new ListenerResources(client, client, ListenerEvents.NONE, standingStill));
        container.start();
        return container;
    }
}
