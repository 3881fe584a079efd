/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.batch;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.Backoff;
import io.github.batchsqs.internal.client.EntryResult;
import io.github.batchsqs.internal.client.EntryResult.Accepted;
import io.github.batchsqs.internal.client.EntryResult.Rejected;
import io.github.batchsqs.testkit.SettableTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * One random history of a {@link Batcher}: entries come, time passes, calls run in any order and end in any way, some hang;
 * in between flushes, and a close at the end or before.
 *
 * <p>A call is in flight from the step that starts it to the step that runs it. The server behind takes each entry once, as
 * deduplication does. Responses get lost only for calls that the server took whole or not at all: of a call that was taken in
 * part without a response, nobody could keep the order.
 */
final class BatcherHistory {

    private static final int MAX_ENTRIES = 10;
    private static final Duration LIFE = Duration.ofSeconds(2);

    private final Random random;
    private final SettableTime time = new SettableTime();
    private final int maxInFlight;
    private final long maxBytes;
    private final boolean faulty;
    private final Batcher<Item, String> batcher;

    private final List<InFlight> inFlight = new ArrayList<>();
    private final List<Runnable> completions = new ArrayList<>();
    private final List<Added> added = new ArrayList<>();
    private final List<CompletableFuture<Void>> flushes = new ArrayList<>();
    private final Map<Object, Integer> offered = new HashMap<>();
    private final Map<Object, Integer> takenUpTo = new HashMap<>();
    private final Map<Object, Long> keyFreeSince = new HashMap<>();
    private final Set<Item> taken = new HashSet<>();
    private final Set<Item> refusedForGood = new HashSet<>();
    private long step;
    private long ticks;
    private boolean closed;
    private boolean calm;
    private boolean enoughThreads;
    private int depth;
    private int running;
    private final Set<Object> runningKeys = new HashSet<>();
    private final List<AssertionError> broken = new ArrayList<>();

    /** The step in which the call that runs now was started. */
    private long startedAt;

    record Item(@Nullable Object key, int number, long bytes) {}

    private record InFlight(Runnable call, long since, boolean hangs) {}

    private record Added(Item item, long deadline, CompletableFuture<String> future, AtomicInteger completions) {}

    BatcherHistory(long seed) {
        random = new Random(seed);
        maxInFlight = 1 + random.nextInt(5);
        maxBytes = 50L + random.nextInt(200);
        faulty = random.nextInt(4) > 0;
        Duration linger = Duration.ofMillis(random.nextInt(3) * 5L);
        batcher = new Batcher<>(
                new BatcherSettings(
                        new BatchLimits(MAX_ENTRIES, maxBytes, linger),
                        maxInFlight,
                        new Backoff(Duration.ofMillis(10), 2, Duration.ofMillis(500), random.nextBoolean())),
                this::call,
                this::start,
                time,
                new SplittableRandom(seed));
    }

    void run() {
        int steps = 50 + random.nextInt(150);
        for (int i = 0; i < steps; i++) {
            act();
        }
        if (!closed && random.nextInt(4) == 0) {
            expire();
        }
        if (random.nextBoolean()) {
            drain();
            assertThat(batcher.size()).isZero();
            assertThat(flushes).allMatch(CompletableFuture::isDone);
        }
        close();
        check();
    }

    private void act() {
        step++;
        switch (random.nextInt(12)) {
            case 0, 1, 2, 3 -> add(1 + random.nextInt(3));
            case 4 -> add(5 + random.nextInt(20));
            case 5, 6 -> pass(random.nextInt(20));
            case 7, 8, 9 -> runOne();
            case 10 -> rare();
            default -> {
                tick();
                complete();
            }
        }
    }

    /** Completes the futures that were handed to threads of their own. */
    private void complete() {
        while (!completions.isEmpty()) {
            completions.removeFirst().run();
        }
    }

    private void rare() {
        switch (random.nextInt(10)) {
            case 0, 1, 2 -> flushes.add(batcher.flush());
            case 3 -> pass(random.nextInt(3_000));
            case 4 -> {
                if (random.nextInt(10) == 0) {
                    close();
                }
            }
            default -> pass(random.nextInt(200));
        }
    }

