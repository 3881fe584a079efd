/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.TimeSource;
import io.github.batchsqs.batch.EntryResult;
import io.github.batchsqs.client.Queue;
import io.github.batchsqs.client.QueueCallException;
import io.github.batchsqs.client.QueueClient;
import io.github.batchsqs.client.ReceiveCall;
import io.github.batchsqs.client.ReceivedMessage;
import io.github.batchsqs.client.SendEntry;
import io.github.batchsqs.client.SentMessage;
import io.github.batchsqs.client.VisibilityChange;
import io.github.batchsqs.events.ListenerEvents;
import io.github.batchsqs.testkit.Deliveries;
import io.github.batchsqs.testkit.Deliveries.Message;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The pollers on real threads, against a server that answers when the test says so. */
class FetcherTests {

    private static final Duration LONG = Duration.ofMinutes(5);
    /** Draws the shortest delay, so that no test waits for a backoff. */
    private static final RandomGenerator NO_JITTER = () -> 0L;

    private final TimeSource time = TimeSource.system();
    private final InFlightLimit limit = new InFlightLimit(0);
    private final LinkedBlockingQueue<String> handedOver = new LinkedBlockingQueue<>();
    private final AskedClient client = new AskedClient();
    private final List<Fetcher> started = new ArrayList<>();

    @AfterEach
    void stopPolling() throws InterruptedException {
        for (Fetcher fetcher : started) {
            fetcher.stop(Duration.ZERO);
        }
    }

    @Test
    void aFullAnswerStartsAPollerAndAnEmptyOneRetiresIt() throws Exception {
        Fetcher fetcher = start(settings("orders", 1, 3, 100, 0));
        ReceiveCall first = client.asked();
        assertThat(first.maxMessages()).isEqualTo(10);
        client.answer(10, "a");
        ReceiveCall second = client.asked();
        ReceiveCall third = client.asked();
        assertThat(List.of(second, third)).allMatch(call -> call.maxMessages() == 10);
        assertThat(fetcher.pollers()).isEqualTo(2);

        client.answer(0, "");

        // The poller that got nothing ends; nobody asks in its place, and the other still waits.
        client.answer(1, "b");
        assertThat(client.asked()).isNotNull();
        assertThat(fetcher.pollers()).isEqualTo(1);
    }

    @Test
    void asksOnlyForWhatItMayHold() throws Exception {
        start(settings("orders", 1, 1, 0, 7));
        assertThat(client.asked().maxMessages()).isEqualTo(7);
        client.answer(5, "a");
        assertThat(client.asked().maxMessages()).isEqualTo(2);
        assertThat(limit.used()).isEqualTo(7);
    }

    @Test
    void aFailedReceiveIsMadeAgainAndTheFailureIsOver() throws Exception {
        Fetcher fetcher = start(settings("orders", 1, 1, 100, 0));
        assertThat(client.asked()).isNotNull();
        client.fail(true);
        assertThat(client.asked()).isNotNull();
        assertThat(fetcher.failingFor()).isPositive();
        assertThat(fetcher.failure()).isNotNull();
        client.answer(1, "a");
        assertThat(handedOver.poll(30, TimeUnit.SECONDS)).isEqualTo("a0");
        assertThat(client.asked()).isNotNull();
        assertThat(fetcher.failingFor()).isZero();
        assertThat(fetcher.failure()).isNull();
    }

    @Test
    void aFailedReceiveRetiresNoPoller() throws Exception {
        Fetcher fetcher = start(settings("orders", 1, 3, 100, 0));
        assertThat(client.asked()).isNotNull();
        client.answer(10, "a");
        assertThat(client.asked()).isNotNull();
        assertThat(client.asked()).isNotNull();

        client.fail(true);

        assertThat(client.asked()).isNotNull();
        assertThat(fetcher.pollers()).isEqualTo(2);
    }

    @Test
    void oneFailedReceiveDropsNothingOfTheOthers() throws Exception {
        start(settings("orders", 2, 2, 100, 0));
        assertThat(client.asked()).isNotNull();
        assertThat(client.asked()).isNotNull();
        client.answer(3, "a");
        client.fail(true);
        assertThat(List.of(take(), take(), take())).containsExactly("a0", "a1", "a2");
    }

    @Test
    void theAttemptIdIsKeptOverRetriesAndFreshForEachReceive() throws Exception {
        start(settings("orders.fifo", 1, 1, 100, 0));
        String first = client.asked().attemptId();
        assertThat(first).isNotNull();
        client.fail(true);
        assertThat(client.asked().attemptId()).isEqualTo(first);
        client.fail(true);
        assertThat(client.asked().attemptId()).isEqualTo(first);
        client.answer(0, "");
        String second = client.asked().attemptId();
        assertThat(second).isNotNull().isNotEqualTo(first);
        client.fail(false);
        assertThat(client.asked().attemptId()).isNotEqualTo(second);
    }

    @Test
    void aStandardQueueHasNoAttemptId() throws Exception {
        start(settings("orders", 1, 1, 100, 0));
        assertThat(client.asked().attemptId()).isNull();
    }

    @Test
    void theLimitOfMessagesPerSecondIsKept() throws Exception {
        start(settings("orders", 1, 4, 100, 0).withRateLimit(5));
        assertThat(client.asked().maxMessages()).isEqualTo(5);
    }

