/* SPDX-License-Identifier: Apache-2.0 */
/** Explains failed starts to the user. */
@NullMarked
package io.github.batchsqs.autoconfigure.internal.diagnostics;

import org.jspecify.annotations.NullMarked;
