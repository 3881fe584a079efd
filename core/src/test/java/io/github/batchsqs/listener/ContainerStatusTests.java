/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.listener;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.BatchListener;
import io.github.batchsqs.BatchOutcome;
import io.github.batchsqs.events.ListenerEvents;
import io.github.batchsqs.internal.receive.EngineContainer;
import io.github.batchsqs.internal.receive.ListenerResources;
import io.github.batchsqs.internal.receive.invoke.ListenerHandler;
import io.github.batchsqs.internal.support.TimeSource;
import io.github.batchsqs.testkit.InMemoryQueueClient;
import io.github.batchsqs.testkit.Progress;
import io.github.batchsqs.testkit.SettableTime;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;

/** What a container says of an invocation that does not end, with a clock that the test sets. */
class ContainerStatusTests {

    private static final Duration MAX_EXTENSION = Duration.ofMinutes(10);

    private final InMemoryQueueClient sqs = new InMemoryQueueClient(TimeSource.system());
    private final SettableTime time = new SettableTime();
    private final CountDownLatch running = new CountDownLatch(1);
    private final CountDownLatch release = new CountDownLatch(1);

    @Test
    void anInvocationIsOverdueWhenItsLeasesCouldBeKeptNoLonger() throws Exception {
        var container = hanging(new ListenerOptions.Visibility(null, MAX_EXTENSION));
        try {
            time.advance(MAX_EXTENSION);
            assertThat(container.status().longestInvocation()).isEqualTo(MAX_EXTENSION);
            assertThat(container.status().invocationOverdueFor()).isZero();

            time.advance(Duration.ofSeconds(7));
            assertThat(container.status().invocationOverdueFor()).isEqualTo(Duration.ofSeconds(7));
        } finally {
            release.countDown();
            container.stop();
        }
        assertThat(container.status().invocationOverdueFor()).isZero();
    }

    @Test
    void whereLeasesAreNotExtendedTheVisibilityTimeoutCounts() throws Exception {
        var container = hanging(new ListenerOptions.Visibility(Duration.ofSeconds(40), Duration.ZERO));
        try {
            time.advance(Duration.ofSeconds(41));
            assertThat(container.status().invocationOverdueFor()).isEqualTo(Duration.ofSeconds(1));
        } finally {
            release.countDown();
            container.stop();
        }
    }

    @Test
    void aBatchThatTheExecutorNeverBeginsIsOverdueToo() {
        sqs.longPolling(true);
        sqs.put(sqs.createQueue("orders"), "text");
        var tasks = new LinkedBlockingQueue<Runnable>();
        var container = new EngineContainer(
                ListenerOptions.builder("orders", "orders")
                        .visibility(new ListenerOptions.Visibility(null, MAX_EXTENSION))
                        .executor(new ListenerOptions.InvocationExecutor.Custom(tasks::add))
                        .build(),
                new ListenerHandler<>(
                        message -> message.body(), batch -> BatchOutcome.done(), List.of(), ErrorHook.NONE),
                new ListenerResources(sqs, sqs, ListenerEvents.NONE, time));
        container.start();
        try {
            Progress.until(tasks::size, 1);
            time.advance(MAX_EXTENSION.plusSeconds(7));
            assertThat(container.status().invocationOverdueFor()).isEqualTo(Duration.ofSeconds(7));
        } finally {
            container.stop();
        }
    }

    private EngineContainer hanging(ListenerOptions.Visibility visibility) throws InterruptedException {
        sqs.longPolling(true);
        sqs.put(sqs.createQueue("orders"), "text");
        BatchListener<String> listener = batch -> {
            running.countDown();
            release.await();
            return BatchOutcome.done();
        };
        var container = new EngineContainer(
                ListenerOptions.builder("orders", "orders")
                        .visibility(visibility)
                        .build(),
                new ListenerHandler<>(message -> message.body(), listener, List.of(), ErrorHook.NONE),
                new ListenerResources(sqs, sqs, ListenerEvents.NONE, time));
        container.start();
        Progress.await(running);
        return container;
    }
}
