/* SPDX-License-Identifier: Apache-2.0 */
/** Binds the keys under {@code batchsqs.}. */
@NullMarked
package io.github.batchsqs.autoconfigure.settings;

import org.jspecify.annotations.NullMarked;
