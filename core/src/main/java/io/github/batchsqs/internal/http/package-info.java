/* SPDX-License-Identifier: Apache-2.0 */
/** The HTTP client: connections, and the deadline of each call. */
@NullMarked
package io.github.batchsqs.internal.http;

import org.jspecify.annotations.NullMarked;
