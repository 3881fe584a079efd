/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Sends the messages of transactions: they are rows that the transaction of the sender writes, and the relay of an instance sends
 * after the commit.
 */
@NullMarked
package io.github.batchsqs.jdbc.internal.outbox;

import org.jspecify.annotations.NullMarked;
