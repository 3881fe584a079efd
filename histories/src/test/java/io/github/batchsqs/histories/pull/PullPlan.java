/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.histories.pull;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * What a seed makes of a history.
 *
 * @param faults what goes wrong, by the number of the call
 */
record PullPlan(long seed, boolean fifo, int messages, List<Pull> pulls, Map<Integer, Fault> faults) {

    /** What becomes of a call. */
    enum Fault {
        LOST_BEFORE,
        LOST_AFTER,
        THROTTLED,
        ENTRY_REFUSED
    }

    /** What a caller does with each message, or with all of a receive. */
    enum Deed {
        ACKNOWLEDGE,
        ACKNOWLEDGE_TWICE,
        ACKNOWLEDGE_ALL,
        RELEASE,
        RELEASE_ALL,
        EXTEND,
        EXTEND_AND_ACKNOWLEDGE,
        NOTHING
    }

    /**
     * A caller receives, works for a while, and settles.
     *
     * @param interruptedAfter when its thread is interrupted, in nanoseconds from the beginning of the receive
     */
    record Pull(long at, int max, int waitSeconds, int leaseSeconds, long work, Deed deed, long interruptedAfter) {}

    static PullPlan of(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        boolean fifo = random.nextInt(3) == 0;
        int messages = 1 + random.nextInt(40);
        List<Pull> pulls = new ArrayList<>();
        int count = 1 + random.nextInt(10);
        for (int i = 0; i < count; i++) {
            pulls.add(new Pull(
                    random.nextLong(40_000_000_000L),
                    1 + random.nextInt(10),
                    random.nextInt(12),
                    5 + random.nextInt(30),
                    random.nextLong(8_000_000_000L),
                    Deed.values()[random.nextInt(Deed.values().length)],
                    random.nextInt(6) == 0 ? random.nextLong(5_000_000_000L) : Long.MAX_VALUE));
        }
        Map<Integer, Fault> faults = new HashMap<>();
        int bad = random.nextInt(3) == 0 ? 0 : random.nextInt(8);
        for (int i = 0; i < bad; i++) {
            faults.put(1 + random.nextInt(20), Fault.values()[random.nextInt(Fault.values().length)]);
        }
        return new PullPlan(seed, fifo, messages, pulls, faults);
    }
}
