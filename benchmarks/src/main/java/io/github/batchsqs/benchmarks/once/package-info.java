/* SPDX-License-Identifier: Apache-2.0 */
/** What the inbox and the outbox cost on PostgreSQL: throughput, statements, and the growth of their tables. */
@NullMarked
package io.github.batchsqs.benchmarks.once;

import org.jspecify.annotations.NullMarked;
