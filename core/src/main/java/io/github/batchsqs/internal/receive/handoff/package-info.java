/* SPDX-License-Identifier: Apache-2.0 */
/** Second stage: received messages accumulate in batches, and batches wait for a free slot. */
@NullMarked
package io.github.batchsqs.internal.receive.handoff;

import org.jspecify.annotations.NullMarked;
