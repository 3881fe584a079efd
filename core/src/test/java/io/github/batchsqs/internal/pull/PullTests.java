/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.pull;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.batchsqs.ReceivedMessage;
import io.github.batchsqs.client.QueueCallException;
import io.github.batchsqs.internal.client.ReceiveCall;
import io.github.batchsqs.pull.PulledMessages;
import io.github.batchsqs.testkit.Faults;
import io.github.batchsqs.testkit.Operation;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the call of a receive asks for and brings, and when it is repeated. */
class PullTests extends PullFixture {

    @Test
    void receivesWhatTheQueueHasWithOneCall() throws Exception {
        sqs.put(queue, bodies(3));

        PulledMessages<String> messages = receive(request -> request);

        assertThat(messages.payloads()).containsExactly("m0", "m1", "m2");
        assertThat(messages.getFirst().queue()).isEqualTo("q");
        assertThat(messages.getFirst().receiveCount()).isEqualTo(1);
        assertThat(messages.getFirst())
                .hasToString("ReceivedMessage[" + messages.getFirst().id() + "]");
        assertThat(seam.receives).extracting(ReceiveCall::maxMessages).containsExactly(10);
        assertThat(seam.receives).extracting(ReceiveCall::waitTime).containsExactly(Duration.ofSeconds(10));
        assertThat(sqs.inFlight(queue)).hasSize(3);
        assertThat(calls).containsExactly("ReceiveMessage 3");
    }

    @Test
    void asksForNoMoreThanTheMaximumAndWaitsAsLongAsTheRequest() throws Exception {
        sqs.put(queue, bodies(5));

        assertThat(receive(request -> request.maxMessages(2).waitTime(Duration.ofSeconds(1))))
                .hasSize(2);
        assertThat(receive(request -> request.waitTime(Duration.ZERO))).hasSize(3);

        assertThat(seam.receives)
                .extracting(ReceiveCall::waitTime)
                .containsExactly(Duration.ofSeconds(1), Duration.ZERO);
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
    void givesEachReceiveFromAFifoQueueAnAttemptIdThatItsRepetitionKeeps() throws Exception {
        seam.receiver = call -> failFirst(call, Duration.ZERO);

        receive("q.fifo", request -> request.waitTime(Duration.ZERO));
        receive("q.fifo", request -> request.waitTime(Duration.ZERO));
        receive("q", request -> request.waitTime(Duration.ZERO));

        List<String> ids = seam.receives.stream().map(ReceiveCall::attemptId).toList();
        assertThat(ids.getFirst()).isNotNull();
        assertThat(ids.get(1)).isEqualTo(ids.getFirst());
        assertThat(ids.get(2)).isNotNull().isNotEqualTo(ids.getFirst());
        assertThat(ids.get(3)).isNull();
    }

    @Test
    void aRepetitionWaitsForTheRestInWholeSeconds() throws Exception {
        seam.receiver = call -> failFirst(call, Duration.ofMillis(4_500));

        receive(request -> request);

        assertThat(seam.receives)
                .extracting(ReceiveCall::waitTime)
                .containsExactly(Duration.ofSeconds(10), Duration.ofSeconds(5));
    }

    @Test
    void anInterruptEndsAReceiveThatIsRepeated() {
        seam.receiver = call -> {
            Thread.currentThread().interrupt();
            return failFirst(call, Duration.ZERO);
        };

        assertThatThrownBy(() -> receive(request -> request)).isInstanceOf(InterruptedException.class);
    }

    private List<ReceivedMessage> failFirst(ReceiveCall call, Duration after) throws InterruptedException {
        if (seam.receives.size() == 1) {
            time.advance(after);
            throw new QueueCallException("ReceiveMessage", "RequestThrottled", "too many", true, null);
        }
        return sqs.receive(call);
    }

    @Test
    void failsIfThreeAttemptsFail() {
        sqs.faults(Faults.failing(Operation.RECEIVE, call -> call.throttled()));

        assertThatThrownBy(() -> receive(request -> request)).isInstanceOf(QueueCallException.class);
        assertThat(calls)
                .containsExactly(
                        "ReceiveMessage 0 RequestThrottled",
                        "ReceiveMessage 0 RequestThrottled",
                        "ReceiveMessage 0 RequestThrottled");
    }
}
