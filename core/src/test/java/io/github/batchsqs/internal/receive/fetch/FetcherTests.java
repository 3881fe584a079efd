/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.ReceivedMessage;
import io.github.batchsqs.client.Queue;
import io.github.batchsqs.client.QueueCallException;
import io.github.batchsqs.internal.client.EntryResult;
import io.github.batchsqs.internal.client.QueueClient;
import io.github.batchsqs.internal.client.ReceiveCall;
import io.github.batchsqs.internal.client.SendEntry;
import io.github.batchsqs.internal.client.SentMessage;
import io.github.batchsqs.internal.client.VisibilityChange;
import io.github.batchsqs.internal.receive.delivery.Delivery;
import io.github.batchsqs.internal.receive.delivery.InFlightLimit;
import io.github.batchsqs.internal.receive.delivery.ListenerQueue;
import io.github.batchsqs.internal.receive.delivery.MessageMemory;
import io.github.batchsqs.internal.support.TimeSource;
import io.github.batchsqs.listener.ListenerOptions;
import io.github.batchsqs.listener.ReceiveFailure;
import io.github.batchsqs.listener.ReceiveWait;
import io.github.batchsqs.testkit.Deliveries;
import io.github.batchsqs.testkit.Deliveries.Message;
import io.github.batchsqs.testkit.EventMethods;
import io.github.batchsqs.testkit.LogCapture;
import io.github.batchsqs.testkit.Progress;
import io.github.batchsqs.testkit.SettableTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.SynchronousQueue;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The pollers on real threads, against a server that answers when the test says so. */
class FetcherTests {

    private static final Duration WAIT_TIME = Duration.ofSeconds(20);
    private static final Duration LONG = Duration.ofMinutes(5);
    /** Draws the shortest delay, so that no test waits for a backoff. */
    private static final RandomGenerator NO_JITTER = () -> 0L;

    private Runnable onFailedCall = () -> {};
    private TimeSource time = TimeSource.system();
    private final MessageMemory memory = new MessageMemory(1 << 30);
    private final InFlightLimit limit = new InFlightLimit(0, memory);
    private final LinkedBlockingQueue<String> handedOver = new LinkedBlockingQueue<>();
    private final List<String> failedCalls = new CopyOnWriteArrayList<>();
    private final LinkedBlockingQueue<String> unexpected = new LinkedBlockingQueue<>();
    private final AskedClient client = new AskedClient();
    private final List<Valve> started = new ArrayList<>();
    private final List<Delivery> toRun = new CopyOnWriteArrayList<>();

    @AfterEach
    void stopPolling() {
        for (Valve valve : started) {
            valve.stop(Duration.ZERO);
        }
    }

    @Test
    void aFullAnswerStartsAPollerAndAnEmptyOneRetiresIt() throws Exception {
        Valve valve = start(settings("orders", 1, 3));
        ReceiveCall first = client.asked();
        assertThat(first.maxMessages()).isEqualTo(10);
        client.answer(10, "a");
        ReceiveCall second = client.asked();
        ReceiveCall third = client.asked();
        assertThat(List.of(second, third)).allMatch(call -> call.maxMessages() == 10);
        assertThat(valve.pollers()).isEqualTo(2);

        client.answer(0, "");

        // The poller that got nothing ends; nobody asks in its place, and the other still waits.
        client.answer(1, "b");
        assertThat(client.asked()).isNotNull();
        Progress.until(valve::pollers, 1);
    }

    @Test
    void asksOnlyForWhatItMayHoldAndForMoreOnceSomeIsSettled() throws Exception {
        time = new SettableTime();
        start(new Settings("orders", 1, 1, 1, ListenerOptions.AUTO_PREFETCH, 0));
        assertThat(client.asked().maxMessages()).isEqualTo(10);
        client.answer(10, "a");
        assertThat(client.asked().maxMessages()).isEqualTo(1);
        assertThat(limit.used()).isEqualTo(11);
        toRun.forEach(Delivery::claim); // no poller waits for permits, so nobody is notified
        client.answer(1, "b");
        assertThat(client.asked().maxMessages()).isEqualTo(10);
    }

