/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.histories.laws;

/** Nobody receives a message whose handler runs, unless something went wrong with the lease. */
public final class RunningHandlersKeepTheirLeases extends Law {

    /** Makes it. */
    public RunningHandlersKeepTheirLeases() {
        super("Nobody receives a message whose handler runs, unless something went wrong with the lease.");
    }

    @Override
    public void received(Receive receive) {
        Receive before = receive.message.lastReceive();
        Run run = before == null ? null : before.run;
        if (before != null && run != null && !run.settled && before.excuse == null && !before.by.killed()) {
            throw broken(receive + " although the handler still runs: " + run);
        }
    }
}
