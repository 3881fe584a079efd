/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.BatchOutcome;
import io.github.batchsqs.client.Queue;
import io.github.batchsqs.client.ReceivedMessage;
import io.github.batchsqs.events.ListenerEvents;
import io.github.batchsqs.listener.ErrorHook;
import io.github.batchsqs.listener.ListenerHandler;
import io.github.batchsqs.listener.ListenerOptions;
import io.github.batchsqs.testkit.InMemoryQueueClient;
import io.github.batchsqs.testkit.Progress;
import io.github.batchsqs.time.TimeSource;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * An error can be thrown at any line, for example when the memory or the stack ends. Here the clock throws it, once, on the
 * thread of an invocation after its handler: the group goes on all the same, at once.
 *
 * <p>The looks that are missing here (5 and 6 of single messages, 3 and 4 of batches) are those of the deletes, when their
 * messages are claimed already. After these the group goes on when {@link Strays} has noticed it, a lease and a minute
 * later: {@link StraysTests} makes them, with a clock that need not be waited for.
 */
@Execution(ExecutionMode.CONCURRENT)
class FailingClockTests {

    private final AtomicInteger looksLeft = new AtomicInteger();
    private volatile Thread invocation = Thread.currentThread();
    private final TimeSource time = new TimeSource() {
        @Override
        public long nanos() {
            if (Thread.currentThread().equals(invocation) && looksLeft.decrementAndGet() == 0) {
                throw new StackOverflowError("as if");
            }
            return TimeSource.system().nanos();
        }

        @Override
        public Instant now() {
            return TimeSource.system().now();
        }
    };

    private final InMemoryQueueClient client = new InMemoryQueueClient(TimeSource.system());
    private final Queue queue = client.createQueue("orders.fifo");
    private final List<String> handled = new CopyOnWriteArrayList<>();

    @ParameterizedTest
    @CsvSource({"1, 1", "1, 2", "1, 3", "1, 4", "1, 7", "10, 1", "10, 2", "10, 5"})
    void aGroupGoesOnAfterAnErrorOfItsInvocation(int batchSize, int look) {
        client.longPolling(true);
        client.putInGroup(queue, "g", "a", "b", "c");
        ListenerContainer container = new ListenerContainer(
                ListenerOptions.builder("listener", queue.name())
                        .batchSize(batchSize)
                        .failure(new ListenerOptions.Failure(
                                EscapingFailuresTests.SOON, false, List.of(), ListenerOptions.Failure.NO_DEAD_LETTER))
                        .build(),
                new ListenerHandler<>(
                        ReceivedMessage::body,
                        batch -> {
                            if (handled.isEmpty()) {
                                invocation = Thread.currentThread();
                                looksLeft.set(look);
                            }
                            handled.addAll(batch.payloads());
                            return BatchOutcome.done();
                        },
                        List.of(),
                        ErrorHook.NONE),
                new ListenerResources(client, client, ListenerEvents.NONE, time));
        container.start();
        try {
            Progress.until(
                    () -> client.visible(queue).size() + client.inFlight(queue).size(), 0);
            container.pause();
            Progress.until(() -> container.status().permits(), 0);
            Progress.until(() -> container.status().activeInvocations(), 0);
            assertThat(handled.stream().distinct()).containsExactly("a", "b", "c");
            assertThat(looksLeft.get()).as("looks that were left").isNotPositive();
        } finally {
            container.stop();
        }
    }
}
