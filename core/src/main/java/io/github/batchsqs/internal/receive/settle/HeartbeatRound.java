/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.settle;

import io.github.batchsqs.internal.receive.delivery.Delivery;
import io.github.batchsqs.internal.receive.delivery.ListenerQueue;
import io.github.batchsqs.internal.support.EngineLock;
import io.github.batchsqs.internal.support.SafeThrowable;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The heartbeats of one tick of the extender, over all their calls: logs the leases that SQS refused to extend in one line.
 *
 * <p>Safe for use by any thread. The caller to which {@link #ended} or {@link #lost} returns {@code true} calls {@link #log}.
 */
final class HeartbeatRound {

    private static final Logger log = LoggerFactory.getLogger(VisibilityExtender.class);

    private final ReentrantLock lock = new EngineLock();
    private final List<Delivery> lost = new ArrayList<>(0);
    private @Nullable Throwable reason;
    private int open;

    /** Begins a round of so many heartbeats. */
    HeartbeatRound(int heartbeats) {
        this.open = heartbeats;
    }

    /** Records the end of a heartbeat. Returns whether it was the last of the round. */
    boolean ended() {
        lock.lock();
        try {
            open--;
            return open == 0;
        } finally {
            lock.unlock();
        }
    }

    /** Records the end of a heartbeat whose lease is lost. Returns whether it was the last of the round. */
    boolean lost(Delivery delivery, Throwable refusal) {
        lock.lock();
        try {
            lost.add(delivery);
            reason = refusal;
            return ended();
        } finally {
            lock.unlock();
        }
    }

    /** Logs the leases that were lost, if any were; called once, after the last heartbeat. */
    void log(ListenerQueue source) {
        if (reason != null) {
            log.warn(
                    "Listener {}: lost the lease of {} of {} ({}); another instance may handle them too. If this recurs,"
                            + " raise visibility.timeout, because a pause of the process or of the network lasted too long",
                    source.listener(),
                    MessageIds.of(lost),
                    source.name(),
                    SafeThrowable.message(reason));
        }
    }

    /** Logs leases that ended before they were extended, if there are any. */
    static void logRanOut(ListenerQueue source, List<Delivery> ranOut) {
        if (!ranOut.isEmpty()) {
            log.warn(
                    "Listener {}: the lease of {} of {} ran out before the end of their handling; another instance may"
                            + " handle them too. If this recurs, raise visibility.timeout or visibility.max-extension",
                    source.listener(),
                    MessageIds.of(ranOut),
                    source.name());
        }
    }
}
