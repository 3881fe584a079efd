/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.model.time;

import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.stream.Collectors;

/**
 * Stands for an {@code EngineLock}, and notes where a virtual thread takes one inside another: waiting for a carrier there, it would hold
 * the other one.
 */
public class VirtualEngineLock extends VirtualLock {

    private static final long serialVersionUID = 1;

    /** Enough to see who took both. */
    private static final int FRAMES = 8;

    private static final Set<String> nested = new ConcurrentSkipListSet<>();

    /** Creates a lock. */
    public VirtualEngineLock() {}

    /** {@return the calls that took a lock inside another} */
    public static Set<String> nested() {
        return Set.copyOf(nested);
    }

    @Override
    public void lock() {
        super.lock();
        taken();
    }

    @Override
    public void lockInterruptibly() throws InterruptedException {
        super.lockInterruptibly();
        taken();
    }

    private void taken() {
        Strand me = Strand.current();
        if (me != null && getHoldCount() == 1 && me.engineLocks++ > 0 && me.needsCarrier) {
            nested.add(StackWalker.getInstance()
                    .walk(frames -> frames.map(String::valueOf)
                            .filter(frame -> !frame.contains(".model.time."))
                            .limit(FRAMES)
                            .collect(Collectors.joining(" < "))));
        }
    }

    @Override
    public void unlock() {
        Strand me = Strand.current();
        if (me != null && getHoldCount() == 1) {
            me.engineLocks--;
        }
        super.unlock();
    }
}
