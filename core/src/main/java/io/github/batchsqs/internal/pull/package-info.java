/* SPDX-License-Identifier: Apache-2.0 */
/** Receives for callers: the calls, and the deletes and visibility changes of what they brought. */
@NullMarked
package io.github.batchsqs.internal.pull;

import org.jspecify.annotations.NullMarked;
