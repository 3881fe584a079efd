/* SPDX-License-Identifier: Apache-2.0 */
/** Tests of the send path. */
@NullMarked
package io.github.batchsqs.internal.send;

import org.jspecify.annotations.NullMarked;
