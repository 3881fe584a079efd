/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive;

import io.github.batchsqs.receive.fetch.Delivery;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * Knows when a batch of FIFO messages is settled for good (deletes accepted, visibility changed), so that its lanes may go
 * on. On a standard queue there is nothing to know.
 */
final class LaneProgress {

    /** A standard queue has no lanes. */
    private static final LaneProgress NONE = new LaneProgress(List.of(), lanes -> {});

    private final Set<String> lanes = new LinkedHashSet<>();
    private final AtomicInteger open;
    private final Consumer<Set<String>> release;

    private LaneProgress(List<Delivery> batch, Consumer<Set<String>> release) {
        this.open = new AtomicInteger(batch.size() + 1);
        this.release = release;
    }

    /** Watches a batch that is about to be invoked; {@code release} gets its lanes. */
    static LaneProgress of(List<Delivery> batch, Consumer<Set<String>> release) {
        if (batch.getFirst().lane() == null) {
            return NONE;
        }
        LaneProgress progress = new LaneProgress(batch, release);
        for (Delivery delivery : batch) {
            if (delivery.lane() != null) {
                progress.lanes.add(delivery.lane());
                delivery.onGone(() -> progress.passed(1));
            }
        }
        return progress;
    }

    /** Every settlement of the batch is decided; these messages did not run and wait in their lanes again. */
    void decided(List<Delivery> notRun) {
        if (lanes.isEmpty()) {
            return;
        }
        notRun.forEach(delivery -> delivery.onGone(() -> {}));
        passed(notRun.size() + 1);
    }

    private void passed(int count) {
        if (open.addAndGet(-count) == 0) {
            release.accept(lanes);
        }
    }
}
