/* SPDX-License-Identifier: Apache-2.0 */
/** Several instances of an application on one simulated SQS: what they do together, and what faults of one of them do. */
@NullMarked
package io.github.batchsqs.benchmarks.cluster;

import org.jspecify.annotations.NullMarked;
