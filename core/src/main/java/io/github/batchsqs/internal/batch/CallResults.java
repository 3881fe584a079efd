/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.batch;

import io.github.batchsqs.Backoff;
import io.github.batchsqs.internal.client.EntryResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Decides what the results of one call mean for its entries: which are accepted, which fail, and which are tried again,
 * together or alone, and when.
 *
 * <p>Pure: no thread, no lock, no clock of its own. It marks the entries that it settles.
 */
final class CallResults<E, R> {

    private final List<Pending<E, R>> batch;
    private final List<Pending<E, R>> settled = new ArrayList<>();
    private final List<Pending<E, R>> again = new ArrayList<>(0);
    private boolean alone;
    private boolean unknown;
    private long notBefore;

    /**
     * Decides.
     *
     * @param outcome the results, or why there are none
     * @param settings the delays before the next try
     * @param sending whether entries may be tried again at all: not while the batcher closes
     */
    CallResults(
            List<Pending<E, R>> batch,
            Outcome<R> outcome,
            long now,
            BatcherSettings settings,
            RandomGenerator random,
            boolean sending) {
        this.batch = batch;
        decide(outcome);
        Collections.reverse(settled);
        Collections.reverse(again);
        failLate(outcome.judged().retryAfter(), now, settings, random, sending);
    }

    /** Returns the entries that are settled now, in order; those that were settled before are not among them. */
    List<Pending<E, R>> settled() {
        return settled;
    }

    /** Returns the entries that are tried again, in order. */
    List<Pending<E, R>> again() {
        return again;
    }

    /** Returns the earliest time of the next try. It is one time for all, so that they share their next call. */
    long notBefore() {
        return notBefore;
    }

    private void decide(Outcome<R> outcome) {
        alone = outcome.failure() != null && outcome.judged().alone() && batch.size() > 1;
        // Backwards, so that an entry knows whether a later one with its key was accepted.
        Set<Object> passed = Set.of();
        for (int i = batch.size() - 1; i >= 0; i--) {
            Pending<E, R> entry = batch.get(i);
            switch (outcome.of(i)) {
                case EntryResult.Accepted<R> yes -> {
                    if (entry.orderingKey != null && !BatchCall.isLeftOut(yes)) {
                        passed = passed.isEmpty() ? new HashSet<>() : passed;
                        passed.add(entry.orderingKey);
                    }
                    if (!entry.settled) {
                        entry.accepted(yes.value());
                        settled.add(entry);
                    }
                }
                case EntryResult.Rejected<R> no -> rejected(entry, no, outcome.failure(), passed);
            }
        }
    }

    private void rejected(
            Pending<E, R> entry, EntryResult.Rejected<R> no, @Nullable Throwable failure, Set<Object> passed) {
        entry.notAccepted(true, no.mayHaveBeenAccepted());
        if (entry.settled) {
            return;
        }
        if (!no.retryable() && !alone) {
            fail(entry, no.code(), no.message(), failure);
        } else if (entry.orderingKey != null && passed.contains(entry.orderingKey)) {
            fail(
                    entry,
                    EntryFailedException.OUT_OF_ORDER,
                    "Refused (" + no.code() + ": " + no.message()
                            + ") by a call that accepted a later entry of the same"
                            + " group; sending it again would reorder the group",
                    failure);
        } else {
            entry.alone |= alone;
            unknown |= no.mayHaveBeenAccepted();
            entry.lastFailure = entry.failure(no.code(), no.message(), failure);
            again.add(entry);
        }
    }

    private void failLate(
            Duration retryAfter, long now, BatcherSettings settings, RandomGenerator random, boolean sending) {
        notBefore = now;
        if (!alone && !again.isEmpty()) {
            int attempts = 1;
            long left = Long.MAX_VALUE; // a server that asks for more gets its call halfway to the next deadline
            for (Pending<E, R> entry : batch) {
                attempts = Math.max(attempts, unknown ? entry.unknown : entry.tries);
                left = entry.expired(now) ? left : Math.min(left, (entry.deadline - now) / 2);
            }
            Backoff backoff = unknown ? settings.unknownRetry() : settings.retry();
            long delay = backoff.delay(attempts, random).toNanos();
            notBefore = now + Math.max(delay, Math.min(left, retryAfter.toNanos()));
        }
        again.removeIf(entry -> {
            if (!sending) {
                entry.close();
                settled.add(entry);
            } else if (entry.expired(notBefore)) {
                entry.expire();
                settled.add(entry);
            }
            return entry.settled;
        });
    }

    private void fail(Pending<E, R> entry, String code, String message, @Nullable Throwable cause) {
        entry.failed(entry.failure(code, message, cause));
        settled.add(entry);
    }

    /**
     * How a call ended.
     *
     * @param results the result of each entry; empty if the call failed
     * @param failure why the call as a whole failed
     * @param judged what the failure means for the entries; meaningless if the call did not fail
     */
    record Outcome<R>(
            List<EntryResult<R>> results, @Nullable Throwable failure, CallFailure judged) {

        private static final CallFailure NONE = new CallFailure(false, false);

        static <R> Outcome<R> of(List<EntryResult<R>> results) {
            return new Outcome<>(results, null, NONE);
        }

        static <R> Outcome<R> failed(Throwable failure, CallFailure judged) {
            return new Outcome<>(List.of(), failure, judged);
        }

        private EntryResult<R> of(int index) {
            return failure == null
                    ? results.get(index)
                    : new EntryResult.Rejected<>(
                            EntryFailedException.CALL_FAILED,
                            String.valueOf(failure.getMessage()),
                            judged.retryable(),
                            judged.mayHaveBeenAccepted());
        }
    }
}
