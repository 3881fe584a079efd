/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.histories.laws;

/** A listener whose calls fail says so within a lease, and one whose calls succeed does not. */
public final class StatusTellsTheTruth extends Law {

    /** Makes it. */
    public StatusTellsTheTruth() {
        super("A listener whose calls fail says so within a lease, and one whose calls succeed does not.");
    }

    @Override
    public void end(Truth truth) {
        if (!truth.lies().isEmpty()) {
            throw broken(String.join("; ", truth.lies()));
        }
    }
}
