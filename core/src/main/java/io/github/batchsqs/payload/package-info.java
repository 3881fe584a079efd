/* SPDX-License-Identifier: Apache-2.0 */
/** The seam to a store of payloads that do not travel in SQS messages. */
@NullMarked
package io.github.batchsqs.payload;

import org.jspecify.annotations.NullMarked;
