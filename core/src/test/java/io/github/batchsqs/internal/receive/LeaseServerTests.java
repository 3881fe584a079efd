/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive;

import static io.github.batchsqs.internal.receive.TestQueue.work;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.BatchOutcome;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Visibility timeouts that run out for real, or that a handler changes, on a real server. */
@Execution(ExecutionMode.CONCURRENT)
class LeaseServerTests {

    private static final Duration TIMEOUT = Duration.ofSeconds(3);

    private final Runs runs = new Runs();

    @Test
    void messagesThatWaitBehindASlowHandlerAreExtendedToo() throws Exception {
        try (TestQueue queue = TestQueue.standard(TIMEOUT)) {
            queue.send(6);
            queue.listen(
                    options -> options.batchSize(1).concurrency(1).prefetch(10).pollers(1, 1), batch -> {
                        if (runs.total() == 0) {
                            runs.addAll(batch);
                            work(TIMEOUT.multipliedBy(3));
                        } else {
                            runs.addAll(batch);
                        }
                        return BatchOutcome.done();
                    });

            queue.eventuallyEmpty();

            assertThat(runs.messages()).isEqualTo(6);
            assertThat(runs.repeated()).isEmpty();
        }
    }
}
