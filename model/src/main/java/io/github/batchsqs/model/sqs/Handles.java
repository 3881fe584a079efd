/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.model.sqs;

/** Receipt handles: which message, and which receive of it. They need no table, and are about as long as those of SQS. */
final class Handles {

    private static final String HEAD = "AQEB";
    private static final int NUMBER = 16;
    private static final String TAIL = "B7q0JZ3rTn2kXwPdYc5mUeL9sVfA1gHo".repeat(4) + "Qx4=";
    private static final int LENGTH = HEAD.length() + 2 * NUMBER + TAIL.length();
    private static final String ZEROS = "0".repeat(NUMBER);

    private Handles() {}

    /** The handle of the latest receive. */
    static String latest(Stored<?> message) {
        return HEAD + padded(message.sequence) + padded(message.handles) + TAIL;
    }

    /** Returns the sequence of the message, or -1 if the text is no handle. */
    static long sequence(String handle) {
        return number(handle, HEAD.length());
    }

    static boolean isLatest(String handle, Stored<?> message) {
        return number(handle, HEAD.length() + NUMBER) == message.handles;
    }

    static String padded(long number) {
        String digits = Long.toString(number);
        return ZEROS.substring(digits.length()) + digits;
    }

    private static long number(String handle, int from) {
        if (handle.length() != LENGTH || !handle.startsWith(HEAD)) {
            return -1;
        }
        long number = 0;
        for (int i = from; i < from + NUMBER; i++) {
            int digit = handle.charAt(i) - '0';
            if (digit < 0 || digit > 9) {
                return -1;
            }
            number = number * 10 + digit;
        }
        return number;
    }
}
