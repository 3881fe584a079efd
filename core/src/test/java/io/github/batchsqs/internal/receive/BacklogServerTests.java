/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive;

import static io.github.batchsqs.internal.receive.TestQueue.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.BatchListener;
import io.github.batchsqs.listener.ListenerOptions;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** Draining a standard queue on a real server: calls per message, several listeners, live changes. */
@Isolated("they need the processors")
class BacklogServerTests {

    @Test
    void aBacklogIsDrainedWithAtMostTwentyOneCallsPerHundredMessages() throws Exception {
        int messages = 2_000;
        Runs runs = new Runs();
        try (TestQueue queue = TestQueue.standard()) {
            queue.send(messages);
            queue.listen(
                    options -> options.waitTime(Duration.ofSeconds(20)).pollers(1, 32), BatchListener.of(runs::addAll));

            eventually(() -> assertThat(queue.events.acknowledged.get()).isEqualTo(messages));

            assertThat(queue.events.receives() + queue.events.deletes()).isLessThanOrEqualTo(messages * 21 / 100);
            assertThat(queue.events.failedCalls).isEmpty();
            assertThat(runs.messages()).isEqualTo(messages);
            assertThat(runs.repeated()).isEmpty();
            queue.eventuallyEmpty();
        }
    }

    @Test
    void messagesHandledOneByOneAreStillDeletedInTens() throws Exception {
        int messages = 500;
        Runs runs = new Runs();
        try (TestQueue queue = TestQueue.standard()) {
            queue.send(messages);
            queue.listen(
                    options -> options.batchSize(1)
                            .waitTime(Duration.ofSeconds(20))
                            .acknowledge(new ListenerOptions.Acknowledge(
                                    ListenerOptions.AcknowledgeMode.ON_SUCCESS, Duration.ofSeconds(10))),
                    BatchListener.of(runs::addAll));

            eventually(() -> assertThat(queue.events.acknowledged.get()).isEqualTo(messages));

            assertThat(queue.events.batchSizes).hasSize(messages).containsOnly(1);
            assertThat(queue.events.deletes()).isLessThanOrEqualTo(messages * 12 / 100);
            assertThat(queue.events.receives()).isLessThanOrEqualTo(messages * 12 / 100);
            assertThat(runs.repeated()).isEmpty();
        }
    }
}
