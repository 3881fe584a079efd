/* SPDX-License-Identifier: Apache-2.0 */
/** The table of the long tests of reliability. */
@NullMarked
package io.github.batchsqs.benchmarks.reliability;

import org.jspecify.annotations.NullMarked;
