/* SPDX-License-Identifier: Apache-2.0 */
@NullMarked
package io.github.batchsqs.benchmarks.once;

import org.jspecify.annotations.NullMarked;
