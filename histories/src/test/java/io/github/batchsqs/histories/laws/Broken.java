/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.histories.laws;

/** A law does not hold. */
public final class Broken extends AssertionError {

    private static final long serialVersionUID = 1;

    private final String law;

    /** Names the law, and what broke it. */
    public Broken(String law, String what) {
        super(law + "\n  but " + what);
        this.law = law;
    }

    /** {@return the sentence of the law} */
    public String law() {
        return law;
    }
}
