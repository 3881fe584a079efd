/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.Backoff;
import io.github.batchsqs.BatchOutcome;
import io.github.batchsqs.MessageBatch;
import io.github.batchsqs.PartialBatchException;
import io.github.batchsqs.SqsMessage;
import io.github.batchsqs.client.Queue;
import io.github.batchsqs.client.ReceivedMessage;
import io.github.batchsqs.events.ListenerEvents;
import io.github.batchsqs.internal.receive.invoke.ListenerHandler;
import io.github.batchsqs.internal.support.TimeSource;
import io.github.batchsqs.listener.ListenerOptions;
import io.github.batchsqs.testkit.InMemoryQueueClient;
import io.github.batchsqs.testkit.Progress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * An executor, an interceptor, an error hook and a handler that each throw now and then: every message is handled at last, groups
 * keep their order, and every permit returns.
 */
class ThrowingPartsTests {

    /** No delay, or the second that SQS makes of any fraction. */
    static final Backoff SOON = Backoff.exponential(Duration.ofNanos(1), Duration.ofNanos(1));

    private static final int GROUPS = 50;
    private static final int EACH = 100;

    private final InMemoryQueueClient client = new InMemoryQueueClient(TimeSource.system());
    private final RaceFailures failures = new RaceFailures();
    private final AtomicInteger batches = new AtomicInteger();
    private final Set<String> seen = ConcurrentHashMap.newKeySet();
    private final LinkedBlockingQueue<String> handled = new LinkedBlockingQueue<>();

    @Test
    void ofAFifoQueueLeaveNoGroupBehindAndKeepItsOrder() {
        Queue queue = client.createQueue("orders.fifo");
        for (int i = 0; i < EACH; i++) {
            for (int group = 0; group < GROUPS; group++) {
                client.putInGroup(queue, "group" + group, group + "-" + i);
            }
        }
        client.longPolling(true);
        EngineContainer container = new EngineContainer(
                ListenerOptions.builder("throwing", queue.name())
                        .failure(new ListenerOptions.Failure(
                                SOON, true, List.of(), ListenerOptions.Failure.NO_DEAD_LETTER))
                        .executor(new ListenerOptions.InvocationExecutor.Custom(failures))
                        .build(),
                new ListenerHandler<>(ReceivedMessage::body, this::handle, List.of(failures), failures),
                new ListenerResources(client, client, ListenerEvents.NONE, TimeSource.system()));
        failures.begin();
        container.start();
        List<String> order = new ArrayList<>();
        while (order.size() < GROUPS * EACH) {
            order.add(Progress.take(handled));
        }
        container.pause(); // an open receive has permits too
        Progress.until(() -> container.status().permits() == 0);
        container.stop();

        client.assertDrained(queue);
        client.assertNothingLost();
        client.assertNoMisuse();
        for (int group = 0; group < GROUPS; group++) {
            String prefix = group + "-";
            assertThat(order.stream().filter(body -> body.startsWith(prefix)))
                    .as("group %d", group)
                    .containsExactlyElementsOf(
                            IntStream.range(0, EACH).mapToObj(i -> prefix + i).toList());
        }
    }

    @SuppressWarnings("NullAway") // what a handler in a language without nullness may do
    private BatchOutcome handle(MessageBatch<String> batch) {
        failures.throwOnceIn(23);
        int number = batches.incrementAndGet();
        if (number % 31 == 0) {
            throw PartialBatchException.of(batch.messages(), number % 2 == 0 ? new RaceFailures.Indescribable() : null);
        }
        if (number % 37 == 0) { // there is no queue for them, so they return
            BatchOutcome.Builder outcome = BatchOutcome.perMessage();
            batch.forEach(message -> outcome.deadLetter(message, new RaceFailures.IndescribableError()));
            return outcome.build();
        }
        if (number % 41 == 0) {
            Thread.currentThread().interrupt();
        }
        for (SqsMessage<String> message : batch) {
            if (seen.add(message.id())) {
                handled.add(message.payload());
            }
        }
        return BatchOutcome.done();
    }
}