    private void add(int count) {
        List<BatchEntry<Item>> entries = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Object key = random.nextInt(3) == 0 ? null : "key" + random.nextInt(6);
            int number = offered.merge(key == null ? "none" : key, 1, Integer::sum);
            Item item = new Item(key, number, 1 + random.nextInt(50));
            // With an ordering key deadlines grow, as with one delivery timeout.
            long deadline = time.nanos() + LIFE.toNanos();
            entries.add(new BatchEntry<>(item, item.bytes(), key, deadline));
        }
        boolean wasClosed = closed;
        List<CompletableFuture<String>> futures = batcher.addAll(entries);
        for (int i = 0; i < count; i++) {
            Added each =
                    new Added(entries.get(i).item(), entries.get(i).deadline(), futures.get(i), new AtomicInteger());
            var ignored = each.future().whenComplete((value, failure) -> {
                each.completions().incrementAndGet();
                maybeActAtOnce();
            });
            if (wasClosed) {
                assertThat(futures.get(i)).isCompletedExceptionally();
            }
            added.add(each);
        }
    }

    private void pass(long millis) {
        time.advance(Duration.ofMillis(millis));
        if (random.nextInt(3) > 0) {
            tick();
        }
    }

    private void start(Runnable call) {
        if (call instanceof Completion) {
            throwAtTimes();
            completions.add(call);
            return;
        }
        throwAtTimes();
        inFlight.add(new InFlight(call, step, faulty && !calm && random.nextInt(20) == 0));
        require(inFlight.size() + running <= maxInFlight, "calls in flight");
    }

    /** There may be no thread for a call, or for the futures of one. */
    private void throwAtTimes() {
        if (faulty && !calm && !enoughThreads && random.nextInt(40) == 0) {
            throw new OutOfMemoryError("generated: no thread");
        }
    }

    private void runOne() {
        List<InFlight> able =
                inFlight.stream().filter(each -> calm || !each.hangs()).toList();
        if (!able.isEmpty()) {
            run(able.get(random.nextInt(able.size())));
        }
    }

    private void run(InFlight next) {
        inFlight.remove(next);
        long before = startedAt;
        startedAt = next.since();
        step++;
        next.call().run();
        boolean interrupted = Thread.interrupted();
        // Within a call, whose thread is this one too, it may be that call which was aborted.
        assertThat(interrupted && !faulty && depth == 0).isFalse();
        startedAt = before;
    }

    private List<EntryResult<String>> call(List<Item> batch) throws InterruptedException {
        try {
            return checkedCall(batch);
        } catch (AssertionError e) {
            // The batcher takes it for a call that failed.
            broken.add(e);
            throw e;
        }
    }

    private List<EntryResult<String>> checkedCall(List<Item> batch) throws InterruptedException {
        require(!batch.isEmpty() && batch.size() <= MAX_ENTRIES, "entries of a call");
        require(batch.stream().mapToLong(Item::bytes).sum() <= maxBytes, "bytes of a call");
        Set<Object> keys = new HashSet<>();
        Map<Object, Integer> last = new HashMap<>();
        for (Item item : batch) {
            require(!refusedForGood.contains(item), "sent again although refused for good");
            if (item.key() != null) {
                keys.add(item.key());
                require(item.number() > last.getOrDefault(item.key(), 0), "order within a call");
                last.put(item.key(), item.number());
            }
        }
        for (Object key : keys) {
            require(keyFreeSince.getOrDefault(key, -1L) <= startedAt, "one batch with an ordering key in flight");
            require(runningKeys.add(key), "one batch with an ordering key running");
        }
        running++;
        long ticksBefore = ticks;
        try {
            maybeActAtOnce();
            return respond(batch, ticksBefore < ticks);
        } finally {
            running--;
            step++;
            keys.forEach(key -> keyFreeSince.put(key, step));
            runningKeys.removeAll(keys);
        }
    }

    /** What other threads do during a call or a callback. */
    private void maybeActAtOnce() {
        if (depth < 3 && random.nextInt(20) == 0) {
            depth++;
            act();
            depth--;
        }
    }

    /** A tick may abort a call, whose failure then says nothing about its entries. */
    private void tick() {
        ticks++;
        batcher.tick();
    }

    /** @param mayBeAborted whether the batcher may have interrupted this call */
    private List<EntryResult<String>> respond(List<Item> batch, boolean mayBeAborted) throws InterruptedException {
        return switch (faulty && !calm ? random.nextInt(12) : 11) {
            case 0 -> throw new BatcherFixture.CallFailed(true);
            case 1 -> {
                boolean forGood = random.nextInt(4) == 0 && !mayBeAborted;
                if (forGood) {
                    refusedForGood.addAll(batch);
                }
                throw new BatcherFixture.CallFailed(!forGood);
            }
            case 2 -> {
                batch.forEach(this::take);
                throw new BatcherFixture.CallFailed(true);
            }
            case 3 -> {
                if (random.nextInt(10) == 0 && !mayBeAborted) {
                    refusedForGood.addAll(batch);
                    throw new InterruptedException();
                }
                yield takeSome(batch, 5);
            }
            case 4, 5, 6 -> takeSome(batch, 2 + random.nextInt(10));
            default -> takeSome(batch, Integer.MAX_VALUE);
        };
    }

    private List<EntryResult<String>> takeSome(List<Item> batch, int refuseOneIn) {
        List<EntryResult<String>> results = new ArrayList<>();
        for (Item item : batch) {
            if (refuseOneIn == Integer.MAX_VALUE || random.nextInt(refuseOneIn) > 0 || taken.contains(item)) {
                take(item);
                results.add(new Accepted<>(nameOf(item)));
            } else if (random.nextInt(5) == 0) {
                refusedForGood.add(item);
                results.add(new Rejected<>("Bad", "bad", false));
            } else {
                results.add(new Rejected<>("InternalError", "later", true));
            }
        }
        return results;
    }

    private void take(Item item) {
        if (!taken.add(item) || item.key() == null) {
            return;
        }
        require(item.number() > takenUpTo.getOrDefault(item.key(), 0), "order with an ordering key");
        takenUpTo.put(item.key(), item.number());
    }

    /**
     * Past its deadline an entry has failed, also if its call hangs. A future that had no thread before has one when the timer
     * has looked at it twice more.
     */
    private void expire() {
        enoughThreads = true;
        List<Added> before = List.copyOf(added);
        time.advance(LIFE.multipliedBy(2));
        for (int look = 0; look < 3; look++) {
            time.advance(Duration.ofMillis(250));
            tick();
            complete();
        }
        require(before.stream().allMatch(each -> each.future().isDone()), "failed at its deadline");
    }

    /** From now on all goes well: everything must be settled in time. */
    private void drain() {
        calm = true;
        // A callback may add entries.
        for (int i = 0; batcher.size() > 0 || !inFlight.isEmpty() || anyIncomplete(); i++) {
            require(i < 10_000, "all is settled in time");
            time.advance(Duration.ofMillis(10));
            tick();
            complete();
            runOne();
        }
    }

    private boolean anyIncomplete() {
        return !completions.isEmpty()
                || added.stream().anyMatch(each -> !each.future().isDone());
    }

    private void close() {
        closed = true;
        batcher.close();
        complete();
        assertThat(batcher.size()).isZero();
    }

    private void check() {
        calm = true;
        assertThat(broken).isEmpty();
        while (!inFlight.isEmpty()) {
            runOne();
        }
        enoughThreads = true;
        for (int i = 0; anyIncomplete(); i++) { // the timer goes on after the close until all futures are complete
            require(i < 100, "all futures complete");
            time.advance(Duration.ofMillis(10));
            tick();
            complete();
        }
        assertThat(batcher.size()).isZero();
        assertThat(flushes).allMatch(CompletableFuture::isDone);
        for (Added each : added) {
            require(each.completions().get() == 1, "a future completes once");
            check(each);
        }
    }

    private void check(Added each) {
        try {
            require(each.future().get().equals(nameOf(each.item())), "the entry's own result");
            require(taken.contains(each.item()), "accepted, so taken");
        } catch (ExecutionException e) {
            if (!(e.getCause() instanceof EntryFailedException failure)) {
                throw new AssertionError("Not an entry's failure", e);
            }
            switch (failure.code()) {
                case EntryFailedException.CLOSED -> assertThat(closed).isTrue();
                case EntryFailedException.DEADLINE_EXCEEDED ->
                    assertThat(time.nanos() - each.deadline())
                            .isGreaterThan(-Duration.ofMillis(500).toNanos());
                case EntryFailedException.OUT_OF_ORDER ->
                    assertThat(each.item().number())
                            .isLessThan(takenUpTo.getOrDefault(each.item().key(), 0));
                default -> require(refusedForGood.contains(each.item()), "refused for good");
            }
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static void require(boolean holds, String what) {
        if (!holds) {
            throw new AssertionError("Does not hold: " + what);
        }
    }

    private static String nameOf(Item item) {
        return item.key() + "/" + item.number();
    }
}
