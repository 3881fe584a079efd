/* SPDX-License-Identifier: Apache-2.0 */
/** Creates observations of invocations and sends. */
@NullMarked
package io.github.batchsqs.internal.observation;

import org.jspecify.annotations.NullMarked;
