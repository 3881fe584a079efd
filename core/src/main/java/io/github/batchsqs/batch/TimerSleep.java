/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.batch;

import java.util.concurrent.locks.Condition;

/** How long the timer's thread sleeps, and whether it must be woken earlier. Belongs to the batcher's lock. */
final class TimerSleep {

    private final Condition condition;
    private boolean sleeping;
    private long wakesAt;

    TimerSleep(Condition condition) {
        this.condition = condition;
    }

    /** Sleeps until it is woken, at most for that long; {@link OpenBatch#NEVER} has no limit. May return early. */
    @SuppressWarnings("WaitNotInLoop") // the timer is the loop; waking early costs one look
    void sleep(long now, long nanos) throws InterruptedException {
        sleeping = true;
        wakesAt = nanos == OpenBatch.NEVER ? nanos : now + nanos;
        if (nanos == OpenBatch.NEVER) {
            condition.await();
        } else if (nanos > 0) {
            long ignored = condition.awaitNanos(nanos);
        }
        sleeping = false;
    }

    boolean sleeping() {
        return sleeping;
    }

    /** Wakes the timer if it sleeps for longer than that. */
    void shortenTo(long now, long nanos) {
        if (nanos != OpenBatch.NEVER && (wakesAt == OpenBatch.NEVER || now + nanos - wakesAt < 0)) {
            wakesAt = now + nanos;
            condition.signal();
        }
    }

    void wake() {
        condition.signalAll();
    }
}
