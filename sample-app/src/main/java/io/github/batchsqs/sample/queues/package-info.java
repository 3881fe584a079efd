/* SPDX-License-Identifier: Apache-2.0 */
/** What queues hold, and the way back out of a dead-letter queue. */
@NullMarked
package io.github.batchsqs.sample.queues;

import org.jspecify.annotations.NullMarked;
