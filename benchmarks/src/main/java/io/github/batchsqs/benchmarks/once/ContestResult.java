/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.once;

import java.util.List;

/**
 * What a row of two contestants has measured.
 *
 * @param row its name
 * @param what the messages of an invocation at most, or of a transaction, for people
 * @param contestants first the one without, then the one with inbox or outbox; each has as many rounds
 */
public record ContestResult(String row, String what, List<Contestant> contestants) {

    /**
     * A contestant.
     *
     * @param name of it
     * @param rounds that were measured
     * @param statements of a round of its own
     */
    public record Contestant(String name, List<Round> rounds, Statements statements) {}

    Contestant without() {
        return contestants.get(0);
    }

    Contestant with() {
        return contestants.get(1);
    }
}
