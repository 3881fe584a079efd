/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.listener;

/** Continues after a failure that the caller throws in the end. */
final class FirstFailure {

    private FirstFailure() {}

    /** Makes a call after the failure of another one. If it fails too, its failure is suppressed in the first. */
    static void then(Throwable failure, Runnable call) {
        try {
            call.run();
        } catch (Throwable later) {
            if (!later.equals(failure)) { // it cannot suppress itself
                failure.addSuppressed(later);
            }
        }
    }
}
