/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.fetch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.batchsqs.internal.support.SharedAsk;
import io.github.batchsqs.listener.ReceiveGate;
import io.github.batchsqs.listener.ReceiveGate.Permission;
import io.github.batchsqs.listener.ReceiveWait;
import io.github.batchsqs.testkit.LogCapture;
import io.github.batchsqs.testkit.Progress;
import io.github.batchsqs.testkit.SettableTime;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GatesTests {

    private static final Duration SECOND = Duration.ofSeconds(1);

    private final SettableTime time = new SettableTime();
    private final AtomicReference<Permission> first = new AtomicReference<>(Permission.go());
    private final AtomicReference<Permission> second = new AtomicReference<>(Permission.go());
    private final AtomicInteger asked = new AtomicInteger();
    private final ReentrantLock lock = new ReentrantLock();
    private final Poller poller = poller();

    @Test
    void theSmallestMaximumWins() throws Exception {
        Gates gates = both();
        assertThat(admitNow(gates)).isEqualTo(Poller.UNBOUNDED);
        first.set(Permission.goWithAtMost(7));
        second.set(Permission.goWithAtMost(3));
        assertThat(admitNow(gates)).isEqualTo(3);
        second.set(Permission.goWithAtMost(100));
        assertThat(admitNow(gates)).isEqualTo(7);
        assertThat(waitingOrNull(gates)).isNull();
    }

    @Test
    void theLongestWaitWinsAndNobodyAsksDuringIt() throws Exception {
        Gates gates = both();
        first.set(wait(2, "short"));
        second.set(wait(5, "long"));

        assertThat(admitNow(gates)).isZero();

        assertThat(waitingOrNull(gates))
                .isEqualTo(
                        new ReceiveWait("gate", "second: long", Duration.ZERO, Duration.ofSeconds(5), Duration.ZERO));
        time.advance(Duration.ofSeconds(4));
        assertThat(admitNow(gates)).isZero();
        assertThat(asked).hasValue(1);
        time.advance(SECOND);
        first.set(Permission.go());
        second.set(Permission.goWithAtMost(4));
        assertThat(admitNow(gates)).isEqualTo(4);
        assertThat(waitingOrNull(gates)).isNull();
    }

    @Test
    void whateverAGateThrowsIsARefusalForASecondThatIsLoggedOncePerOutage() throws Exception {
        var thrown = new AtomicReference<Throwable>(new StackOverflowError("too deep"));
        Gates gates = gates(Map.of("broken", id -> switch (thrown.get()) {
            case Error error -> throw error;
            case InterruptedException interrupt -> throw interrupt;
            case RuntimeException failure -> throw failure;
            default -> Permission.go();
        }));
        try (LogCapture log = LogCapture.warnings()) {
            assertThat(admitNow(gates)).isZero();
            assertThat(waiting(gates).detail()).isEqualTo("broken: it failed with java.lang.StackOverflowError");
            assertThat(waiting(gates).failingFor()).isZero();
            time.advance(SECOND);
            thrown.set(new InterruptedException("of its own"));
            assertThat(admitNow(gates)).isZero();
            assertThat(waiting(gates).failingFor()).isEqualTo(SECOND);
            time.advance(SECOND);
            thrown.set(new StackOverflowError("too deep"));
            assertThat(admitNow(gates)).isZero();
            assertThat(waiting(gates).failingFor()).isEqualTo(SECOND.multipliedBy(2));
            time.advance(SECOND);
            thrown.set(new Throwable("none"));
            assertThat(admitNow(gates)).isEqualTo(Poller.UNBOUNDED);

            assertThat(log.events()).hasSize(2);
            assertThat(log.events().getFirst())
                    .asString()
                    .contains("Listener orders: the gate broken fails (StackOverflowError): too deep; the listener"
                            + " receives nothing until it responds, and asks it every 1s");
        }
    }

    @Test
    void onePollerProbesWhileTheOthersWaitForItsAnswer() throws Exception {
        var answer = new CountDownLatch(1);
        Gates gates = gates(Map.of("slow", id -> {
            if (asked.incrementAndGet() == 2) {
                Progress.await(answer);
            }
            return asked.get() == 1 ? wait(1, "closed") : Permission.go();
        }));
        assertThat(admitNow(gates)).isZero();
        time.advance(SECOND);
        FutureTask<Integer> probe = admit(gates);
        Progress.until(asked::get, 2);
        assertThat(admitNow(gates)).isZero();
        assertThat(asked).hasValue(2);

        answer.countDown();

        assertThat(Progress.get(probe)).isEqualTo(Poller.UNBOUNDED);
        assertThat(admitNow(gates)).isEqualTo(Poller.UNBOUNDED);
    }

    @Test
    void aGateThatDoesNotAnswerIsReportedAndItsPollerEndsByItsInterrupt() throws Exception {
        var never = new CountDownLatch(1);
        Gates gates = gates(Map.of("stuck", id -> {
            asked.incrementAndGet();
            never.await();
            return Permission.go();
        }));
        var ask = new FutureTask<>(() -> admit(gates, poller));
        Thread thread = Thread.ofVirtual().start(ask);
        Progress.until(thread::getState, Thread.State.WAITING);
        try (LogCapture log = LogCapture.warnings()) {
            gates.recordUnanswered(time.nanos()).run();
            assertThat(waitingOrNull(gates)).isNull();
            time.advance(Duration.ofSeconds(7));
            gates.recordUnanswered(time.nanos()).run();
            gates.recordUnanswered(time.nanos()).run();
            assertThat(log.event())
                    .contains("Listener orders: the gate stuck fails (NoResponse): it has not responded for 7s");
        }
        assertThat(waitingOrNull(gates))
                .isEqualTo(new ReceiveWait(
                        "gate",
                        "stuck: it has not responded",
                        Duration.ofSeconds(7),
                        Duration.ZERO,
                        Duration.ofSeconds(7)));

        halt();
        thread.interrupt();

        assertThatThrownBy(() -> Progress.get(ask)).hasCauseInstanceOf(InterruptedException.class);
        assertThat(waitingOrNull(gates)).isNull();
    }

    /** Nobody can tell that it waits for a carrier. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aGateWhoseThreadCouldGoOnIsReportedOnlyIfItNeedsNoCarrier(boolean virtual) throws Exception {
        var done = new AtomicBoolean();
        Gates gates = gates(Map.of("busy", id -> {
            asked.incrementAndGet();
            while (!done.get()) {
                Thread.onSpinWait();
            }
            return Permission.go();
        }));
        var ask = new FutureTask<>(() -> admit(gates, poller));
        Thread ignored = virtual
                ? Thread.ofVirtual().start(ask)
                : Thread.ofPlatform().daemon().start(ask);
        Progress.until(asked::get, 1);
        time.advance(Duration.ofSeconds(7));

        ReceiveWait wait = waitingOrNull(gates);
        done.set(true);

        assertThat(wait == null).isEqualTo(virtual);
        assertThat(Progress.get(ask)).isEqualTo(Poller.UNBOUNDED);
    }

    @Test
    void afterAResetTheGatesAreAskedAtOnceAndOldAnswersDoNotCount() throws Exception {
        var answer = new CountDownLatch(1);
        Gates gates = gates(Map.of("slow", id -> {
            if (asked.incrementAndGet() == 2) {
                Progress.await(answer);
            }
            return asked.get() < 3 ? wait(3600, "closed") : Permission.go();
        }));
        assertThat(admitNow(gates)).isZero();
        time.advance(Duration.ofHours(1));
        FutureTask<Integer> old = admit(gates);
        Progress.until(asked::get, 2);

        gates.reset(time.nanos());

        assertThat(admitNow(gates)).isEqualTo(Poller.UNBOUNDED);
        answer.countDown();
        assertThat(Progress.get(old)).isZero();
        assertThat(waitingOrNull(gates)).isNull();
    }

    @Test
    void durationsOutOfTheRangeAreNoFailures() throws Exception {
        Gates gates = both();
        first.set(Permission.waitFor(Duration.ofDays(1), "long"));
        assertThat(admitNow(gates)).isZero();
        assertThat(waiting(gates).endsIn()).isEqualTo(Duration.ofHours(1));
        time.advance(Duration.ofHours(1));
        first.set(Permission.waitFor(SECOND.negated(), "short"));
        assertThat(admitNow(gates)).isZero();
        assertThat(waiting(gates).endsIn()).isEqualTo(Duration.ofMillis(10));
    }

    @Test
    void aGateThatFailsBehindATimeoutFailsOn() throws Exception {
        var timeout = new AtomicReference<>(new CountDownLatch(0));
        Gates gates = gates(Map.of("db", id -> {
            asked.incrementAndGet();
            Progress.await(timeout.get());
            throw new IllegalStateException("timeout");
        }));
        assertThat(admitNow(gates)).isZero();
        for (int probes = 1; probes <= 3; probes++) {
            time.advance(SECOND);
            var next = new CountDownLatch(1);
            timeout.set(next);
            FutureTask<Integer> probe = admit(gates);
            Progress.until(asked::get, probes + 1);
            time.advance(Duration.ofSeconds(30));
            Duration failingFor = SECOND.plusSeconds(30).multipliedBy(probes);
            Progress.until(() -> waiting(gates).detail(), "db: it has not responded");
            assertThat(waiting(gates).failingFor()).isEqualTo(failingFor);
            next.countDown();
            assertThat(Progress.get(probe)).isZero();
            assertThat(waiting(gates).failingFor()).isEqualTo(failingFor);
        }
    }

    @Test
    void aFailedGateIsNotHiddenByOneThatWaitsAsLong() throws Exception {
        var works = new AtomicBoolean();
        Map<String, ReceiveGate> two = new LinkedHashMap<>();
        two.put("window", id -> wait(1, "closed"));
        two.put("broken", id -> {
            if (works.get()) {
                return Permission.go();
            }
            throw new IllegalStateException("broken");
        });
        Gates gates = gates(two);
        for (int i = 0; i < 100; i++) {
            assertThat(admitNow(gates)).isZero();
            time.advance(SECOND);
        }
        assertThat(waiting(gates))
                .isEqualTo(new ReceiveWait(
                        "gate",
                        "broken: it failed with java.lang.IllegalStateException",
                        SECOND.multipliedBy(100),
                        Duration.ZERO,
                        SECOND.multipliedBy(100)));

        works.set(true);

        assertThat(admitNow(gates)).isZero();
        assertThat(waiting(gates).failingFor()).isZero();
        assertThat(waiting(gates).detail()).isEqualTo("window: closed");
    }

    @Test
    void theInterruptOfOneGateDoesNotFailTheNext() throws Exception {
        var value = new SharedAsk<>("gate", () -> true, SECOND, SECOND, time);
        Map<String, ReceiveGate> two = new LinkedHashMap<>();
        two.put("rude", id -> {
            Thread.currentThread().interrupt();
            return Permission.go();
        });
        two.put("innocent", id -> value.answer() ? Permission.go() : wait(1, "never"));
        assertThat(admitNow(gates(two))).isEqualTo(Poller.UNBOUNDED);
    }

    @Test
    void aPollerThatIsToEndAsksNoFurtherGate() {
        Map<String, ReceiveGate> two = new LinkedHashMap<>();
        two.put("first", id -> {
            halt();
            return Permission.go();
        });
        two.put("second", id -> {
            asked.incrementAndGet();
            return Permission.go();
        });
        Gates gates = gates(two);
        assertThatThrownBy(() -> admit(gates, poller)).isInstanceOf(InterruptedException.class);
        assertThat(asked).hasValue(0);
    }

    @Test
    void aLongClosureIsLoggedAlthoughItBeganWithAFailure() throws Exception {
        Gates gates = gates(Map.of("db", id -> {
            if (asked.incrementAndGet() == 1) {
                throw new IllegalStateException("not yet");
            }
            return asked.get() < 4 ? wait(3600, "maintenance") : Permission.go();
        }));
        try (LogCapture log = LogCapture.infos()) {
            for (int i = 0; i < 4; i++) {
                int ignored = admitNow(gates);
                time.advance(Duration.ofHours(1));
            }
            assertThat(log.events().toString())
                    .containsOnlyOnce("receives nothing while the gate db keeps it waiting: maintenance")
                    .containsOnlyOnce("receives again, after");
        }
    }

    @Test
    void theTimeOfOneGateIsNotThatOfTheNext() throws Exception {
        var end = new CountDownLatch(1);
        Map<String, ReceiveGate> two = new LinkedHashMap<>();
        two.put("slow", id -> {
            time.advance(Duration.ofSeconds(6));
            return Permission.go();
        });
        two.put("next", id -> {
            asked.incrementAndGet();
            Progress.await(end);
            return Permission.go();
        });
        Gates gates = gates(two);
        FutureTask<Integer> ask = admit(gates);
        Progress.until(asked::get, 1);
        assertThat(waitingOrNull(gates)).isNull();
        end.countDown();
        assertThat(Progress.get(ask)).isEqualTo(Poller.UNBOUNDED);
    }

    @Test
    void closedTimeIsThatOfAllClosures() throws Exception {
        Gates gates = both();
        for (int i = 0; i < 2; i++) {
            first.set(wait(1, "closed"));
            assertThat(admitNow(gates)).isZero();
            time.advance(SECOND);
            first.set(Permission.go());
            assertThat(admitNow(gates)).isEqualTo(Poller.UNBOUNDED);
            time.advance(SECOND);
        }
        assertThat(gates.closedNanos(time.nanos()))
                .isEqualTo(SECOND.multipliedBy(2).toNanos());
        first.set(wait(5, "closed"));
        assertThat(admitNow(gates)).isZero();
        time.advance(SECOND);
        assertThat(gates.closedNanos(time.nanos()))
                .isEqualTo(SECOND.multipliedBy(3).toNanos());
    }

    private FutureTask<Integer> admit(Gates gates) {
        var task = new FutureTask<>(() -> admitNow(gates));
        Thread.ofVirtual().start(task);
        return task;
    }

    private static Permission wait(int seconds, String reason) {
        return Permission.waitFor(Duration.ofSeconds(seconds), reason);
    }

    private ReceiveWait waiting(Gates gates) {
        return Objects.requireNonNull(waitingOrNull(gates));
    }

    private Gates both() {
        Map<String, ReceiveGate> gates = new LinkedHashMap<>();
        gates.put("first", id -> {
            asked.incrementAndGet();
            assertThat(id).isEqualTo("orders");
            return first.get();
        });
        gates.put("second", id -> second.get());
        return gates(gates);
    }

    private Gates gates(Map<String, ReceiveGate> gates) {
        return new Gates("orders", gates, time);
    }

    private @Nullable ReceiveWait waitingOrNull(Gates gates) {
        lock.lock();
        try {
            return gates.waiting(time.nanos());
        } finally {
            lock.unlock();
        }
    }

    private int admitNow(Gates gates) throws InterruptedException {
        return admit(gates, poller());
    }

    /** Asks the gates as the valve does. Returns how many messages they permit; 0 if they are closed. */
    private int admit(Gates gates, Poller by) throws InterruptedException {
        Gates.Ask ask;
        lock.lock();
        try {
            if (gates.closed(by, 10, time.nanos()) != null) {
                return 0;
            }
            ask = gates.begin(time.nanos());
        } finally {
            lock.unlock();
        }
        Gates.Answer answer = null;
        Runnable log;
        try {
            answer = gates.ask(ask, by);
        } finally {
            lock.lock();
            try {
                log = gates.end(ask, answer, List.of(by), time.nanos());
            } finally {
                lock.unlock();
            }
        }
        log.run();
        return by.isPermitted(time.nanos()) ? by.permitted() : 0;
    }

    private void halt() {
        lock.lock();
        try {
            poller.halt();
        } finally {
            lock.unlock();
        }
    }

    private Poller poller() {
        return Fetchers.poller(lock);
    }
}
