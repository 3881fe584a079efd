/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.pull;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.batchsqs.client.QueueCallException;
import io.github.batchsqs.client.ReceivedMessage;
import io.github.batchsqs.codec.JacksonPayloadCodec;
import io.github.batchsqs.internal.client.ReceiveCall;
import io.github.batchsqs.internal.events.SenderEvents;
import io.github.batchsqs.internal.support.TimeSource;
import io.github.batchsqs.pull.PulledMessages;
import io.github.batchsqs.pull.ReceiveRequest;
import io.github.batchsqs.testkit.Faults;
import io.github.batchsqs.testkit.Operation;
import io.github.batchsqs.testkit.Progress;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

/** What a receive brings, how many calls it makes and how long they wait, and what ends it. */
class PullTests extends PullFixture {

    private static final Duration LONG = Duration.ofHours(1);

    @Test
    void receivesWhatTheQueueHasWithOneCall() throws Exception {
        sqs.put(queue, bodies(3));

        PulledMessages<String> messages = receive(request -> request);

        assertThat(messages.payloads()).containsExactly("m0", "m1", "m2");
        assertThat(messages.getFirst().queue()).isEqualTo("q");
        assertThat(messages.getFirst().receiveCount()).isEqualTo(1);
        assertThat(messages.getFirst())
                .hasToString("PulledMessage[" + messages.getFirst().id() + " from q]");
        assertThat(sqs.calls(Operation.RECEIVE)).isEqualTo(1);
        assertThat(sqs.inFlight(queue)).hasSize(3);
        assertThat(calls).containsExactly("ReceiveMessage 3");
    }

    @Test
    void receivesMoreThanTenWithFurtherCallsUntilOneIsEmpty() throws Exception {
        sqs.put(queue, bodies(25));

        PulledMessages<String> messages = receive(request -> request.maxMessages(100));

        assertThat(messages.payloads()).containsExactly(bodies(25));
        assertThat(seam.receives).extracting(ReceiveCall::maxMessages).containsExactly(10, 10, 10, 10);
        assertThat(seam.receives)
                .extracting(ReceiveCall::waitTime)
                .containsExactly(
                        Duration.ofSeconds(10), Duration.ofSeconds(1), Duration.ofSeconds(1), Duration.ofSeconds(1));
    }

    @Test
    void receivesNoMoreThanTheMaximum() throws Exception {
        sqs.put(queue, bodies(25));

        assertThat(receive(request -> request.maxMessages(12))).hasSize(12);

        assertThat(seam.receives).extracting(ReceiveCall::maxMessages).containsExactly(10, 2);
        assertThat(sqs.visible(queue)).hasSize(13);
    }

    @Test
    void waitsForTheMinimum() throws Exception {
        sqs.put(queue, "m0");
        seam.receiver = call -> {
            List<ReceivedMessage> messages = sqs.receive(call);
            sqs.put(queue, "later");
            return messages;
        };

        assertThat(receive(request -> request.minMessages(3).waitTime(LONG)).payloads())
                .containsExactly("m0", "later", "later");
        assertThat(seam.receives).extracting(ReceiveCall::maxMessages).containsExactly(10, 9, 8);
    }

    @Test
    void returnsFewerWhenTheWaitIsOver() throws Exception {
        sqs.put(queue, "m0");
        seam.receiver = this::passTheWait;

        var messages = receive(request ->
                request.minMessages(2).waitTime(Duration.ofSeconds(49)).visibilityTimeout(LONG));

        assertThat(messages.payloads()).containsExactly("m0");
        assertThat(seam.receives)
                .extracting(ReceiveCall::waitTime)
                .containsExactly(
                        Duration.ofSeconds(20),
                        Duration.ofSeconds(20), // the first had a message at once
                        Duration.ofSeconds(20),
                        Duration.ofSeconds(9));
    }

    @Test
    void countsWaitsInWholeSecondsRoundedUp() throws Exception {
        seam.receiver = this::passTheWait;

        assertThat(receive(request -> request.waitTime(Duration.ofMillis(1_200))))
                .isEmpty();

        assertThat(seam.receives).extracting(ReceiveCall::waitTime).containsExactly(Duration.ofSeconds(2));
    }

    /** SQS looks at some of its servers alone in a call that does not wait. */
    @Test
    void waitsASecondAlthoughTimePassesBeforeTheCall() throws Exception {
        seam.receiver = this::passTheWait;
        TimeSource passing = new TimeSource() {
            @Override
            public long nanos() {
                time.advance(Duration.ofNanos(1));
                return time.nanos();
            }

            @Override
            public Instant now() {
                return time.now();
            }
        };
        Puller late = new Puller(
                seam, new JacksonPayloadCodec(JsonMapper.shared()), name -> SenderEvents.NONE, passing, null);

        late.receive(queue, ReceiveRequest.of("q", String.class).waitTime(Duration.ofSeconds(1)));

        assertThat(seam.receives).extracting(ReceiveCall::waitTime).containsExactly(Duration.ofSeconds(1));
    }

    @Test
    void makesOneCallWithoutAWait() throws Exception {
        assertThat(receive(request -> request.maxMessages(100).waitTime(Duration.ZERO)))
                .isEmpty();

        assertThat(seam.receives).extracting(ReceiveCall::waitTime).containsExactly(Duration.ZERO);
    }

