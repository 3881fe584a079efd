/* SPDX-License-Identifier: Apache-2.0 */
/** BatchSQS, its peers, and the bare SDK loop, behind one small contract each for listening and sending. */
@NullMarked
package io.github.batchsqs.benchmarks.contestants;

import org.jspecify.annotations.NullMarked;
