/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.internal.receive.delivery.InFlightLedger;
import io.github.batchsqs.internal.receive.delivery.InFlightLimit;
import io.github.batchsqs.internal.receive.delivery.ListenerQueue;
import io.github.batchsqs.internal.receive.delivery.MessageMemory;
import io.github.batchsqs.listener.ListenerOptions;
import io.github.batchsqs.testkit.SettableTime;
import io.github.batchsqs.testkit.Sources;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the decisions of the pollers cost and delay, in simulated time: 10 ms for each receive, half of it before SQS looks. */
class TrickleTests {

    private static final long MILLI = Duration.ofMillis(1).toNanos();
    private static final long SECOND = Duration.ofSeconds(1).toNanos();
    private static final long HALF_ROUND_TRIP = 5 * MILLI;
    private static final Duration WAIT_TIME = Duration.ofSeconds(20);

    private final Random random = new Random(1);
    private final PriorityQueue<Event> events =
            new PriorityQueue<>(Comparator.comparingLong(Event::at).thenComparingLong(Event::order));
    private final ArrayDeque<Long> queue = new ArrayDeque<>();
    private final ArrayDeque<Opened> waiting = new ArrayDeque<>();
    private final Set<Poller> pollers = new HashSet<>();
    private final List<Long> delays = new ArrayList<>();
    private ListenerQueue source = source(1, 32);
    private final InFlightLimit limit = new InFlightLimit(0, MessageMemory.unlimited());
    private PollingDecisions decisions = decisions();
    private IntSupplier maxPerResponse = () -> 10;
    private long now;
    private long order;
    private int receives;
    private int rests;
    private int started;

    private record Event(long at, long order, Runnable action) {}

    private record Opened(Poller poller, long calledAt) {}

    /** With deletes of ten, a message costs a tenth of a call more. */
    @ParameterizedTest
    @CsvSource({"200, 0.28", "500, 0.16", "1000, 0.145", "3000, 0.15"})
    void aSteadyRateCostsFewReceivesAndASmallDelay(int perSecond, double receivesPerMessage) {
        put(2_000, now);
        start();
        pass(SECOND);
        assertThat(pollers).hasSize(32);

        arrive(perSecond, SECOND);
        delays.clear();
        receives = 0;
        arrive(perSecond, 10 * SECOND);

        assertThat((double) receives / delays.size()).isLessThan(receivesPerMessage);
        assertThat(pollers).hasSizeLessThanOrEqualTo(2 + perSecond / 500);
        delays.sort(Comparator.naturalOrder());
        assertThat(delays.get(delays.size() / 2)).isLessThanOrEqualTo(HALF_ROUND_TRIP + 15 * MILLI);
        assertThat(delays.getLast()).isLessThanOrEqualTo(2 * HALF_ROUND_TRIP + ReceiveSpacing.LONGEST);
    }

    @Test
    void aLoneMessageIsReceivedByTheReceiveThatIsOpen() {
        start();
        for (int message = 0; message < 100; message++) {
            pass(SECOND);
            put(1, now);
        }
        pass(SECOND);
        assertThat(delays).hasSize(100).containsOnly(HALF_ROUND_TRIP);
        assertThat(rests).isZero();
    }

    @Test
    void theFirstMessageAfterASteadyRateIsToo() {
        start();
        arrive(200, 2 * SECOND);
        assertThat(rests).isPositive();
        pass(SECOND);
        delays.clear();
        put(1, now);
        pass(SECOND);
        assertThat(delays).containsExactly(HALF_ROUND_TRIP);
    }

    @Test
    void aBurstGetsAllPollersSoon() {
        start();
        arrive(200, 2 * SECOND);
        assertThat(pollers).hasSizeLessThanOrEqualTo(2);
        put(20_000, now);
        pass(150 * MILLI);
        assertThat(pollers).hasSize(32);
        rests = 0;
        pass(200 * MILLI);
        assertThat(rests).isZero();
    }

    @Test
    void nobodyRestsInABacklogWhoseResponsesAreShort() {
        maxPerResponse = () -> random.nextInt(10) < 3 ? 10 : 1 + random.nextInt(9);
        put(50_000, now - 60 * SECOND);
        start();
        arrive(500, SECOND);
        assertThat(pollers).hasSize(32);
        assertThat(queue).hasSizeGreaterThan(10_000);
        assertThat(rests).isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {250, 1_000})
    void shortResponsesDelayNoMoreThanFullOnes(int perSecond) {
        maxPerResponse = perSecond < 500 ? () -> 4 : () -> 1 + random.nextInt(10);
        put(2_000, now);
        start();
        pass(5 * SECOND);
        arrive(perSecond, 20 * SECOND);
        delays.clear();
        arrive(perSecond, 10 * SECOND);
        delays.sort(Comparator.naturalOrder());
        assertThat(delays.get(delays.size() / 2)).isLessThanOrEqualTo(HALF_ROUND_TRIP + 15 * MILLI);
        assertThat(delays.getLast()).isLessThanOrEqualTo(2 * HALF_ROUND_TRIP + 100 * MILLI);
    }

    @Test
    void pollersComeBackWhenResponsesBecomeShort() {
        put(5_000, now);
        start();
        arrive(2_000, 3 * SECOND);
        int before = pollers.size();
        maxPerResponse = () -> 1 + random.nextInt(3);
        arrive(2_000, 10 * SECOND);
        assertThat(pollers).hasSizeGreaterThan(before);
        assertThat(queue).hasSizeLessThan(1_000);
    }

