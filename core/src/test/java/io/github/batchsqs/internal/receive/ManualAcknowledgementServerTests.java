/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.BatchListener;
import io.github.batchsqs.MessageBatch;
import io.github.batchsqs.testkit.Progress;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Settling by hand, on a real server. */
@Execution(ExecutionMode.CONCURRENT)
class ManualAcknowledgementServerTests {

    private final Runs runs = new Runs();
    private final BlockingQueue<MessageBatch<String>> batches = new LinkedBlockingQueue<>();

    @Test
    void anotherThreadMayAcknowledge() throws Exception {
        try (TestQueue queue = TestQueue.standard()) {
            queue.send("late");
            listen(queue);
            MessageBatch<String> batch = next();

            Progress.get(batch.acknowledgement().acknowledge());

            queue.eventuallyEmpty();
            assertThat(runs.of("late")).isEqualTo(1);
        }
    }

    private void listen(TestQueue queue) {
        queue.listen(TestQueue::manual, BatchListener.of(batch -> {
            runs.addAll(batch);
            batches.add(batch);
        }));
    }

    private MessageBatch<String> next() {
        return Progress.take(batches);
    }
}
