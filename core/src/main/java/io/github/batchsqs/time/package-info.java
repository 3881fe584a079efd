/* SPDX-License-Identifier: Apache-2.0 */
/** The clock of the engine, which tests set. */
@NullMarked
package io.github.batchsqs.time;

import org.jspecify.annotations.NullMarked;
