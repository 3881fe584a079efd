/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.s3;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.testkit.Progress;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

class ByteBudgetTests {

    private static final long KB = 1 << 10;

    private final ByteBudget budget = new ByteBudget(4 * KB);

    @Test
    void aRequestWaitsUntilThereIsMemory() throws Exception {
        ByteBudget.Reservation first = budget.take(3 * KB);
        CountDownLatch asked = new CountDownLatch(1);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var second = threads.submit(() -> {
                asked.countDown();
                return budget.take(2 * KB);
            });
            Progress.await(asked);
            assertThat(second.isDone()).isFalse();
            first.release();
            Progress.get(second);
        }
        assertThat(budget.taken()).isEqualTo(2 * KB);
    }

    @Test
    void whatIsLargerThanAllMemoryTakesAllOfIt() throws Exception {
        ByteBudget.Reservation large = budget.take(100 * KB);
        assertThat(budget.taken()).isEqualTo(4 * KB);
        large.release();
        large.release(); // once is enough
        assertThat(budget.taken()).isZero();
    }
}
