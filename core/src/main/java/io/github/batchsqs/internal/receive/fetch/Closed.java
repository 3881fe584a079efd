/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.fetch;

/**
 * The answer of a {@link Reason} that keeps a poller from receiving.
 *
 * @param reason a short name, the same for all answers of the reason
 * @param detail what it waits for, in words
 * @param nanos for how long, or {@link #UNTIL_CHANGED}
 * @param forRoom whether it waits for permits or memory: whoever returns some wakes it
 */
record Closed(String reason, String detail, long nanos, boolean forRoom) {

    /** Until something else happens that the valve notices: a permit returns, a receive ends, the number of pollers changes. */
    static final long UNTIL_CHANGED = Long.MAX_VALUE;

    Closed(String reason, String detail, long nanos) {
        this(reason, detail, nanos, false);
    }
}
