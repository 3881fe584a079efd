/* SPDX-License-Identifier: Apache-2.0 */
/** Entries become batches, and each entry gets a result of its own. Knows nothing of SQS. */
@NullMarked
package io.github.batchsqs.batch;

import org.jspecify.annotations.NullMarked;
