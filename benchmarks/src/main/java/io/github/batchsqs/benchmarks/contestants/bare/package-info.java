/* SPDX-License-Identifier: Apache-2.0 */
/** A client without any object of the SDK: the floor below all contestants. */
@NullMarked
package io.github.batchsqs.benchmarks.contestants.bare;

import org.jspecify.annotations.NullMarked;
