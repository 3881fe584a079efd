/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.batch;

import org.jspecify.annotations.Nullable;

/**
 * An entry of a call.
 *
 * @param item passed to the {@link BatchCall}
 * @param bytes its share of the size of a call
 * @param orderingKey entries with equal keys keep their order and are never in two calls at once; {@code null} for an entry
 *     without order
 * @param deadline when the entry fails unless it was accepted, in {@link io.github.batchsqs.internal.support.TimeSource#nanos()};
 *     {@link BatchCall#deadline} may move it
 */
public record BatchEntry<E>(E item, long bytes, @Nullable Object orderingKey, long deadline) {}
