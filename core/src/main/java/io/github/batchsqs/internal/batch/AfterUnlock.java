/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.batch;

import java.util.ArrayList;
import java.util.List;

/** The after-unlock actions of one critical section of the {@link Batcher}: calls to start and futures to complete. */
final class AfterUnlock<E, R> {

    /** Calls to start. */
    final List<InFlightCall<E, R>> starts = new ArrayList<>(1);

    /** Entries that were settled just now, in the order in which their futures complete. */
    final List<Pending<E, R>> settled = new ArrayList<>();

    /** Completions that another thread should continue, because a callback blocks their thread. */
    final List<Completion<E, R>> stalled = new ArrayList<>(0);
}
