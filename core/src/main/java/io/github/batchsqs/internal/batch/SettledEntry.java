/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.batch;

import org.jspecify.annotations.Nullable;

/** The outcome of an entry; see {@link BatchCall#settled}. */
public interface SettledEntry<E, R> {

    /** Returns the item that was added. */
    E entry();

    /** Returns the result; {@code null} if the entry failed, or if accepted entries have no result. */
    @Nullable
    R result();

    /** Returns why the entry failed, or {@code null} if it was accepted. */
    @Nullable
    EntryFailedException cause();
}
