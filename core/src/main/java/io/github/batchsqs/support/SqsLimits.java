/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.support;

import java.time.Duration;

/** The limits of SQS, each in one place. */
public final class SqsLimits {

    /** The maximum number of messages of a receive, and of entries of a batch call. */
    public static final int MAX_PER_CALL = 10;

    /** The maximum number of attributes of a message. */
    public static final int MAX_ATTRIBUTES = 10;

    /** The maximum number of bytes of a message, and of all messages of a call. */
    public static final long MAX_BYTES = 1 << 20;

    /** The maximum time between a receive and the end of the visibility timeout. */
    public static final Duration MAX_VISIBILITY = Duration.ofHours(12);

    /** The maximum number of messages of a queue that are in flight, approximately. */
    public static final int MAX_IN_FLIGHT = 120_000;

    private SqsLimits() {}
}
