/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.github.batchsqs.ReceivedMessage;
import io.github.batchsqs.client.Queue;
import io.github.batchsqs.errors.BatchSqsException;
import io.github.batchsqs.internal.client.QueueClient;
import io.github.batchsqs.internal.client.ReceiveCall;
import io.github.batchsqs.internal.client.VisibilityChange;
import io.github.batchsqs.testkit.Progress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;

class ShortReceivesTests {

    private final Queue queue = new Queue("orders", "http://localhost:1/0/orders");
    private final ReceiveCall call = new ReceiveCall(queue, 10, Duration.ofSeconds(20), null, "attempt");
    private final ReceiveCall second = new ReceiveCall(queue, 10, Duration.ofSeconds(1), null, null);
    private final ReceivedMessage message = mock(ReceivedMessage.class);
    private final QueueClient client = mock(QueueClient.class);
    private final ShortReceives receives = new ShortReceives(client);

    @Test
    void messagesThatComeAfterTheInterruptReturnToTheQueue() throws Exception {
        var open = new CountDownLatch(1);
        var respond = new CountDownLatch(1);
        var released = new LinkedBlockingQueue<List<VisibilityChange>>();
        when(message.receiptHandle()).thenReturn("handle");
        when(client.receive(second)).thenAnswer(invocation -> {
            open.countDown();
            Progress.await(respond);
            return List.of(message);
        });
        when(client.changeVisibility(any(), any())).thenAnswer(invocation -> {
            released.add(invocation.getArgument(1));
            return List.of();
        });
        var left = new FutureTask<>(() -> receives.receive(call));
        Thread poller = Thread.ofVirtual().start(left);
        Progress.await(open);
        poller.interrupt();

        assertThat(Progress.done(left).exceptionNow()).isInstanceOf(InterruptedException.class);
        respond.countDown();
        assertThat(Progress.take(released)).containsExactly(new VisibilityChange("handle", Duration.ZERO));
    }

    @Test
    void aReceiveGoesOnUntilItHasMessagesOrItsTimeIsOver() throws Exception {
        when(client.receive(second)).thenReturn(List.of()).thenReturn(List.of()).thenReturn(List.of(message));
        assertThat(receives.receive(call)).containsExactly(message);

        when(client.receive(any())).thenReturn(List.of());
        assertThat(receives.receive(new ReceiveCall(queue, 10, Duration.ofSeconds(2), null, null)))
                .isEmpty();
    }

    @Test
    void aReceiveFailsAsItsPollDoes() throws Exception {
        when(client.receive(second)).thenThrow(new BatchSqsException("refused"));
        assertThatThrownBy(() -> receives.receive(call))
                .isInstanceOf(BatchSqsException.class)
                .hasMessage("refused");
    }
}
