/* SPDX-License-Identifier: Apache-2.0 */
/** Queues, what a receive brings, the failures of calls, and the options of the HTTP client. */
@NullMarked
package io.github.batchsqs.client;

import org.jspecify.annotations.NullMarked;
