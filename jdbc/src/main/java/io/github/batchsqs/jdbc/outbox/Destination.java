/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.jdbc.outbox;

/** Where a message goes: a queue of a client. */
record Destination(String client, String queueName) {}
