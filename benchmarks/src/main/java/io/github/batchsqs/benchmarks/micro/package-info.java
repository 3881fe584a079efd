/* SPDX-License-Identifier: Apache-2.0 */
/** JMH benchmarks of the engine's parts, without any network. */
@NullMarked
package io.github.batchsqs.benchmarks.micro;

import org.jspecify.annotations.NullMarked;
