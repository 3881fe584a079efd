/* SPDX-License-Identifier: Apache-2.0 */
/** Decides which value of each listener setting applies, and reports where it came from. */
@NullMarked
package io.github.batchsqs.autoconfigure.internal.options;

import org.jspecify.annotations.NullMarked;
