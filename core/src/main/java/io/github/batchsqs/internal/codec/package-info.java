/* SPDX-License-Identifier: Apache-2.0 */
/** Opens envelopes and chooses types: what becomes of a body before a handler sees it. Not API. */
@NullMarked
package io.github.batchsqs.internal.codec;

import org.jspecify.annotations.NullMarked;
