/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.invoke;

import io.github.batchsqs.BatchListener;
import org.jspecify.annotations.Nullable;

/**
 * A listener that takes only messages of one kind in one call. A batch of several kinds is divided, see {@link Parts}: each
 * part is a call of its own, with an outcome of its own, and is settled before the next one starts.
 *
 * @param <T> the payload type
 */
public interface PartitionedListener<T> extends BatchListener<T> {

    /**
     * Returns the kind of a payload: messages of equal kinds may be in one call. Called on the thread of the invocation, once
     * for each message; must not throw.
     *
     * @return the kind, or {@code null} if the message has a call of its own
     */
    @Nullable
    Object kind(T payload);
}
