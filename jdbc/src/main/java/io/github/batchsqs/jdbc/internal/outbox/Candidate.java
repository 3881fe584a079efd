/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.jdbc.internal.outbox;

import org.jspecify.annotations.Nullable;

/** A row that may be sent, without its contents. */
record Candidate(long id, Destination destination, @Nullable String groupKey, long bytes) {}
