/* SPDX-License-Identifier: Apache-2.0 */
/** The keys under {@code batchsqs.}, as users write them. */
@NullMarked
package io.github.batchsqs.autoconfigure.settings;

import org.jspecify.annotations.NullMarked;
