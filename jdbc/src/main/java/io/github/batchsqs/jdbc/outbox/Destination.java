/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.jdbc.outbox;

/**
 * Where a message goes: a queue of a client.
 *
 * @param queueIdentity equal for all spellings of the queue; queues of one name in two accounts or regions differ in it
 */
record Destination(String client, String queueIdentity, String queueName) {}