    @Test
    void givesTheVisibilityTimeoutToSqs() throws Exception {
        sqs.put(queue, "m0");

        receive(request -> request.visibilityTimeout(Duration.ofSeconds(90)));

        time.advance(Duration.ofSeconds(89));
        assertThat(sqs.inFlight(queue)).hasSize(1);
        time.advance(Duration.ofSeconds(1));
        assertThat(sqs.visible(queue)).hasSize(1);
    }

    @Test
    void returnsAMessageOnceThatWasDeliveredTwice() throws Exception {
        sqs.put(queue, "m0");
        sqs.faults(new Faults() {
            @Override
            public boolean deliverTwice(Call call, String messageId) {
                return true;
            }
        });

        PulledMessages<String> messages = receive(request -> request);

        assertThat(messages).hasSize(1);
        var acknowledged = messages.acknowledge(); // with the newest handle
        flush();
        assertThat(acknowledged).isCompleted();
        sqs.assertDrained(queue);
    }

    @Test
    void returnsWhatItHasWhenVisibilityTimeoutsEndDuringTheWait() throws Exception {
        sqs.put(queue, "m0");
        seam.receiver = this::passTheWait;

        PulledMessages<String> messages =
                receive(request -> request.minMessages(2).waitTime(LONG));

        assertThat(messages.payloads()).containsExactly("m0");
        assertThat(messages.getFirst().receiveCount()).isEqualTo(2);
        var acknowledged = messages.acknowledge(); // with the newest handle
        flush();
        assertThat(acknowledged).isCompleted();
        sqs.assertDrained(queue);
    }

    @Test
    void givesEachCallToAFifoQueueAnAttemptIdOfItsOwn() throws Exception {
        sqs.putInGroup(fifo, "g", "m0");

        receive("q.fifo", request -> request.maxMessages(20));
        receive("q", request -> request.waitTime(Duration.ZERO));

        assertThat(seam.receives).hasSize(3);
        assertThat(seam.receives.subList(0, 2))
                .extracting(ReceiveCall::attemptId)
                .doesNotContainNull()
                .doesNotHaveDuplicates();
        assertThat(seam.receives.get(2).attemptId()).isNull();
    }

    @Test
    void failsIfThreeAttemptsFail() {
        sqs.faults(new Faults() {
            @Override
            public void before(Call call) {
                if (call.operation() == Operation.RECEIVE) {
                    throw call.throttled();
                }
            }
        });

        assertThatThrownBy(() -> receive(request -> request)).isInstanceOf(QueueCallException.class);
        assertThat(calls)
                .containsExactly(
                        "ReceiveMessage 0 RequestThrottled",
                        "ReceiveMessage 0 RequestThrottled",
                        "ReceiveMessage 0 RequestThrottled");
    }

    @Test
    void returnsTheMessagesOfEarlierCallsToTheQueueIfALaterOneFails() throws Exception {
        sqs.put(queue, bodies(10));
        sqs.faults(new ThrottledReceive(2));

        assertThatThrownBy(() -> receive(request -> request.maxMessages(20).minMessages(11)))
                .isInstanceOf(QueueCallException.class);

        assertThat(bodiesOf(Progress.untilMatches(() -> sqs.visible(queue), all -> all.size() == 10)))
                .containsExactly(bodies(10));
    }

    @Test
    void returnsItsMessagesToTheQueueWhenTheCallerIsInterrupted() throws Exception {
        sqs.put(queue, bodies(2));
        var blocked = new CountDownLatch(1);
        seam.receiver = call -> {
            if (seam.receives.size() == 2) {
                blocked.countDown();
                new CountDownLatch(1).await();
            }
            return sqs.receive(call);
        };
        var task =
                new FutureTask<>(() -> receive(request -> request.minMessages(3).waitTime(LONG)));
        Thread caller = Thread.ofVirtual().start(task);
        Progress.await(blocked);
        caller.interrupt();

        assertThat(Progress.done(task).exceptionNow()).isInstanceOf(InterruptedException.class);
        Progress.until(this::visibleAfterAFlush, 2);
    }

    @Test
    void endsReceivesWhenItClosesAndRefusesFurtherOnes() throws Exception {
        sqs.put(queue, "m0");
        seam.receiver = call -> {
            puller.close();
            return sqs.receive(call);
        };

        assertThatThrownBy(() -> receive(request -> request.minMessages(2).waitTime(LONG)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("The template is closed: it receives nothing more");

        flush();
        assertThat(sqs.visible(queue)).hasSize(1);
        assertThatThrownBy(() -> receive(request -> request)).hasMessageContaining("closed");
    }

    private int visibleAfterAFlush() throws Exception {
        flush();
        return sqs.visible(queue).size();
    }

    /** Lets the wait of a call that finds nothing pass at once. */
    private List<ReceivedMessage> passTheWait(ReceiveCall call) throws InterruptedException {
        List<ReceivedMessage> messages = new ArrayList<>(sqs.receive(call));
        if (messages.isEmpty()) {
            time.advance(call.waitTime());
        }
        return messages;
    }

    /** Throttles one receive. */
    private record ThrottledReceive(int number) implements Faults {

        @Override
        public void before(Call call) {
            if (call.operation() == Operation.RECEIVE && call.number() >= number) {
                throw call.throttled();
            }
        }
    }
}
