/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.batch;

import io.github.batchsqs.internal.client.EntryResult;
import io.github.batchsqs.internal.support.ForeignCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A call from its start to its end. */
final class InFlightCall<E, R> {

    private static final CallFailure ABORTED = new CallFailure(true, true);

    /** The entries that it carries, in order. */
    final List<Pending<E, R>> entries;

    private volatile @Nullable Thread caller;
    private volatile boolean aborted;

    InFlightCall(List<Pending<E, R>> entries) {
        this.entries = entries;
        for (Pending<E, R> entry : entries) {
            entry.tries++;
        }
    }

    /**
     * Fails the entries whose deadline passed, and interrupts a call that carries such an entry with an ordering key, or no other
     * entry. Belongs to the batcher's lock, as {@link #close} and {@link #abort} do.
     *
     * @param settled receives the entries that fail
     */
    void expire(List<Pending<E, R>> settled, long now) {
        boolean useless = true;
        for (Pending<E, R> entry : entries) {
            if (entry.expired(now)) {
                if (!entry.settled) {
                    entry.notAccepted(false, true);
                    entry.expire();
                    settled.add(entry);
                }
                if (entry.orderingKey != null) {
                    abort();
                }
            }
            useless &= entry.expired(now);
        }
        if (useless) {
            abort();
        }
    }

    /** Fails the entries that are not settled yet, because the batcher closes, and adds them to the settled ones. */
    void close(List<Pending<E, R>> settled) {
        for (Pending<E, R> entry : entries) {
            if (!entry.settled) {
                entry.notAccepted(false, true);
                entry.close();
                settled.add(entry);
            }
        }
    }

    /** Makes the call on the calling thread. Throws nothing: a failure is an outcome too. */
    CallResults.Outcome<R> make(BatchCall<E, R> call) {
        ForeignCode.Outcome<List<EntryResult<R>>> made = ForeignCode.call(() -> {
            caller = Thread.currentThread();
            if (aborted) {
                throw new InterruptedException("Aborted before it began");
            }
            List<E> items = new ArrayList<>(entries.size());
            entries.forEach(entry -> items.add(entry.item));
            return checked(call.call(items), items.size());
        });
        Throwable failure = made.failure();
        return failure != null
                ? CallResults.Outcome.failed(failure, aborted ? ABORTED : call.judge(failure))
                : CallResults.Outcome.of(Objects.requireNonNull(made.value()));
    }

    private static <R> List<EntryResult<R>> checked(List<EntryResult<R>> results, int entries) {
        if (results.size() != entries) {
            throw new IllegalStateException(
                    "A call of " + entries + " entries returned " + results.size() + " results");
        }
        return results;
    }

    /** Ends the call by an interrupt. Called only while the call is not over. */
    void abort() {
        if (aborted) {
            return;
        }
        aborted = true;
        Thread thread = caller;
        if (thread != null) {
            thread.interrupt();
        }
    }
}
