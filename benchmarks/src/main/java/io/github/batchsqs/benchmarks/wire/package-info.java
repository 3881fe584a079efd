/* SPDX-License-Identifier: Apache-2.0 */
/** What a message costs on the wire: the bare client, BatchSQS, and the best of its peers. */
@NullMarked
package io.github.batchsqs.benchmarks.wire;

import org.jspecify.annotations.NullMarked;
