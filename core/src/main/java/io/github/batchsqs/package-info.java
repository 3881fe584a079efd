/* SPDX-License-Identifier: Apache-2.0 */
/** What a handler sees: messages, batches, outcomes and acknowledgements. */
@NullMarked
package io.github.batchsqs;

import org.jspecify.annotations.NullMarked;
