/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.histories.laws;

/** Permits, bytes, invocations and buffers are all free when nothing is left to do. */
public final class EverythingIsReturned extends Law {

    /** Makes it. */
    public EverythingIsReturned() {
        super("Permits, bytes, invocations and buffers are all free when nothing is left to do.");
    }

    @Override
    public void end(Truth truth) {
        if (!truth.leftOver().isEmpty()) {
            throw broken(String.join("; ", truth.leftOver()));
        }
    }
}
