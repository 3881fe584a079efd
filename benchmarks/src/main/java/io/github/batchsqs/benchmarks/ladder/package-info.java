/* SPDX-License-Identifier: Apache-2.0 */
/** The rungs: direct uses of SQS with the plain SDK, from one call per message to a pipeline. */
@NullMarked
package io.github.batchsqs.benchmarks.ladder;

import org.jspecify.annotations.NullMarked;
