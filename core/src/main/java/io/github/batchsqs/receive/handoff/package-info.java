/* SPDX-License-Identifier: Apache-2.0 */
/** Second stage: received messages gather into batches, and batches wait for a free invocation. */
@NullMarked
package io.github.batchsqs.receive.handoff;

import org.jspecify.annotations.NullMarked;
