/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.histories.laws;

/** An instance, as laws see it. */
public interface Party {

    /** {@return whether it was killed} */
    boolean killed();

    /** {@return why it may return what it received without a run, and lose leases: a stop, for example; empty while all is well} */
    String disturbance();
}
