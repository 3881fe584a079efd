/* SPDX-License-Identifier: Apache-2.0 */
/** The rungs: how SQS is used by hand, from one call per message to a pipeline; plain SDK, nothing around it. */
@NullMarked
package io.github.batchsqs.benchmarks.ladder;

import org.jspecify.annotations.NullMarked;
