/* SPDX-License-Identifier: Apache-2.0 */
/** The types that a handler uses: messages, batches, outcomes and acknowledgements. */
@NullMarked
package io.github.batchsqs;

import org.jspecify.annotations.NullMarked;
