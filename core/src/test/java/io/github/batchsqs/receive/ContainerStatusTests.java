/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.BatchListener;
import io.github.batchsqs.BatchOutcome;
import io.github.batchsqs.TimeSource;
import io.github.batchsqs.events.ListenerEvents;
import io.github.batchsqs.receive.invoke.ErrorHook;
import io.github.batchsqs.testkit.InMemoryQueueClient;
import io.github.batchsqs.testkit.SettableTime;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a container says of an invocation that does not end, with a clock that the test sets. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ContainerStatusTests {

    private static final Duration MAX_EXTENSION = Duration.ofMinutes(10);

    private final InMemoryQueueClient sqs = new InMemoryQueueClient(TimeSource.system());
    private final SettableTime time = new SettableTime();
    private final CountDownLatch running = new CountDownLatch(1);
    private final CountDownLatch release = new CountDownLatch(1);

    @Test
    void anInvocationIsOverdueWhenItsLeasesCouldBeKeptNoLonger() throws Exception {
        var container = hanging(new ListenerOptions.Visibility(null, true, MAX_EXTENSION));
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
        var container = hanging(new ListenerOptions.Visibility(Duration.ofSeconds(40), false, MAX_EXTENSION));
        try {
            time.advance(Duration.ofSeconds(41));
            assertThat(container.status().invocationOverdueFor()).isEqualTo(Duration.ofSeconds(1));
        } finally {
            release.countDown();
            container.stop();
        }
    }

    private ListenerContainer hanging(ListenerOptions.Visibility visibility) throws InterruptedException {
        sqs.longPolling(true);
        sqs.put(sqs.createQueue("orders"), "text");
        BatchListener<String> listener = batch -> {
            running.countDown();
            release.await();
            return BatchOutcome.done();
        };
        var container = new ListenerContainer(
                ListenerOptions.builder("orders", "orders")
                        .visibility(visibility)
                        .build(),
                new ListenerHandler<>(message -> message.body(), listener, List.of(), ErrorHook.NONE),
                new ListenerResources(sqs, sqs, ListenerEvents.NONE, time));
        container.start();
        assertThat(running.await(30, TimeUnit.SECONDS)).isTrue();
        return container;
    }
}
