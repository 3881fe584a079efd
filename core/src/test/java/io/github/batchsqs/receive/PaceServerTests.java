/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive;

import static io.github.batchsqs.receive.TestQueue.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.BatchListener;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** How long batches gather and how fast messages are handled at the most, on a real server. */
@Execution(ExecutionMode.CONCURRENT)
class PaceServerTests {

    private final Runs runs = new Runs();

    @Test
    void largeBatchesGatherOverSeveralReceivesAndTheRestComesAfterTheLinger() throws Exception {
        try (TestQueue queue = TestQueue.standard()) {
            queue.send(250);
            queue.listen(
                    options -> options.batchSize(100).batchLinger(Duration.ofSeconds(10)),
                    BatchListener.of(runs::addAll));

            eventually(() -> assertThat(runs.total()).isEqualTo(250));

            assertThat(queue.events.batchSizes).containsExactlyInAnyOrder(100, 100, 50);
            queue.eventuallyEmpty();
        }
    }

    @Test
    void aRateLimitIsNeverExceeded() throws Exception {
        double perSecond = 20;
        List<Long> handledAt = Collections.synchronizedList(new ArrayList<>());
        try (TestQueue queue = TestQueue.standard()) {
            queue.send(60);
            ListenerContainer container = queue.container(
                    options -> options.rateLimit(perSecond),
                    BatchListener.of(batch -> batch.forEach(message -> handledAt.add(System.nanoTime()))));
            long startedAt = System.nanoTime();
            container.start();

            eventually(() -> assertThat(handledAt).hasSize(60));

            List<Long> inOrder = handledAt.stream().sorted().toList();
            for (int i = 0; i < inOrder.size(); i++) {
                double seconds = (inOrder.get(i) - startedAt) / 1e9;
                assertThat(i + 1).as("messages handled within %s s", seconds).isLessThanOrEqualTo((int)
                        Math.ceil(perSecond + perSecond * seconds));
            }
        }
    }
}
