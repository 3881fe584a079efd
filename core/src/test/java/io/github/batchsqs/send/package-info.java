/* SPDX-License-Identifier: Apache-2.0 */
/** Tests of the send path. */
@NullMarked
package io.github.batchsqs.send;

import org.jspecify.annotations.NullMarked;