    @Test
    void aFailedReceiveIsMadeAgainAndTheFailureIsOver() throws Exception {
        Valve valve = receiving();
        client.fail(true);
        assertThat(client.asked()).isNotNull();
        assertThat(valve.failingFor()).isPositive();
        assertThat(valve.failure()).isNotNull();
        client.answer(1, "a");
        assertThat(Progress.take(handedOver)).isEqualTo("a0");
        assertThat(client.asked()).isNotNull();
        assertThat(valve.failingFor()).isZero();
        assertThat(valve.failure()).isNull();
    }

    /** Two listeners whose receives end at once, each waking the other with its own lock held, would wait for each other. */
    @Test
    void aFailedReceiveWakesListenersThatWaitForMemoryWithoutItsLock() throws Exception {
        Valve valve = receiving();
        InFlightLimit greedy = new InFlightLimit(100, memory);
        greedy.settleReceive(0, 1, memory.max());
        InFlightLimit waiting = new InFlightLimit(100, memory);
        waiting.settleReceive(0, 1, 100);
        CountDownLatch looked = new CountDownLatch(1);
        waiting.onFreed(() -> {
            Thread look = Thread.ofPlatform().daemon().start(valve::pollers);
            try {
                Progress.join(look);
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
            looked.countDown();
        });
        int none = waiting.tryAcquire(10);
        assertThat(none).isZero();

        client.fail(true);

        Progress.await(looked);
    }

    @Test
    void aFailedReceiveRetiresNoPoller() throws Exception {
        Valve valve = start(settings("orders", 1, 3));
        assertThat(client.asked()).isNotNull();
        client.answer(10, "a");
        assertThat(client.asked()).isNotNull();
        assertThat(client.asked()).isNotNull();

        client.fail(true);

        assertThat(client.asked()).isNotNull();
        assertThat(valve.pollers()).isEqualTo(2);
    }

    @Test
    void theAttemptIdIsKeptOverRetriesAndFreshForEachReceive() throws Exception {
        start(settings("orders.fifo", 1, 1));
        String first = client.asked().attemptId();
        assertThat(first).isNotNull();
        for (String code : List.of("ConnectionFailed", "NoResponse", "Down", "ReadTimedOut", "Down")) {
            client.fail(new QueueCallException("ReceiveMessage", code, "down", true, null));
            assertThat(client.asked().attemptId()).isEqualTo(first);
        }
        client.answer(0, "");
        String second = client.asked().attemptId();
        assertThat(second).isNotNull().isNotEqualTo(first);
        client.fail(false);
        assertThat(client.asked().attemptId()).isNotEqualTo(second);
    }

    /** ElasticMQ refuses it for ever if another consumer has deleted the messages that it stands for. */
    @Test
    void anAttemptIdThatIsRefusedTwiceIsGivenUp() throws Exception {
        start(settings("orders.fifo", 1, 1));
        String first = client.asked().attemptId();
        client.fail(true);
        assertThat(client.asked().attemptId()).isEqualTo(first);
        client.fail(true);
        String second = client.asked().attemptId();
        assertThat(second).isNotNull().isNotEqualTo(first);
        client.fail(true);
        assertThat(client.asked().attemptId()).isEqualTo(second);
    }

    @Test
    void aStandardQueueHasNoAttemptId() throws Exception {
        start(settings("orders", 1, 1));
        assertThat(client.asked().attemptId()).isNull();
    }

    @Test
    void theLimitOfMessagesPerSecondIsKept() throws Exception {
        time = new SettableTime();
        Valve valve = start(new Settings("orders", 1, 1, 100, 0, 5));
        assertThat(client.asked().maxMessages()).isEqualTo(5);
        client.answer(5, "a");
        ReceiveWait wait = Progress.untilMatches(valve::waitsFor, each -> each != null);
        assertThat(Objects.requireNonNull(wait).reason()).isEqualTo("rate-limit");
    }

    @Test
    void stoppingAbortsAnOpenReceiveAfterTheGrace() throws Exception {
        Valve valve = start(settings("orders", 2, 2));
        assertThat(client.asked()).isNotNull();
        assertThat(client.asked()).isNotNull();
        valve.stop(Duration.ofMillis(1));
        assertThat(valve.pollers()).isZero();
        Progress.await(client.aborted);
        assertThat(limit.used()).isZero();
    }

    @Test
    void whatAnOpenReceiveBringsWithinTheGraceIsHandedOver() throws Exception {
        Valve valve = receiving();
        Thread stop = Thread.ofVirtual().start(() -> valve.stop(LONG));
        Progress.until(() -> stop.getState() == Thread.State.TIMED_WAITING); // else the poller receives once more
        client.answer(2, "a");
        Progress.until(() -> !stop.isAlive());
        assertThat(handedOver).containsExactly("a0", "a1");
        assertThat(limit.used()).isEqualTo(2);
    }

    @Test
    void aReceiveThatHasBeenOpenForTheGraceGetsOnlyTheTimeOfAResponse() throws Exception {
        SettableTime settable = settableTime();
        Valve valve = receiving();
        settable.advance(LONG);
        Thread stop = Thread.ofVirtual().start(() -> valve.stop(LONG));
        Progress.until(() -> !stop.isAlive());
    }

    @Test
    void newBoundsStartPollersAndLetOthersEnd() throws Exception {
        Valve valve = receiving();
        valve.change(settings("orders", 3, 3).options());
        assertThat(client.asked()).isNotNull();
        assertThat(client.asked()).isNotNull();
        assertThat(valve.pollers()).isEqualTo(3);
        valve.change(settings("orders", 2, 2).options());
        client.answer(1, "a");
        client.answer(1, "b");
        assertThat(client.asked()).isNotNull();
        assertThat(valve.pollers()).isEqualTo(2);
    }

    @Test
    void anErrorInAReceiveEndsNoPoller() throws Exception {
        Valve valve = receiving();
        client.fail(new NoClassDefFoundError("Parser"));
        assertThat(client.asked()).isNotNull();
        assertThat(Progress.take(unexpected)).isEqualTo("fetch Parser");
        assertThat(valve.failure())
                .isEqualTo(new ReceiveFailure("NoClassDefFoundError", "java.lang.NoClassDefFoundError", null));
        assertThat(limit.used()).isEqualTo(10);
        client.answer(1, "a");
        assertThat(take()).isEqualTo("a0");
    }

    @Test
    void anInterruptThatNobodyAskedForEndsNoPoller() throws Exception {
        Valve valve = receiving();
        client.fail(new InterruptedException("by a library"));
        assertThat(client.asked()).isNotNull();
        assertThat(valve.pollers()).isEqualTo(1);
    }

    @Test
    void anOutageLeavesTheLeastNumberOfPollersAndTheLastOneGoesOn() throws Exception {
        Valve valve = start(settings("orders", 1, 3));
        valve.change(settings("orders", 3, 3).options());
        for (int i = 0; i < 3; i++) {
            assertThat(client.asked().waitTime()).isEqualTo(Duration.ofSeconds(20));
        }
        valve.change(settings("orders", 1, 3).options());
        while (valve.pollers() > 1) {
            client.fail(true);
        }
        client.answer(1, "a");
        assertThat(take()).isEqualTo("a0");
        Progress.until(() -> client.asked().waitTime(), Duration.ofSeconds(20));
        assertThat(valve.failure()).isNull();
        assertThat(valve.pollers()).isEqualTo(1);
    }

    @Test
    void whatAReceiveBringsThatAPauseHasLeftAloneIsLeftToItsVisibilityTimeout() throws Exception {
        client.deaf = true;
        Valve valve = receiving();
        valve.pause(Duration.ofMillis(1));
        assertThat(valve.pollers()).isZero();
        assertThat(limit.used()).isZero();
        client.answer(2, "a");
        valve.start();
        assertThat(client.asked()).isNotNull();
        assertThat(valve.pollers()).isEqualTo(1);
        client.answer(1, "b");
        assertThat(take()).isEqualTo("b0");
    }

    @Test
    void logsAFailedReceiveBeforeItPublishesTheFailure() throws Exception {
        List<Boolean> publishedBefore = new CopyOnWriteArrayList<>();
        onFailedCall = () -> publishedBefore.add(started.getFirst().failure() != null);
        try (LogCapture log = LogCapture.warnings()) {
            Valve valve = receiving();
            client.fail(true);
            Progress.until(() -> valve.failure() != null, true);
            assertThat(log.events()).hasSize(1);
        }
        assertThat(publishedBefore).containsExactly(false);
    }

    @Test
    void anotherPollerReceivesWhileTheOnlyOneIsLate() throws Exception {
        SettableTime settable = settableTime();
        Valve valve = receiving();
        settable.advance(WAIT_TIME.plusMillis(999));
        valve.tick();
        assertThat(valve.pollers()).isEqualTo(1);

        settable.advance(Duration.ofMillis(1));
        valve.tick();

        assertThat(client.asked().waitTime()).as("a probe").isEqualTo(Duration.ofSeconds(1));
        assertThat(valve.pollers()).isEqualTo(2);
        valve.tick();
        assertThat(valve.pollers()).as("one more is enough").isEqualTo(2);
        client.answer(1, "late");
        assertThat(take()).isEqualTo("late0");
        Progress.until(valve::pollers, 1);
        client.answer(1, "a");
        assertThat(take()).isEqualTo("a0");
    }

    @Test
    void anotherPollerReceivesSoonWhenASteadyFlowFallsSilent() throws Exception {
        SettableTime settable = settableTime();
        Valve valve = start(settings("orders", 1, 1));
        for (int response = 0; response < 11; response++) {
            assertThat(client.asked()).isNotNull();
            settable.advance(Duration.ofMillis(500));
            client.answer(1, response + "-");
            assertThat(take()).isEqualTo(response + "-0");
        }
        assertThat(client.asked()).isNotNull();
        settable.advance(Duration.ofSeconds(4));
        valve.tick();
        assertThat(client.asked().waitTime()).as("a probe").isEqualTo(Duration.ofSeconds(1));
        client.answer(0, "");
        Progress.until(valve::pollers, 1);
        settable.advance(Duration.ofSeconds(1));
        valve.tick();
        assertThat(valve.pollers())
                .as("the flow is over: the response showed it")
                .isEqualTo(1);
    }

    @Test
    void thePauseThatAResponseAsksForIsNoSilence() throws Exception {
        SettableTime settable = settableTime();
        try (LogCapture log = LogCapture.warnings()) {
            Valve valve = receiving();
            client.fail(new QueueCallException(
                    "ReceiveMessage", "ServiceUnavailable", "busy", true, false, true, Duration.ofHours(1), null));
            Progress.until(() -> valve.waitsFor() != null, true);
            assertThat(valve.waitsFor()).extracting(ReceiveWait::endsIn).isEqualTo(Duration.ofSeconds(20));
            for (int second = 0; second < 30; second++) {
                settable.advance(Duration.ofSeconds(1));
                valve.tick();
            }
            assertThat(failedCalls).containsExactly("ServiceUnavailable");
            assertThat(log.event()).contains("fails (ServiceUnavailable): busy");
        }
    }

    private SettableTime settableTime() {
        SettableTime settable = new SettableTime();
        time = settable;
        return settable;
    }

    private String take() throws InterruptedException {
        return String.valueOf(Progress.take(handedOver));
    }

    private static Settings settings(String queue, int min, int max) {
        return new Settings(queue, min, max, 100, 0, 0);
    }

    private record Settings(String queue, int min, int max, int running, int prefetch, double rateLimit) {
        ListenerOptions options() {
            return ListenerOptions.builder("orders", queue)
                    .waitTime(WAIT_TIME)
                    .pollers(min, max)
                    .concurrency(running)
                    .batchSize(1)
                    .prefetch(prefetch)
                    .rateLimit(rateLimit)
                    .build();
        }
    }

    /** Starts a poller, whose receive has begun. */
    private Valve receiving() {
        Valve valve = start(settings("orders", 1, 1));
        assertThat(client.asked()).isNotNull();
        return valve;
    }

    private Valve start(Settings settings) {
        Queue queue = new Queue(settings.queue(), "url");
        ListenerQueue source = new ListenerQueue(
                settings.options(), queue, LONG, client, new Events(), time, NO_JITTER, null, failure -> {});
        Valve valve = Fetchers.handingOver(this::handOver, source, limit, Thread::startVirtualThread);
        started.add(valve);
        valve.start();
        return valve;
    }

    private void handOver(List<Delivery> received) {
        toRun.addAll(received);
        handedOver.addAll(Deliveries.bodies(received));
    }

    private final class Events implements EventMethods {

        @Override
        public void apiCall(String operation, int entries, Duration took, @Nullable String errorCode) {
            if (errorCode != null) {
                failedCalls.add(errorCode);
                onFailedCall.run();
            }
        }

        @Override
        public void unexpected(String stage, Throwable failure) {
            unexpected.add(stage + " " + failure.getMessage());
        }
    }

    /** Each receive shows its call and waits for an answer. */
    private static final class AskedClient implements QueueClient {

        final CountDownLatch aborted = new CountDownLatch(2);
        private final LinkedBlockingQueue<ReceiveCall> calls = new LinkedBlockingQueue<>();
        private final SynchronousQueue<Answer> answers = new SynchronousQueue<>(true);

        volatile boolean deaf;

        private record Answer(
                int messages, String body, @Nullable Throwable failure) {}

        ReceiveCall asked() {
            return Progress.take(calls);
        }

        void answer(int messages, String body) throws InterruptedException {
            answers.put(new Answer(messages, body, null));
        }

        void fail(boolean retryable) throws InterruptedException {
            fail(new QueueCallException("ReceiveMessage", "Down", "down", retryable, null));
        }

        void fail(Throwable failure) throws InterruptedException {
            answers.put(new Answer(0, "", failure));
        }

        @Override
        public List<ReceivedMessage> receive(ReceiveCall call) throws InterruptedException {
            calls.add(call);
            Answer answer = next();
            switch (answer.failure()) {
                case Error error -> throw error;
                case RuntimeException failure -> throw failure;
                case InterruptedException failure -> throw failure;
                case null, default -> {}
            }
            List<ReceivedMessage> messages = new ArrayList<>();
            for (int i = 0; i < answer.messages(); i++) {
                messages.add(new Message(answer.body() + i, 1));
            }
            return messages;
        }

        private Answer next() throws InterruptedException {
            while (true) {
                try {
                    return answers.take();
                } catch (InterruptedException e) {
                    if (!deaf) {
                        aborted.countDown();
                        throw e;
                    }
                }
            }
        }

        @Override
        public List<EntryResult<Void>> delete(Queue queue, List<String> receiptHandles) {
            throw new UnsupportedOperationException();
        }

        @Override
        public List<EntryResult<Void>> changeVisibility(Queue queue, List<VisibilityChange> changes) {
            throw new UnsupportedOperationException();
        }

        @Override
        public List<EntryResult<SentMessage>> send(Queue queue, List<SendEntry> entries) {
            throw new UnsupportedOperationException();
        }
    }
}
