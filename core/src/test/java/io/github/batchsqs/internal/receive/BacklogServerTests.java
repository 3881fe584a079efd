/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.BatchListener;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** Draining a standard queue on a real server. */
@Isolated("they need the processors")
class BacklogServerTests {

    @Test
    void aBacklogIsDrainedWithAtMostTwentyOneCallsPerHundredMessages() throws Exception {
        int messages = 2_000;
        Map<String, Integer> runs = new ConcurrentHashMap<>();
        try (TestQueue queue = new TestQueue(TestQueue.QUEUES.standard())) {
            queue.send(messages);
            queue.listen(
                    options -> options.waitTime(Duration.ofSeconds(20)).pollers(1, 32),
                    BatchListener.of(batch -> batch.payloads().forEach(each -> runs.merge(each, 1, Integer::sum))));

            queue.eventuallyAcknowledged(messages);

            assertThat(queue.calls())
                    .isLessThanOrEqualTo(messages * 21 / 100)
                    .isEqualTo(queue.calls("outcome", "success"));
            assertThat(runs)
                    .hasSize(messages)
                    .allSatisfy((message, times) -> assertThat(times).isOne());
            queue.eventuallyEmpty();
        }
    }
}
