/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.once;

/**
 * The statements of a round.
 *
 * @param messages of the round
 * @param transactions of the application
 * @param application those of the handler or the producer
 * @param stored those that insert rows of the inbox or the outbox, in the application's transaction
 * @param others all others of the library, such as those of the relay
 * @param commits of all transactions
 */
public record Statements(long messages, long transactions, long application, long stored, long others, long commits) {

    long all() {
        return application + stored + others;
    }
}
