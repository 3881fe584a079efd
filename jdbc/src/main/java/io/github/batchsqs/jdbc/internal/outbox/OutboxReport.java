/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.jdbc.internal.outbox;

import java.util.List;

/**
 * The response of the endpoint for the outbox: the state of the table, and of the relay of this instance.
 *
 * @param running whether the relay of this instance runs
 * @param failingFor for how long the database has failed the relay
 * @param waiting messages that SQS has not accepted yet, up to 100,000, without those of a later time
 * @param oldest how long the oldest of these has waited
 * @param failed messages that were refused for themselves or parked, up to 100,000
 * @param waitingMessages the first 100 messages that wait: those with an error, then others that are due, then those of a later time
 * @param failedMessages the first 100 failed messages
 */
public record OutboxReport(
        boolean running,
        String failingFor,
        long waiting,
        String oldest,
        long failed,
        List<OutboxMessage> waitingMessages,
        List<OutboxMessage> failedMessages) {}
