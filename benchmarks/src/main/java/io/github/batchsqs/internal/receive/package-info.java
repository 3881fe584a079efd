/* SPDX-License-Identifier: Apache-2.0 */
/** The part of the simulation that is in a package of the engine, because a pipeline and its threads are not public. */
@NullMarked
package io.github.batchsqs.internal.receive;

import org.jspecify.annotations.NullMarked;
