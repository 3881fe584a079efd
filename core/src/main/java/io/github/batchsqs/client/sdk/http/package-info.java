/* SPDX-License-Identifier: Apache-2.0 */
/** How long the calls of an HTTP client may last. */
@NullMarked
package io.github.batchsqs.client.sdk.http;

import org.jspecify.annotations.NullMarked;
