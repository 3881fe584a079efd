/* SPDX-License-Identifier: Apache-2.0 */
/** Tests of what senders are set by. */
@NullMarked
package io.github.batchsqs.send;

import org.jspecify.annotations.NullMarked;
