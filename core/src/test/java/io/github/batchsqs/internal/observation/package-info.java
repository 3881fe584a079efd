/* SPDX-License-Identifier: Apache-2.0 */
/** Tests of observations. */
@NullMarked
package io.github.batchsqs.internal.observation;

import org.jspecify.annotations.NullMarked;
