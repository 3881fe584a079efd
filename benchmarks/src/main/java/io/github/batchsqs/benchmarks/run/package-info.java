/* SPDX-License-Identifier: Apache-2.0 */
/** One row: what is run, in a JVM of its own, and what is measured. */
@NullMarked
package io.github.batchsqs.benchmarks.run;

import org.jspecify.annotations.NullMarked;