    @Test
    void stoppingAbortsAnOpenReceiveAfterTheGrace() throws Exception {
        Fetcher fetcher = start(settings("orders", 2, 2, 100, 0));
        assertThat(client.asked()).isNotNull();
        assertThat(client.asked()).isNotNull();
        fetcher.stop(Duration.ofMillis(1));
        assertThat(fetcher.pollers()).isZero();
        assertThat(client.aborted.await(30, TimeUnit.SECONDS)).isTrue();
        assertThat(limit.used()).isZero();
    }

    @Test
    void whatAnOpenReceiveBringsWithinTheGraceIsHandedOver() throws Exception {
        Fetcher fetcher = start(settings("orders", 1, 1, 100, 0));
        assertThat(client.asked()).isNotNull();
        Thread stop = Thread.ofVirtual().start(() -> {
            try {
                fetcher.stop(LONG);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        client.answer(2, "a");
        stop.join();
        assertThat(handedOver).containsExactly("a0", "a1");
        assertThat(limit.used()).isEqualTo(2);
    }

    @Test
    void aPollerThatWaitsForPermitsStopsAtOnce() throws Exception {
        Fetcher fetcher = start(settings("orders", 1, 1, 0, 1));
        assertThat(client.asked()).isNotNull();
        client.answer(1, "a");
        assertThat(take()).isEqualTo("a0");
        fetcher.stop(LONG);
        assertThat(fetcher.pollers()).isZero();
    }

    @Test
    void newBoundsStartPollersAndLetOthersEnd() throws Exception {
        Fetcher fetcher = start(settings("orders", 1, 1, 100, 0));
        assertThat(client.asked()).isNotNull();
        fetcher.setPollers(3, 3, threads());
        assertThat(client.asked()).isNotNull();
        assertThat(client.asked()).isNotNull();
        assertThat(fetcher.pollers()).isEqualTo(3);
        fetcher.setPollers(2, 2, threads());
        client.answer(1, "a");
        client.answer(1, "b");
        assertThat(client.asked()).isNotNull();
        assertThat(fetcher.pollers()).isEqualTo(2);
    }

    @Test
    void moreRunningMessagesRaiseTheLimitOfThePermits() throws Exception {
        Fetcher fetcher = start(settings("orders", 1, 1, 20, 5));
        assertThat(limit.limit()).isEqualTo(25);
        fetcher.setRunning(40);
        assertThat(limit.limit()).isEqualTo(45);
    }

    private String take() throws InterruptedException {
        return String.valueOf(handedOver.poll(30, TimeUnit.SECONDS));
    }

    private Settings settings(String queue, int min, int max, int running, int prefetch) {
        return new Settings(queue, min, max, running, prefetch, 0);
    }

    private record Settings(String queue, int min, int max, int running, int prefetch, double rateLimit) {
        Settings withRateLimit(double perSecond) {
            return new Settings(queue, min, max, running, prefetch, perSecond);
        }
    }

    private Fetcher start(Settings settings) {
        Queue queue = new Queue(settings.queue(), "url");
        Fetcher fetcher = new Fetcher(
                new FetchSettings(
                        queue,
                        Duration.ofSeconds(20),
                        null,
                        settings.min(),
                        settings.max(),
                        Duration.ZERO,
                        settings.running(),
                        settings.prefetch(),
                        settings.rateLimit()),
                client,
                limit,
                new InFlightLedger(queue.fifo(), LONG, limit, time),
                new Fetcher.Handover(
                        deliveries -> handedOver.addAll(Deliveries.bodies(deliveries)), none -> {}, none -> {}),
                ListenerEvents.NONE,
                time,
                NO_JITTER);
        started.add(fetcher);
        fetcher.start(threads());
        return fetcher;
    }

    private static Executor threads() {
        return task -> Thread.ofVirtual().start(task);
    }

    /** Each receive shows its call and waits for an answer. */
    private static final class AskedClient implements QueueClient {

        final CountDownLatch aborted = new CountDownLatch(2);
        private final LinkedBlockingQueue<ReceiveCall> calls = new LinkedBlockingQueue<>();
        private final SynchronousQueue<Answer> answers = new SynchronousQueue<>();

        private record Answer(
                int messages, String body, @Nullable QueueCallException failure) {}

        ReceiveCall asked() throws InterruptedException {
            ReceiveCall call = calls.poll(30, TimeUnit.SECONDS);
            if (call == null) {
                throw new AssertionError("Nobody receives");
            }
            return call;
        }

        void answer(int messages, String body) throws InterruptedException {
            answers.put(new Answer(messages, body, null));
        }

        void fail(boolean retryable) throws InterruptedException {
            answers.put(new Answer(0, "", new QueueCallException("ReceiveMessage", "Down", "down", retryable, null)));
        }

        @Override
        public List<ReceivedMessage> receive(ReceiveCall call) throws InterruptedException {
            calls.add(call);
            try {
                Answer answer = answers.take();
                if (answer.failure() != null) {
                    throw answer.failure();
                }
                List<ReceivedMessage> messages = new ArrayList<>();
                for (int i = 0; i < answer.messages(); i++) {
                    messages.add(new Message(answer.body() + i, 1));
                }
                return messages;
            } catch (InterruptedException e) {
                aborted.countDown();
                throw e;
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
