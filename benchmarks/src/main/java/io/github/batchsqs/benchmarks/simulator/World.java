/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.simulator;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** What all connections share; confined to the event loop. */
final class World {

    private static final long SEED = 20_260_101;

    final Queues queues = new Queues();
    final Counters counters = new Counters();
    final Random random = new Random(SEED);
    Conditions conditions = Conditions.IDEAL;
    private final List<Waiter> waiters = new ArrayList<>();

    /** Somebody who wants to know when so many messages were deleted, or sent. */
    record Waiter(boolean forDeletes, long target, Runnable reached) {}

    boolean happens(double chance) {
        return chance > 0 && random.nextDouble() < chance;
    }

    void await(Waiter waiter) {
        waiters.add(waiter);
        tellWaiters();
    }

    /** Notifies the waiter, unless it was notified before. */
    void giveUp(Waiter waiter) {
        if (waiters.remove(waiter)) {
            waiter.reached.run();
        }
    }

    /** To be called after deletes and sends. */
    void tellWaiters() {
        if (!waiters.isEmpty()) {
            waiters.removeIf(waiter -> {
                long reached = waiter.forDeletes ? counters.deletedSoFar() : counters.sentSoFar();
                if (reached < waiter.target) {
                    return false;
                }
                waiter.reached.run();
                return true;
            });
        }
    }
}
