/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.github.batchsqs.client.Queue;
import io.github.batchsqs.client.QueueClient;
import io.github.batchsqs.client.ReceiveCall;
import io.github.batchsqs.client.ReceivedMessage;
import io.github.batchsqs.client.VisibilityChange;
import io.github.batchsqs.errors.BatchSqsException;
import io.github.batchsqs.testkit.Progress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future.State;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;

class DetachedReceivesTests {

    private final Queue queue = new Queue("orders", "http://localhost:1/0/orders");
    private final ReceiveCall call = new ReceiveCall(queue, 10, Duration.ofSeconds(20), null, null);
    private final ReceivedMessage message = mock(ReceivedMessage.class);
    private final QueueClient client = mock(QueueClient.class);
    private final ReceiveCall atOnce = new ReceiveCall(queue, 10, Duration.ZERO, null, null);
    private final LinkedBlockingQueue<ReceiveCall> open = new LinkedBlockingQueue<>();
    private final DetachedReceives detached = new DetachedReceives(client);

    @Test
    void returnMessagesThatComeAfterTheInterrupt() throws Exception {
        var open = new CountDownLatch(1);
        var respond = new CountDownLatch(1);
        var released = new LinkedBlockingQueue<List<VisibilityChange>>();
        when(message.receiptHandle()).thenReturn("handle");
        when(client.receive(call)).thenAnswer(invocation -> {
            open.countDown();
            Progress.await(respond);
            return List.of(message);
        });
        when(client.changeVisibility(any(), any())).thenAnswer(invocation -> {
            released.add(invocation.getArgument(1));
            return List.of();
        });
        var left = new FutureTask<>(() -> detached.receive(call));
        Thread poller = Thread.ofVirtual().start(left);
        Progress.await(open);
        poller.interrupt();

        assertThat(Progress.done(left).exceptionNow()).isInstanceOf(InterruptedException.class);
        assertThat(released).isEmpty();
        respond.countDown();
        assertThat(Progress.take(released)).containsExactly(new VisibilityChange("handle", Duration.ZERO));
    }

    /** Each of them would receive the message once more, and so move it to the dead-letter queue. */
    @Test
    void returnMessagesWhenTheLastOfThemHasEnded() throws Exception {
        var open = new CountDownLatch(2);
        var responses = new LinkedBlockingQueue<List<ReceivedMessage>>();
        var released = new LinkedBlockingQueue<List<VisibilityChange>>();
        when(message.receiptHandle()).thenReturn("handle");
        when(client.receive(call)).thenAnswer(invocation -> {
            open.countDown();
            return Progress.take(responses);
        });
        when(client.changeVisibility(any(), any())).thenAnswer(invocation -> {
            released.add(invocation.getArgument(1));
            return List.of();
        });
        var first = new FutureTask<>(() -> detached.receive(call));
        var second = new FutureTask<>(() -> detached.receive(call));
        var pollers =
                List.of(Thread.ofVirtual().start(first), Thread.ofVirtual().start(second));
        Progress.await(open);
        pollers.forEach(Thread::interrupt);
        assertThat(Progress.done(first).state()).isEqualTo(State.FAILED);
        assertThat(Progress.done(second).state()).isEqualTo(State.FAILED);

        responses.add(List.of(message));
        responses.add(List.of(message));
        assertThat(Progress.take(released)).hasSize(2);
        assertThat(released).isEmpty();
    }

    @Test
    void areTakenOverByTheNextCaller() throws Exception {
        var responses = new LinkedBlockingQueue<List<ReceivedMessage>>();
        when(client.receive(any())).thenAnswer(invocation -> {
            open.add(invocation.getArgument(0));
            return Progress.take(responses);
        });
        interruptedReceives(1);

        var next = started(call);
        responses.add(List.of(message));
        assertThat(Progress.done(next).resultNow()).containsExactly(message);
        assertThat(open).isEmpty();
    }

    @Test
    void areNotTakenOverByACallerThatWantsFewerMessages() throws Exception {
        areNotTakenOverBy(new ReceiveCall(queue, 1, Duration.ofSeconds(20), null, null));
    }

    @Test
    void areNotTakenOverByACallerThatWaitsForAShorterTime() throws Exception {
        areNotTakenOverBy(atOnce);
    }

    private void areNotTakenOverBy(ReceiveCall other) throws Exception {
        var respond = new CountDownLatch(1);
        when(client.receive(any())).thenAnswer(invocation -> {
            open.add(invocation.getArgument(0));
            Progress.await(respond);
            return List.of();
        });
        interruptedReceives(1);

        var next = started(other);
        assertThat(Progress.take(open)).isEqualTo(other);
        respond.countDown();
        assertThat(Progress.done(next).resultNow()).isEmpty();
    }

    /** They would stay hidden up to the end of the longest receive of those who left, 20 s. */
    @Test
    void returnMessagesWhenACallerIsThereAgain() throws Exception {
        var responses = new LinkedBlockingQueue<List<ReceivedMessage>>();
        var brought = new LinkedBlockingQueue<Thread>();
        var released = new LinkedBlockingQueue<List<VisibilityChange>>();
        when(message.receiptHandle()).thenReturn("handle");
        when(client.receive(any())).thenAnswer(invocation -> {
            open.add(invocation.getArgument(0));
            List<ReceivedMessage> response = Progress.take(responses);
            brought.add(Thread.currentThread());
            return response;
        });
        when(client.changeVisibility(any(), any())).thenAnswer(invocation -> {
            released.add(invocation.getArgument(1));
            return List.of();
        });
        interruptedReceives(3);
        responses.add(List.of(message));
        Progress.join(Progress.take(brought));
        assertThat(released).isEmpty();

        var next = started(atOnce);
        assertThat(Progress.take(released)).containsExactly(new VisibilityChange("handle", Duration.ZERO));
        assertThat(Progress.take(open)).isEqualTo(atOnce);
        assertThat(next.isDone()).isFalse();
        for (int i = 0; i < 3; i++) {
            responses.add(List.of(message));
        }
        assertThat(Progress.done(next).resultNow()).containsExactly(message);
        assertThat(Progress.take(released)).hasSizeBetween(1, 2);
    }

    /** Opens as many receives at once, and interrupts their callers. */
    private void interruptedReceives(int count) throws Exception {
        var callers = new ArrayList<FutureTask<List<ReceivedMessage>>>();
        var threads = new ArrayList<Thread>();
        for (int i = 0; i < count; i++) {
            callers.add(new FutureTask<>(() -> detached.receive(call)));
            threads.add(Thread.ofVirtual().start(callers.getLast()));
            assertThat(Progress.take(open)).isEqualTo(call);
        }
        threads.forEach(Thread::interrupt);
        for (var caller : callers) {
            assertThat(Progress.done(caller).state()).isEqualTo(State.FAILED);
        }
    }

    /** Returns when the receive waits for a response. */
    private FutureTask<List<ReceivedMessage>> started(ReceiveCall wanted) throws Exception {
        var receive = new FutureTask<>(() -> detached.receive(wanted));
        Thread caller = Thread.ofVirtual().start(receive);
        Progress.until(() -> receive.isDone() || caller.getState() == Thread.State.WAITING);
        return receive;
    }

    @Test
    void endAsTheReceiveEnds() throws Exception {
        when(client.receive(call)).thenReturn(List.of(message)).thenThrow(new BatchSqsException("refused"));
        assertThat(detached.receive(call)).containsExactly(message);
        assertThatThrownBy(() -> detached.receive(call))
                .isInstanceOf(BatchSqsException.class)
                .hasMessage("refused");
    }
}
