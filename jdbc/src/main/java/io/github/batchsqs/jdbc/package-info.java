/* SPDX-License-Identifier: Apache-2.0 */
/** Effectively once with the application's own database: what inbox and outbox share. */
@NullMarked
package io.github.batchsqs.jdbc;

import org.jspecify.annotations.NullMarked;
