/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.batchsqs.BatchOutcome;
import io.github.batchsqs.MessageBatch;
import io.github.batchsqs.client.Queue;
import io.github.batchsqs.errors.InvalidOptionException;
import io.github.batchsqs.internal.receive.delivery.MessageMemory;
import io.github.batchsqs.internal.receive.invoke.PartitionedListener;
import io.github.batchsqs.listener.ListenerOptions;
import io.github.batchsqs.testkit.Faults;
import io.github.batchsqs.testkit.Progress;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Listeners whose messages in flight have little memory. */
@Execution(ExecutionMode.CONCURRENT)
class ListenerMemoryTests extends ContainerFixture {

    private static final int LARGE = 100 << 10;
    private static final int NUMBER = 6;
    private static final long MAX = 2L << 20;

    /** So many large messages fit, without any that is requested. */
    private static final int FITTING = (int) (MAX / LARGE);

    private static final Duration FOR_EVER = Duration.ofHours(1);
    private static final ListenerOptions.Acknowledge AT_ONCE =
            new ListenerOptions.Acknowledge(ListenerOptions.AcknowledgeMode.ON_SUCCESS, Duration.ZERO);

    private final MessageMemory messages = new MessageMemory(MAX);
    private final AtomicLong mostTaken = new AtomicLong();

    ListenerMemoryTests() {
        memory = messages;
    }

    @Test
    void isNeverExceededByMessagesOfTheSameSize() {
        client.faults(new Faults() {
            @Override
            public void before(Call call) {
                look();
            }

            @Override
            public void after(Call call) {
                look();
            }
        });
        String[] bodies = large(300);
        client.put(queue, bodies);
        EngineContainer container = started(
                batch -> {
                    look();
                    handled.addAll(batch.payloads());
                    return BatchOutcome.done();
                },
                options -> options.acknowledge(AT_ONCE));

        Progress.until(handled::size, bodies.length);

        assertThat(mostTaken.get()).isBetween(MAX / 2, MAX);
        assertThat(new HashSet<>(handled)).hasSize(bodies.length);
        Progress.until(() -> container.status().inFlightBytes(), 0L);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aBatchThatCannotFillStartsWhenTheMemoryIsExhausted(boolean ofGroups) {
        Queue from = ofGroups ? fifo : queue;
        ConcurrentLinkedQueue<Integer> sizes = new ConcurrentLinkedQueue<>();
        Set<String> different = ConcurrentHashMap.newKeySet();
        for (String body : large(4 * FITTING)) {
            client.putInGroup(from, body.substring(0, NUMBER), body);
        }
        EngineContainer container = started(
                batch -> {
                    sizes.add(batch.size());
                    different.addAll(batch.payloads());
                    return BatchOutcome.done();
                },
                options -> options.queue(from.name())
                        .fifoGrouping(ListenerOptions.FifoGrouping.MIXED)
                        .batchSize(10 * FITTING)
                        .batchLinger(FOR_EVER)
                        .acknowledge(AT_ONCE));

        // The last ones may linger, because they leave memory for others.
        Progress.untilMatches(different::size, count -> count > 3 * FITTING);

        assertThat(sizes).allMatch(size -> size <= FITTING).hasSizeGreaterThanOrEqualTo(3);
        container.stop();
    }

    @Test
    void aBatchWhoseMessagesFitFills() throws Exception {
        int size = FITTING * 3 / 4;
        LinkedBlockingQueue<Integer> sizes = new LinkedBlockingQueue<>();
        client.put(queue, large(size));
        started(
                batch -> {
                    sizes.add(batch.size());
                    return BatchOutcome.done();
                },
                options -> options.batchSize(size).batchLinger(FOR_EVER));

        assertThat(Progress.take(sizes)).isEqualTo(size);
    }

    @Test
    void isFreeOfThePartsOfABatchThatAreSettledWhileTheNextOneRuns() {
        int each = 4;
        client.put(
                queue,
                IntStream.range(0, 2 * each)
                        .mapToObj(i -> i % 2 + "x".repeat(LARGE - 1))
                        .toArray(String[]::new));
        started(
                new PartitionedListener<String>() {
                    @Override
                    public Object kind(String payload) {
                        return payload.charAt(0);
                    }

                    @Override
                    public BatchOutcome onBatch(MessageBatch<String> batch) {
                        boolean last = !handled.isEmpty();
                        if (last) {
                            Progress.until(messages::taken, (long) each * LARGE);
                        }
                        handled.addAll(batch.payloads());
                        return BatchOutcome.done();
                    }
                },
                options -> options.batchSize(2 * each)
                        .batchLinger(FOR_EVER)
                        .pollers(1, 1)
                        .concurrency(1)
                        .prefetch(0)
                        .acknowledge(AT_ONCE));

        Progress.until(handled::size, 2 * each);
    }

    @Test
    void mustHaveRoomForAMessage() {
        assertThatThrownBy(() -> MessageMemory.of(1_000))
                .isInstanceOf(InvalidOptionException.class)
                .hasMessageContainingAll("batchsqs.in-flight-bytes", "must be at least 1MB", "1000B");
        assertThat(MessageMemory.of(1 << 20).max()).isEqualTo(1 << 20);
        assertThat(MessageMemory.ofHeap().max()).isEqualTo(Runtime.getRuntime().maxMemory() / 8);
    }

    private void look() {
        long ignored = mostTaken.accumulateAndGet(messages.taken(), Math::max);
    }

    private static String[] large(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> "%06d".formatted(i) + "x".repeat(LARGE - NUMBER))
                .toArray(String[]::new);
    }
}
