/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.send;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.batchsqs.client.Queue;
import io.github.batchsqs.errors.BatchSqsException;
import io.github.batchsqs.events.SenderEvents;
import io.github.batchsqs.testkit.InMemoryQueueClient;
import io.github.batchsqs.time.TimeSource;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Senders of queues in memory. */
class QueueSendersTests {

    private static final Duration MAX_BLOCK = Duration.ofHours(1);

    private final InMemoryQueueClient sqs = new InMemoryQueueClient(TimeSource.system());
    private final Queue queue = sqs.createQueue("q");
    private final SenderOptions options = SenderOptions.defaults();

    @Test
    void keepsNoSenderThatCouldNotBeStarted() throws Exception {
        AtomicInteger made = new AtomicInteger();
        ThreadFactory virtual = Thread.ofVirtual().factory();
        ThreadFactory failsFirst = task -> {
            if (made.incrementAndGet() == 1) {
                throw new OutOfMemoryError("unable to create native thread, by a test's wish");
            }
            return virtual.newThread(task);
        };
        QueueSenders senders = new QueueSenders(
                new QueueLookUps(
                        sqs,
                        options,
                        new QueueEvents(name -> SenderEvents.NONE, TimeSource.system()),
                        TimeSource.system(),
                        task -> virtual.newThread(task).start()),
                found -> new QueueSender(
                        found,
                        options,
                        sqs,
                        SenderEvents.NONE,
                        TimeSource.system(),
                        new SendBuffer(options.buffer()),
                        new SenderThreads(failsFirst, virtual),
                        null));
        try {
            assertThatThrownBy(() -> senders.find("q", MAX_BLOCK))
                    .isInstanceOfSatisfying(
                            BatchSqsException.class,
                            e -> assertThat(e.retryable()).isTrue())
                    .hasMessageContaining("'q'")
                    .hasMessageContaining("unable to create native thread");
            assertThat(senders.all()).isEmpty();
            assertThat(senders.known("q")).isNull();

            QueueSender sender = Objects.requireNonNull(senders.find("q", MAX_BLOCK));
            assertThat(sender.queue()).isEqualTo(queue);
            assertThat(senders.all()).containsExactly(sender);
            assertThat(made).hasValue(2);
        } finally {
            senders.close();
        }
    }
}
