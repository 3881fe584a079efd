/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive;

import static io.github.batchsqs.internal.receive.TestQueue.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.BatchListener;
import io.github.batchsqs.internal.sdk.AwsQueueResolver;
import io.github.batchsqs.listener.ContainerState;
import io.github.batchsqs.listener.ListenerOptions;
import io.github.batchsqs.listener.ReceiveGate;
import io.github.batchsqs.testkit.ElasticMqServer;
import io.github.batchsqs.testkit.Progress;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Queues that are not there, and one whose depth is a gate, on a real server. */
@Execution(ExecutionMode.CONCURRENT)
class StartServerTests {

    private final Runs runs = new Runs();
    private final String missing = ElasticMqServer.randomName();

    @Test
    void aMissingQueueIsCreatedOnDemand() throws Exception {
        try (TestQueue other = TestQueue.standard()) {
            EngineContainer container = other.listen(
                    options -> options.queue(missing).queueNotFound(ListenerOptions.QueueNotFound.CREATE),
                    BatchListener.of(runs::addAll));

            assertThat(container.state()).isEqualTo(ContainerState.RUNNING);
            TestQueue.existing(missing).send(3);
            eventually(() -> assertThat(runs.messages()).isEqualTo(3));
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
            EngineContainer container = queue.listen(options -> options, BatchListener.of(runs::addAll));
            var wait = Objects.requireNonNull(
                    Progress.untilMatches(() -> container.status().receiveWait(), each -> each != null));
            assertThat(wait.detail())
                    .isEqualTo("gate: the queue " + invoices.queue().name() + " has 4 messages, more than 3");
            assertThat(queue.hidden()).isZero();

            EngineContainer ignored = invoices.listen(options -> options, BatchListener.of(batch -> {}));

            eventually(() -> assertThat(runs.messages()).isEqualTo(10));
            queue.eventuallyEmpty();
        }
    }
}
