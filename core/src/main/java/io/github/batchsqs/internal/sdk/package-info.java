/* SPDX-License-Identifier: Apache-2.0 */
/** Failures, digests and results of calls, which both clients need. Not API. */
@NullMarked
package io.github.batchsqs.internal.sdk;

import org.jspecify.annotations.NullMarked;
