/* SPDX-License-Identifier: Apache-2.0 */
/** Tests of one-off receives. */
@NullMarked
package io.github.batchsqs.internal.pull;

import org.jspecify.annotations.NullMarked;
