/* SPDX-License-Identifier: Apache-2.0 */
/** The send path: messages in, batches of ten out, a result for each message. */
@NullMarked
package io.github.batchsqs.send;

import org.jspecify.annotations.NullMarked;
