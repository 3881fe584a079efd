/* SPDX-License-Identifier: Apache-2.0 */
/** Sending: messages in, batches of ten out, a result for each message. */
@NullMarked
package io.github.batchsqs.send;

import org.jspecify.annotations.NullMarked;
