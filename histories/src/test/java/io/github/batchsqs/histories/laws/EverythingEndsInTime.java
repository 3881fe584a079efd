/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.histories.laws;

/** Every start, stop, wait and future ends within its bound. */
public final class EverythingEndsInTime extends Law {

    /** Makes it. */
    public EverythingEndsInTime() {
        super("Every start, stop, wait and future ends within its bound.");
    }

    @Override
    public void end(Truth truth) {
        if (!truth.promises().isEmpty()) {
            throw broken(String.join("; ", truth.promises()));
        }
    }
}
