/* SPDX-License-Identifier: Apache-2.0 */
/** The command line. */
@NullMarked
package io.github.batchsqs.benchmarks;

import org.jspecify.annotations.NullMarked;