    @Test
    void pollersAreNotStartedAndRetiredAllTheTime() {
        put(2_000, now);
        start();
        pass(SECOND);
        arrive(1_000, 2 * SECOND);
        started = 0;
        arrive(1_000, 10 * SECOND);
        assertThat(started).isLessThan(10 * 20);
    }

    /** A fixed number of pollers, the order of a group, and a minimum interval, which has rests of its own. */
    @ParameterizedTest
    @CsvSource({"orders, 3, 3, 0", "orders.fifo, 1, 32, 0", "orders, 1, 32, 1"})
    void nobodyRestsWhereSomethingElseComesBeforeFewerCalls(String name, int min, int max, long interval) {
        source = source(name, new ListenerOptions.Pollers(min, max, Duration.ofNanos(interval)));
        decisions = decisions();
        start();
        arrive(200, 2 * SECOND);
        assertThat(rests).isZero();
    }

    @Test
    void norDoesOneThatIsFixedLater() {
        start();
        arrive(200, SECOND);
        decisions.setPollers(2, 2);
        rests = 0;
        arrive(200, SECOND);
        assertThat(pollers).hasSize(2);
        assertThat(rests).isZero();
    }

    // ---- the pollers, as Pollers and Fetcher run them

    private void start() {
        startMissing();
    }

    private void startMissing() {
        while (pollers.size() < decisions.pollers()) {
            Poller poller = new Poller(source, new ReentrantLock().newCondition());
            pollers.add(poller);
            started++;
            at(now, () -> next(poller));
        }
    }

    private void next(Poller poller) {
        startMissing();
        if (pollers.size() > decisions.pollers()) {
            pollers.remove(poller);
            decisions.retired(poller);
            return;
        }
        Closed closed = decisions.closed(poller, now);
        if (closed != null) {
            assertThat(closed.reason()).isIn("spacing", "pause");
            rests += closed.reason().equals("spacing") ? 1 : 0;
            at(now + closed.nanos(), () -> next(poller));
            return;
        }
        assertThat(decisions.begin(poller, false, now))
                .extracting(OpenReceive::asked)
                .isEqualTo(10);
        receives++;
        Opened receive = new Opened(poller, now);
        at(now + HALF_ROUND_TRIP, () -> look(receive));
    }

    private void succeeded(Opened receive, List<Long> messages) {
        messages.forEach(sentAt -> delays.add(now - sentAt));
        long took = now - receive.calledAt();
        long age = messages.isEmpty() ? ReceiveSpacing.UNKNOWN_AGE : now - messages.getLast();
        limit.settleReceive(10, 0, 0);
        receive.poller().succeeded(new OpenReceive(receive.calledAt(), WAIT_TIME, 10), messages.size(), took, now);
        decisions.succeeded(messages.size(), 10, false, took, age, now);
        next(receive.poller());
    }

    // ---- SQS

    private void look(Opened receive) {
        waiting.add(receive);
        serve();
        at(receive.calledAt() + WAIT_TIME.toNanos(), () -> {
            if (waiting.remove(receive)) {
                succeeded(receive, List.of());
            }
        });
    }

    private void serve() {
        while (!queue.isEmpty() && !waiting.isEmpty()) {
            Opened receive = waiting.remove();
            int messages = Math.min(queue.size(), maxPerResponse.getAsInt());
            List<Long> taken =
                    IntStream.range(0, messages).mapToObj(i -> queue.remove()).toList();
            at(now + HALF_ROUND_TRIP, () -> succeeded(receive, taken));
        }
    }

    private void put(int messages, long sentAt) {
        for (int i = 0; i < messages; i++) {
            queue.add(sentAt);
        }
        serve();
    }

    // ---- time

    private void arrive(int perSecond, long during) {
        long from = now;
        for (long i = 0; i < perSecond * during / SECOND; i++) {
            pass(from + i * SECOND / perSecond - now);
            put(1, now);
        }
        pass(from + during - now);
    }

    private void at(long time, Runnable action) {
        events.add(new Event(time, order++, action));
    }

    private void pass(long time) {
        long until = now + time;
        for (Event next = events.peek(); next != null && next.at() <= until; next = events.peek()) {
            Event event = events.remove();
            now = event.at();
            event.action().run();
        }
        now = until;
    }

    private PollingDecisions decisions() {
        SettableTime time = new SettableTime();
        InFlightLedger ledger = new InFlightLedger(false, Duration.ofMinutes(5), limit, time, untracked -> {});
        Downstream downstream = new Downstream(() -> source.options().concurrency(), () -> 0, () -> 0, () -> {});
        return new PollingDecisions(source, limit, ledger, new Gates("listener", Map.of(), time), downstream, now);
    }

    private static ListenerQueue source(int min, int max) {
        return source("orders", new ListenerOptions.Pollers(min, max, Duration.ZERO));
    }

    private static ListenerQueue source(String queue, ListenerOptions.Pollers pollers) {
        return Sources.of(
                ListenerOptions.builder("listener", queue)
                        .concurrency(1_000)
                        .pollers(pollers)
                        .waitTime(WAIT_TIME)
                        .build(),
                Duration.ofSeconds(30),
                new SettableTime());
    }
}
