/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.support;

import java.time.Duration;
import java.util.regex.Pattern;

/** The limits of SQS, each in one place. */
public final class SqsLimits {

    /** The maximum number of messages of a receive, and of entries of a batch call. */
    public static final int MAX_PER_CALL = 10;

    /** The maximum number of attributes of a message. */
    public static final int MAX_ATTRIBUTES = 10;

    /** The maximum number of bytes of a message, and of all messages of a call. */
    public static final long MAX_BYTES = 1 << 20;

    /** The maximum time that a receive waits for a message. */
    public static final Duration MAX_WAIT = Duration.ofSeconds(20);

    /** The maximum time between a receive and the end of the visibility timeout. */
    public static final Duration MAX_VISIBILITY = Duration.ofHours(12);

    /** The maximum number of messages of a queue that are in flight, approximately. */
    public static final int MAX_IN_FLIGHT = 120_000;

    /** What the name of a queue is. */
    public static final Pattern QUEUE_NAME = Pattern.compile("(?=.{1,80}$)[A-Za-z0-9_-]+(\\.fifo)?");

    /** The same in words. */
    public static final String QUEUE_NAME_RULE = "1 to 80 of A-Z a-z 0-9 - _, with the suffix .fifo for a FIFO queue";

    private SqsLimits() {}

    /** Returns the name of a queue that is given by name, URL or ARN: its last part. */
    public static String queueName(String reference) {
        int end = reference.length();
        while (end > 0 && reference.charAt(end - 1) == '/') {
            end--;
        }
        return reference.substring(
                Math.max(reference.lastIndexOf('/', end - 1), reference.lastIndexOf(':', end - 1)) + 1, end);
    }
}
