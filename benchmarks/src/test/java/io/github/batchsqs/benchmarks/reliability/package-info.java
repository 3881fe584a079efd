/* SPDX-License-Identifier: Apache-2.0 */
@NullMarked
package io.github.batchsqs.benchmarks.reliability;

import org.jspecify.annotations.NullMarked;
