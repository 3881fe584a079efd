/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.BatchListener;
import io.github.batchsqs.BatchOutcome;
import io.github.batchsqs.SqsMessage;
import io.github.batchsqs.listener.ListenerOptions;
import io.github.batchsqs.listener.ReceiveWait;
import io.github.batchsqs.testkit.LogCapture;
import io.github.batchsqs.testkit.Progress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The threads that handlers run on, and custom executors. */
@Execution(ExecutionMode.CONCURRENT)
class ContainerThreadsTests extends ContainerFixture {

    @Test
    void theHandlerRunsOnAVirtualThreadThatIsNamed() throws Exception {
        EngineContainer container = started(namingItsThread());
        client.put(queue, "a");
        assertThat(take()).isEqualTo("virtual batchsqs-orders-listener-worker-1");
        container.stop();
    }

    @Test
    void theHandlerRunsOnAPlatformThreadOnRequest() throws Exception {
        EngineContainer container = started(
                namingItsThread(),
                options -> options.concurrency(1).executor(new ListenerOptions.InvocationExecutor.Platform()));
        container.setConcurrency(2);
        client.put(queue, "a");
        assertThat(take()).isEqualTo("platform batchsqs-orders-listener-worker-1");
        container.stop();
    }

    @Test
    void batchesThatACustomExecutorFailsAreLoggedOnceAMinute() {
        AtomicInteger refusals = new AtomicInteger();
        try (LogCapture log = LogCapture.warnings()) {
            EngineContainer container = started(
                    collect,
                    options -> options.batchSize(1).executor(new ListenerOptions.InvocationExecutor.Custom(task -> {
                        refusals.incrementAndGet();
                        throw new IllegalStateException("broken");
                    })));
            client.put(queue, "a", "b", "c");
            Progress.until(() -> refusals.get() >= 3);
            container.stop();
            assertThat(log.event("the executor refused"))
                    .contains("IllegalStateException: broken", "at most one such line a minute");
        }
    }

    @Test
    void aMessageWhoseBatchTheExecutorRefusesIsReceivedOnceAndNothingElseIsReceivedMeanwhile() throws Exception {
        AtomicBoolean refuses = new AtomicBoolean(true);
        ExecutorService inTurn =
                Executors.newSingleThreadExecutor(Thread.ofVirtual().factory());
        EngineContainer container = started(
                BatchListener.of(batch -> batch.forEach(each -> handled.add(each.payload() + each.receiveCount()))),
                options -> options.batchSize(1)
                        .waitTime(Duration.ZERO)
                        .executor(new ListenerOptions.InvocationExecutor.Custom(task -> {
                            if (refuses.get()) {
                                throw new RejectedExecutionException("full");
                            }
                            inTurn.execute(task);
                        })));
        client.put(queue, "a");
        Progress.until(() -> {
            ReceiveWait wait = container.status().receiveWait();
            return wait != null && wait.reason().equals("executor");
        });
        client.put(queue, "b");
        refuses.set(false);
        assertThat(List.of(take(), take())).containsExactly("a1", "b1");
        Progress.until(() -> client.deleted(queue).size(), 2);
        inTurn.close();
    }

    private BatchListener<String> namingItsThread() {
        return batch -> {
            Thread thread = Thread.currentThread();
            for (SqsMessage<String> message : batch) {
                assertThat(message.payload()).isEqualTo("a");
            }
            handled.add((thread.isVirtual() ? "virtual " : "platform ") + thread.getName());
            return BatchOutcome.done();
        };
    }
}
