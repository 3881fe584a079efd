/* SPDX-License-Identifier: Apache-2.0 */
/** Groups entries into batches, and completes each entry with its own result. Knows nothing of SQS but its limits and the results of calls. */
@NullMarked
package io.github.batchsqs.internal.batch;

import org.jspecify.annotations.NullMarked;
