/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive;

import static io.github.batchsqs.receive.TestQueue.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.batchsqs.BatchListener;
import io.github.batchsqs.BatchOutcome;
import io.github.batchsqs.client.Queue;
import io.github.batchsqs.client.QueueNotFoundException;
import io.github.batchsqs.listener.ContainerState;
import io.github.batchsqs.listener.ListenerOptions;
import io.github.batchsqs.testkit.ElasticMqServer;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Queues that are not there, and executors, on a real server. */
@Execution(ExecutionMode.CONCURRENT)
class StartServerTests {

    private final Runs runs = new Runs();
    private final String missing = ElasticMqServer.randomName();

    @Test
    void aMissingQueueFailsTheStart() {
        try (TestQueue other = TestQueue.standard()) {
            ListenerContainer container =
                    other.container(options -> options.queue(missing), BatchListener.of(runs::addAll));

            assertThatThrownBy(container::start)
                    .isInstanceOf(QueueNotFoundException.class)
                    .hasMessageContaining(missing);
            assertThat(container.state()).isEqualTo(ContainerState.STOPPED);
            assertThatThrownBy(container::start).isInstanceOf(QueueNotFoundException.class);
        }
    }

    @Test
    void aMissingQueueIsCreatedOnDemand() throws Exception {
        try (TestQueue other = TestQueue.standard()) {
            ListenerContainer container = other.listen(
                    options -> options.queue(missing).queueNotFound(ListenerOptions.QueueNotFound.CREATE),
                    BatchListener.of(runs::addAll));

            assertThat(container.state()).isEqualTo(ContainerState.RUNNING);
            TestQueue.existing(missing).send(3);
            eventually(() -> assertThat(runs.messages()).isEqualTo(3));
        }
    }

    @Test
    void aMissingQueueIsWaitedForAndReadWhenItAppears() throws Exception {
        try (TestQueue other = TestQueue.standard()) {
            ListenerContainer container = other.listen(
                    options -> options.queue(missing).queueNotFound(ListenerOptions.QueueNotFound.WAIT),
                    BatchListener.of(runs::addAll));
            assertThat(container.state()).isEqualTo(ContainerState.STARTING);

            ElasticMqServer.shared().client().createQueue(request -> request.queueName(missing));
            TestQueue.existing(missing).send(3);

            eventually(() -> assertThat(runs.messages()).isEqualTo(3));
            assertThat(container.state()).isEqualTo(ContainerState.RUNNING);
        }
    }

    @Test
    void aContainerThatWaitsForItsQueueCanBeStoppedAndStartedAgain() {
        try (TestQueue other = TestQueue.standard()) {
            ListenerContainer container = other.container(
                    options -> options.queue(missing).queueNotFound(ListenerOptions.QueueNotFound.WAIT),
                    BatchListener.of(runs::addAll));
            for (int i = 0; i < 3; i++) {
                container.start();
                container.stop();
                assertThat(container.state()).isEqualTo(ContainerState.STOPPED);
            }
        }
    }

    @Test
    void platformThreadsRunTheHandlerOnRequest() throws Exception {
        Set<Boolean> virtual = ConcurrentHashMap.newKeySet();
        Set<String> names = ConcurrentHashMap.newKeySet();
        try (TestQueue queue = TestQueue.standard()) {
            queue.send(100);
            queue.listen(
                    options -> options.concurrency(3).executor(new ListenerOptions.InvocationExecutor.Platform()),
                    BatchListener.of(batch -> {
                        virtual.add(Thread.currentThread().isVirtual());
                        names.add(Thread.currentThread().getName());
                        runs.addAll(batch);
                    }));

            queue.eventuallyEmpty();

            assertThat(runs.messages()).isEqualTo(100);
            assertThat(runs.repeated()).isEmpty();
            assertThat(virtual).containsExactly(false);
            assertThat(names).hasSizeLessThanOrEqualTo(3).allMatch(name -> name.startsWith("batchsqs-orders-worker-"));
        }
    }

    @Test
    void whatAnExecutorRefusesRunsLaterAndIsReceivedOnce() throws Exception {
        try (TestQueue queue = TestQueue.standard();
                ThreadPoolExecutor small =
                        new ThreadPoolExecutor(1, 1, 1, TimeUnit.SECONDS, new ArrayBlockingQueue<>(1))) {
            queue.send(40);
            queue.listen(
                    options -> options.batchSize(1)
                            .concurrency(8)
                            .executor(new ListenerOptions.InvocationExecutor.Custom(small)),
                    batch -> {
                        runs.addAll(batch);
                        TestQueue.work(Duration.ofMillis(20));
                        return BatchOutcome.done();
                    });

            queue.eventuallyEmpty();

            assertThat(runs.messages()).isEqualTo(40);
            assertThat(runs.repeated()).isEmpty();
            assertThat(queue.events.released.get()).isZero();
        }
    }

    @Test
    void aQueueIsFoundByItsUrl() throws Exception {
        try (TestQueue queue = TestQueue.standard()) {
            Queue byUrl = queue.queue();
            queue.send(3);
            queue.listen(options -> options.queue(byUrl.url()), BatchListener.of(runs::addAll));

            queue.eventuallyEmpty();

            assertThat(runs.messages()).isEqualTo(3);
        }
    }
}
