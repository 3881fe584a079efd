/* SPDX-License-Identifier: Apache-2.0 */
/** The database of inbox and outbox. Not API. */
@NullMarked
package io.github.batchsqs.jdbc.internal;

import org.jspecify.annotations.NullMarked;
