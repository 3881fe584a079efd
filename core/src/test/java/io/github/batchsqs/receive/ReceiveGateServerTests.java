/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive;

import static io.github.batchsqs.receive.TestQueue.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.BatchListener;
import io.github.batchsqs.client.sdk.AwsQueueResolver;
import io.github.batchsqs.listener.ContainerState;
import io.github.batchsqs.listener.ReceiveGate;
import io.github.batchsqs.listener.ReceiveGate.Permission;
import io.github.batchsqs.testkit.ElasticMqServer;
import io.github.batchsqs.testkit.Progress;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Gates on a real server. */
@Execution(ExecutionMode.CONCURRENT)
class ReceiveGateServerTests {

    private static final Duration MOMENT = Duration.ofMillis(10);

    private final Runs runs = new Runs();

    @Test
    void nothingIsLostOrHeldWhenAGateOpensAndClosesUnderLoad() throws Exception {
        var asked = new AtomicInteger();
        try (TestQueue queue = TestQueue.standard()) {
            queue.gated(id -> asked.incrementAndGet() % 3 == 0
                    ? Permission.waitFor(MOMENT, "every third time")
                    : Permission.goWithAtMost(asked.get() % 2 == 0 ? 10 : 3));
            queue.send(400);
            ListenerContainer container = queue.listen(options -> options, BatchListener.of(runs::addAll));

            eventually(() -> assertThat(runs.messages()).isEqualTo(400));

            queue.eventuallyEmpty();
            eventually(() -> assertThat(container.status().inFlight()).isZero());
        }
    }

    @Test
    void aListenerBehindAClosedGateHoldsNothingAndStops() throws Exception {
        var open = new AtomicBoolean();
        try (TestQueue queue = TestQueue.standard()) {
            queue.gated(id -> open.get() ? Permission.go() : Permission.waitFor(MOMENT, "closed"));
            queue.send(30);
            ListenerContainer container =
                    queue.listen(options -> options.pollers(4, 8), BatchListener.of(runs::addAll));
            eventually(() -> assertThat(container.status().receiveWait()).isNotNull());
            assertThat(container.status().permits()).isZero();
            assertThat(queue.hidden()).isZero();
            assertThat(queue.visible()).isEqualTo(30);
            open.set(true);
            eventually(() -> assertThat(runs.messages()).isEqualTo(30));
            open.set(false);
            eventually(() -> assertThat(container.status().receiveWait()).isNotNull());

            container.stop();

            assertThat(container.state()).isEqualTo(ContainerState.STOPPED);
            queue.eventuallyEmpty();
        }
    }

    @Test
    void aGroupKeepsItsOrderWhenAGateOpensAndCloses() throws Exception {
        var asked = new AtomicInteger();
        try (TestQueue queue = TestQueue.fifo()) {
            queue.gated(id -> asked.incrementAndGet() % 2 == 0
                    ? Permission.waitFor(MOMENT, "every second time")
                    : Permission.goWithAtMost(4));
            queue.sendGroups(5, 12);
            var order = new GroupOrder();
            var ignored =
                    queue.listen(options -> options, BatchListener.of(batch -> order.succeeded(batch.messages())));
            eventually(() -> assertThat(order.messages()).isEqualTo(60));
            order.assertEachGroupInOrderOnce(5, 12);
            queue.eventuallyEmpty();
        }
    }

    @Test
    void theDepthOfAnotherQueueKeepsTheListenerWaitingUntilItIsRead() throws Exception {
        try (TestQueue invoices = TestQueue.standard();
                TestQueue queue = TestQueue.standard()) {
            invoices.send(4);
            queue.send(10);
            queue.gated(ReceiveGate.whileQueueHasAtMost(
                    new AwsQueueResolver(ElasticMqServer.shared().client()),
                    invoices.queue().name(),
                    3));
            ListenerContainer container = queue.listen(options -> options, BatchListener.of(runs::addAll));
            var wait = Objects.requireNonNull(
                    Progress.untilMatches(() -> container.status().receiveWait(), each -> each != null));
            assertThat(wait.detail())
                    .isEqualTo("gate: the queue " + invoices.queue().name() + " has 4 messages, more than 3");
            assertThat(queue.hidden()).isZero();

            ListenerContainer ignored = invoices.listen(options -> options, BatchListener.of(batch -> {}));

            eventually(() -> assertThat(runs.messages()).isEqualTo(10));
            queue.eventuallyEmpty();
        }
    }
}
