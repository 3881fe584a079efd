/* SPDX-License-Identifier: Apache-2.0 */
/** Tries the promises: processes that are killed, a network that fails, many messages. What came out: docs/reliability.md. */
@NullMarked
package io.github.batchsqs.reliability;

import org.jspecify.annotations.NullMarked;
