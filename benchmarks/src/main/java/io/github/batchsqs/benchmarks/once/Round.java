/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.once;

/**
 * A round of a contestant.
 *
 * @param messages that were deleted from the queue, or that it accepted
 * @param transactions of the application that committed
 * @param seconds until the last message was deleted or accepted
 * @param commitSeconds until the last transaction had committed
 */
public record Round(long messages, long transactions, double seconds, double commitSeconds) {

    double messagesPerSecond() {
        return messages / seconds;
    }

    double transactionsPerSecond() {
        return transactions / commitSeconds;
    }
}
