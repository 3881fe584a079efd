/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.jdbc.internal.outbox;

/** What became of a row that was sent. */
sealed interface Outcome {

    OutboxRow row();

    /** SQS accepted the message; the row is deleted. */
    record Accepted(OutboxRow row) implements Outcome {}

    /**
     * It is sent again. Until then the row stays with this instance, so that none of its group overtakes it.
     *
     * @param from when the row is free again, in nanoseconds of the time source
     * @param attempts how often it has failed; as before if it only waits for the row ahead of it
     */
    record Later(OutboxRow row, long from, int attempts, String error) implements Outcome {

        /** Returns whether its queue failed. */
        boolean failed() {
            return attempts > row.attempts();
        }
    }

    /** It is not sent again until an operator decides so; the row stays. */
    record Refused(OutboxRow row, String error) implements Outcome {}
}
