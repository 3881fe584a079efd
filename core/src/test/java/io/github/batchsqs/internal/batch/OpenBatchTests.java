/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.batch;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.internal.support.Alarm;
import io.github.batchsqs.internal.support.SqsLimits;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class OpenBatchTests {

    private static final long LINGER = 5;
    /** Of the bytes that a call may have. */
    private static final long PERCENT = SqsLimits.MAX_BYTES / 100;

    private final OpenBatch<String, String> open = new OpenBatch<>(Duration.ofNanos(LINGER));

    private FlushBarrier barrier = new FlushBarrier();

    @Test
    void waitsForTheLingerOfTheOldestEntry() {
        offer("a", null, 1, 0);
        offer("b", null, 1, 3);
        assertThat(open.nanosUntilDue(3)).isEqualTo(2);
        assertThat(open.poll(4)).isNull();
        assertThat(items(open.poll(5))).containsExactly("a", "b");
        assertThat(open.nanosUntilDue(5)).isEqualTo(Alarm.NEVER);
    }

    @Test
    void goesOutAtOnceWhenItHasTenEntries() {
        for (int i = 0; i < 11; i++) {
            offer("" + i, null, 1, 0);
        }
        assertThat(open.nanosUntilDue(0)).isZero();
        assertThat(open.poll(0)).hasSize(10);
        assertThat(open.poll(0)).isNull();
        assertThat(items(open.poll(LINGER))).containsExactly("10");
    }

    @Test
    void takesAnEntryThatIsLargerThanTheLimitAlone() {
        offer("a", null, 101, 0);
        offer("b", null, 1, 0);
        assertThat(items(open.poll(0))).containsExactly("a");
    }

    @Test
    void skipsASequenceWhoseNextEntryDoesNotFit() {
        offer("a0", "a", 60, 0);
        offer("b0", "b", 60, 0);
        offer("c0", "c", 40, 0);
        assertThat(items(open.poll(0))).containsExactly("a0", "c0");
        assertThat(items(open.poll(LINGER))).containsExactly("b0");
    }

    @Test
    void putsEntriesThatAreTriedAgainAtTheHeadOfTheirSequence() {
        offer("a0", "a", 1, 0);
        offer("a1", "a", 1, 0);
        List<Pending<String, String>> first = polled(LINGER);
        offer("a2", "a", 1, LINGER);
        open.ended(first, first, 50, LINGER);
        assertThat(open.poll(49)).isNull();
        assertThat(open.nanosUntilDue(40)).isEqualTo(10);
        assertThat(items(open.poll(50))).containsExactly("a0", "a1", "a2");
    }

    @Test
    void aSequenceThatIsTriedAgainWaitsForItsTime() {
        offer("a0", "a", 60, 0);
        var first = polled(LINGER);
        open.ended(first, first, 50, LINGER);
        offer("b", null, 1, 40);
        assertThat(items(open.poll(45))).containsExactly("b");
        assertThat(items(open.poll(50))).containsExactly("a0");
    }

    @Test
    void delaysAnEntryThatIsTriedAgain() {
        offer("a", null, 1, 0);
        List<Pending<String, String>> first = polled(LINGER);
        open.ended(first, first, 50, LINGER);
        offer("b", null, 1, 48);
        assertThat(open.nanosUntilDue(49)).isEqualTo(1);
        assertThat(open.poll(49)).isNull();
        assertThat(items(open.poll(50))).containsExactly("a", "b");
    }

    @Test
    void sendsABusySequenceAsSoonAsItIsFreeAfterAFlush() {
        for (int i = 0; i < 11; i++) {
            offer("a" + i, "a", 1, 0);
        }
        List<Pending<String, String>> first = polled(0);
        assertThat(first).hasSize(10);
        flush(1);
        offer("b", "b", 1, 2);
        open.ended(first, List.of(), 0, 3);
        assertThat(items(open.poll(3))).containsExactly("a10", "b");
    }

    @Test
    void countsTheBytesOfWhatIsInsideAlone() {
        offer("a0", "a", 60, 0);
        offer("a1", "a", 10, 0);
        assertThat(items(open.removeIf(entry -> entry.item.equals("a1")))).containsExactly("a1");
        List<Pending<String, String>> first = polled(LINGER);
        assertThat(items(first)).containsExactly("a0");
        open.ended(first, List.of(), 0, LINGER);
        offer("b", null, 101, LINGER);
        assertThat(items(open.poll(LINGER))).containsExactly("b");
    }

    @Test
    void takesAnEntryWithAnOrderingKeyWhoseOthersWereRemoved() {
        offer("a0", "a", 1, 0);
        assertThat(items(open.removeIf(entry -> true))).containsExactly("a0");
        offer("a1", "a", 1, 0);
        assertThat(items(open.poll(LINGER))).containsExactly("a1");
    }

    private void flush(long now) {
        barrier.close();
        barrier = new FlushBarrier();
        open.flush(now);
    }

    private void offer(String item, @Nullable Object orderingKey, long percent, long now) {
        open.offer(pending(item, orderingKey, percent, now, barrier), now);
    }

    private List<Pending<String, String>> polled(long now) {
        List<Pending<String, String>> batch = open.poll(now);
        return Objects.requireNonNull(batch, "no batch is due");
    }

    private static Pending<String, String> pending(
            String item, @Nullable Object orderingKey, long percent, long now, FlushBarrier barrier) {
        return new Pending<>(
                new BatchEntry<>(item, percent * PERCENT, orderingKey, Long.MAX_VALUE / 2),
                now,
                barrier,
                entries -> List.of());
    }

    private static List<String> items(@Nullable List<Pending<String, String>> batch) {
        return Objects.requireNonNull(batch, "no batch is due").stream()
                .map(each -> each.item)
                .toList();
    }
}
