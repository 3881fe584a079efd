/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.run;

/** A way to send to a queue. */
@FunctionalInterface
public interface Sending {

    /** Makes ready to send. */
    Sender open(Target target) throws Exception;

    /** Sends. */
    @FunctionalInterface
    interface Sender {

        /** Sends the bodies and returns when SQS has accepted all of them; body {@code i} belongs to group {@code i % groups}. */
        void send(Load load) throws Exception;
    }

    /**
     * What is to be sent.
     *
     * @param messages how many
     * @param bytes of each
     * @param groups message groups on a FIFO queue
     * @param first the number of the first message, so that no deduplication id comes twice
     */
    record Load(int messages, int bytes, int groups, int first) {

        /** The body of a message: its number, and letters. */
        public String body(int index) {
            String number = Integer.toString(first + index);
            return number + " " + "x".repeat(Math.max(0, bytes - number.length() - 1));
        }

        /** The group of a message. */
        public String group(int index) {
            return "group-" + (first + index) % groups;
        }
    }
}
