/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.histories.laws;

/** A message runs only under the last lease of it, and while that lasts. */
public final class NothingRunsWithoutALease extends Law {

    /** Makes it. */
    public NothingRunsWithoutALease() {
        super("A message runs only under the last lease of it, and while that lasts.");
    }

    @Override
    public void begun(Run run) {
        if (run.receive.unknowable) {
            return;
        }
        Receive last = run.receive.message.lastReceive();
        if (last != run.receive) {
            throw broken(run + " began although it was received again since: " + last);
        }
        if (run.receive.message.gone && !run.receive.by.killed()) {
            throw broken(run + " began although it is gone from the queue");
        }
    }
}
