/* SPDX-License-Identifier: Apache-2.0 */
/** Skips messages that have been processed before: the ids of processed messages are in a table that the transaction of the handler writes. */
@NullMarked
package io.github.batchsqs.jdbc.internal.inbox;

import org.jspecify.annotations.NullMarked;
