/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.jdbc.internal.outbox;

/** What became of a row that was sent. */
sealed interface Outcome {

    Candidate row();

    /** SQS accepted the message; the row is deleted. */
    record Accepted(Candidate row) implements Outcome {}

    /**
     * It is sent again. Until then the row stays with this instance, so that none of its group overtakes it.
     *
     * @param from when the row is free again, in nanoseconds of the time source
     * @param attempts how often it has failed; as before if it only waits for the row ahead of it
     */
    record Later(Candidate row, long from, int attempts, Blame blame, String error) implements Outcome {}

    /** What has failed, and has to pause. */
    enum Blame {
        QUEUE,
        MESSAGE,
        /** The row ahead of it. */
        ANOTHER
    }

    /** It is not sent again until an operator decides so; the row stays. */
    record Refused(Candidate row, int attempts, String error) implements Outcome {}
}
