/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.batch;

import org.jspecify.annotations.Nullable;

/**
 * Something to go out with a call.
 *
 * @param item what the {@link BatchCall} gets
 * @param bytes what it adds to the size of a call
 * @param lane entries with equal lanes keep their order and are never in two calls at once; {@code null} orders nothing
 * @param deadline when it fails if it was not accepted, in {@link io.github.batchsqs.TimeSource#nanos()}
 */
public record BatchEntry<E>(E item, long bytes, @Nullable Object lane, long deadline) {}
