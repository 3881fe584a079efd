/* SPDX-License-Identifier: Apache-2.0 */
/** JMH benchmarks of the engine. */
@NullMarked
package io.github.batchsqs.benchmarks;

import org.jspecify.annotations.NullMarked;
