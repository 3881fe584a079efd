/* SPDX-License-Identifier: Apache-2.0 */
/** The application of which the cluster has several instances. */
@NullMarked
package io.github.batchsqs.benchmarks.cluster.instance;

import org.jspecify.annotations.NullMarked;
