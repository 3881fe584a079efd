/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.batch;

import org.jspecify.annotations.Nullable;

/** What became of an entry; see {@link BatchCall#settled}. */
public sealed interface SettledEntry<E, R> permits Pending {

    /** What was to go out. */
    E entry();

    /** What it brought back; {@code null} if it failed, or if accepted entries bring nothing back. */
    @Nullable
    R result();

    /** Why it failed, or {@code null} if it was accepted. */
    @Nullable
    Throwable cause();
}
