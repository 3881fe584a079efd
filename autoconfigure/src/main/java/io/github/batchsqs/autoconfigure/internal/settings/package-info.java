/* SPDX-License-Identifier: Apache-2.0 */
/** Binds the keys under {@code batchsqs.}. */
@NullMarked
package io.github.batchsqs.autoconfigure.internal.settings;

import org.jspecify.annotations.NullMarked;
