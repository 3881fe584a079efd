/* SPDX-License-Identifier: Apache-2.0 */
/** Fixed and automatic numbers of invocations. */
@NullMarked
package io.github.batchsqs.benchmarks.concurrency;

import org.jspecify.annotations.NullMarked;
