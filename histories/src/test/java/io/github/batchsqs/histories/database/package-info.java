/* SPDX-License-Identifier: Apache-2.0 */
/** The database of a fleet in virtual time. */
@NullMarked
package io.github.batchsqs.histories.database;

import org.jspecify.annotations.NullMarked;
