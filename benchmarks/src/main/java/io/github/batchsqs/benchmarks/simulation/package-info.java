/* SPDX-License-Identifier: Apache-2.0 */
/** A deterministic simulation of many instances on one queue, in virtual time. */
@NullMarked
package io.github.batchsqs.benchmarks.simulation;

import org.jspecify.annotations.NullMarked;
