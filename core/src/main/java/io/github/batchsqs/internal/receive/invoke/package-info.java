/* SPDX-License-Identifier: Apache-2.0 */
/** Third stage: payloads are converted, the handler runs, and its result becomes a settlement per message. */
@NullMarked
package io.github.batchsqs.internal.receive.invoke;

import org.jspecify.annotations.NullMarked;
