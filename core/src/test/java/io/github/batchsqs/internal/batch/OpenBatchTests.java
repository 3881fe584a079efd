/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.batch;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.internal.support.Alarm;
import io.github.batchsqs.internal.support.SqsLimits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** An open batch that is used at random, beside the plainest one that keeps the same rules. */
class OpenBatchTests {

    private static final int ENTRIES = SqsLimits.MAX_PER_CALL;
    private static final long BYTES = SqsLimits.MAX_BYTES;
    private static final long LINGER = 5;

    private SplittableRandom random = new SplittableRandom();
    private OpenBatch<Integer, String> open = new OpenBatch<>(Duration.ofNanos(LINGER));

    /** By ordering key, or by the entry without one. */
    private final Map<Object, Sequence> sequences = new HashMap<>();

    private final List<List<Pending<Integer, String>>> calls = new ArrayList<>();
    private FlushBarrier barrier = new FlushBarrier();
    private int offered;
    private long now;

    private static final class Sequence {
        final List<Pending<Integer, String>> waiting = new ArrayList<>();
        long due;
        boolean busy;
        boolean delayed;

        boolean isSendable(long now) {
            return !busy && (!delayed || due - now <= 0);
        }
    }

    @Test
    void theNextBatchIsThatOfTheRulesWhateverHappenedBefore() {
        for (int seed = 0; seed < 500; seed++) {
            random = new SplittableRandom(seed);
            open = new OpenBatch<>(Duration.ofNanos(LINGER));
            for (int step = 0; step < 100; step++) {
                step();
            }
            while (!sequences.isEmpty()) {
                now += LINGER;
                poll();
                end(0);
            }
            assertThat(open.nanosUntilDue(now)).isEqualTo(Alarm.NEVER);
        }
    }

    private void step() {
        now += random.nextInt(2);
        switch (random.nextInt(16)) {
            case 0, 1, 2, 3, 9, 10, 11, 12 -> offer(random.nextBoolean() ? null : "key" + random.nextInt(3));
            case 4, 5, 6 -> end(3);
            case 7 -> flush();
            case 8 -> remove();
            default -> poll();
        }
    }

    private void offer(@Nullable Object key) {
        int sixteenths = random.nextInt(20) == 0 ? 17 : random.nextBoolean() ? 1 : 1 + random.nextInt(4);
        Pending<Integer, String> entry = new Pending<>(
                new BatchEntry<>(offered++, sixteenths * BYTES / 16, key, Long.MAX_VALUE / 2),
                now,
                barrier,
                entries -> List.of());
        Sequence sequence = sequenceOf(entry);
        sequence.due = sequence.waiting.isEmpty() ? now + LINGER : sequence.due;
        sequence.waiting.add(entry);
        open.offer(entry, now);
    }

    private Sequence sequenceOf(Pending<Integer, String> entry) {
        return sequences.computeIfAbsent(entry.orderingKey == null ? entry : entry.orderingKey, key -> new Sequence());
    }

    private void poll() {
        long wait = Alarm.NEVER;
        List<Pending<Integer, String>> sendable = new ArrayList<>();
        for (Sequence sequence : sequences.values()) {
            if (!sequence.waiting.isEmpty() && !sequence.busy) {
                wait = Math.min(wait, Math.max(0, sequence.due - now));
                sendable.addAll(sequence.isSendable(now) ? sequence.waiting : List.of());
            }
        }
        wait = sendable.size() >= ENTRIES || bytes(sendable) >= BYTES ? 0 : wait;
        assertThat(open.nanosUntilDue(now)).isEqualTo(wait);
        List<Pending<Integer, String>> batch = open.poll(now);
        assertThat(batch != null).isEqualTo(wait == 0);
        if (batch != null) {
            take(batch);
        }
    }

    private void take(List<Pending<Integer, String>> batch) {
        if (batch.size() > 1) {
            assertThat(batch).noneMatch(entry -> entry.alone);
            assertThat(bytes(batch)).isLessThanOrEqualTo(BYTES);
        }
        assertThat(batch.stream().filter(entry -> entry.orderingKey == null && !sequenceOf(entry).delayed))
                .isSortedAccordingTo(Comparator.comparing(entry -> entry.item));
        for (Sequence sequence : batch.stream().map(this::sequenceOf).distinct().toList()) {
            assertThat(sequence.isSendable(now)).isTrue();
            var those = batch.stream()
                    .filter(entry -> sequenceOf(entry) == sequence)
                    .toList();
            assertThat(sequence.waiting.subList(0, those.size())).isEqualTo(those);
            assertThat(fits(batch, sequence.waiting.subList(those.size(), sequence.waiting.size())))
                    .isFalse();
            sequence.waiting.removeAll(those);
            sequence.busy = true;
            sequence.delayed = false;
        }
        assertThat(sequences.entrySet())
                .noneMatch(each -> each.getKey() instanceof String
                        && each.getValue().isSendable(now)
                        && fits(batch, each.getValue().waiting));
        calls.add(batch);
    }

    private static boolean fits(List<Pending<Integer, String>> batch, List<Pending<Integer, String>> more) {
        boolean full = more.isEmpty() || batch.size() == ENTRIES || batch.getFirst().alone || more.getFirst().alone;
        return !full && bytes(batch) + more.getFirst().bytes <= BYTES;
    }

    /** Ends the oldest call. One of so many of its entries is tried again; 0 for none. */
    private void end(int again) {
        if (calls.isEmpty()) {
            return;
        }
        List<Pending<Integer, String>> batch = calls.removeFirst();
        List<Pending<Integer, String>> retried = batch.stream()
                .filter(entry -> again > 0 && random.nextInt(again) == 0)
                .toList();
        long notBefore = now + random.nextInt(9);
        boolean alone = random.nextInt(4) == 0;
        for (Pending<Integer, String> entry : retried.reversed()) {
            entry.alone |= alone;
            Sequence sequence = sequenceOf(entry);
            sequence.waiting.addFirst(entry);
            sequence.due = notBefore;
            sequence.delayed = true;
        }
        for (Sequence sequence : batch.stream().map(this::sequenceOf).distinct().toList()) {
            sequence.busy = false;
            if (!sequence.delayed && !sequence.waiting.isEmpty()) {
                sequence.due = sequence.waiting.getFirst().barrier.closed() ? now : now + LINGER;
            }
        }
        dropEmpty();
        open.ended(batch, retried, notBefore, now);
    }

    private void flush() {
        barrier.close();
        barrier = new FlushBarrier();
        sequences.values().stream().filter(each -> each.isSendable(now)).forEach(each -> each.due = now);
        open.flush(now);
    }

    private void remove() {
        int rest = random.nextInt(3);
        List<Pending<Integer, String>> removed = new ArrayList<>();
        sequences
                .values()
                .forEach(each -> each.waiting.removeIf(entry -> entry.item % 3 == rest && removed.add(entry)));
        dropEmpty();
        assertThat(open.removeIf(entry -> entry.item % 3 == rest)).containsExactlyInAnyOrderElementsOf(removed);
    }

    private void dropEmpty() {
        sequences.values().removeIf(each -> each.waiting.isEmpty() && !each.busy);
    }

    private static long bytes(List<Pending<Integer, String>> entries) {
        return entries.stream().mapToLong(entry -> entry.bytes).sum();
    }
}
