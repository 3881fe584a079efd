/* SPDX-License-Identifier: Apache-2.0 */
/** What was ordered is shipped, through a FIFO queue with a message group for each customer. */
@NullMarked
package io.github.batchsqs.sample.shipping;

import org.jspecify.annotations.NullMarked;
