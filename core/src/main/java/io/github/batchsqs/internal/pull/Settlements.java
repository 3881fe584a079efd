/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.pull;

import io.github.batchsqs.internal.support.ForeignCode;
import io.github.batchsqs.Backoff;
import io.github.batchsqs.client.EntryResult;
import io.github.batchsqs.client.Queue;
import io.github.batchsqs.client.QueueCallException;
import io.github.batchsqs.client.ReceivedMessage;
import io.github.batchsqs.client.VisibilityChange;
import io.github.batchsqs.internal.batch.BatchCall;
import io.github.batchsqs.internal.batch.BatchEntry;
import io.github.batchsqs.internal.batch.BatchLimits;
import io.github.batchsqs.internal.batch.Batcher;
import io.github.batchsqs.internal.batch.BatcherSettings;
import io.github.batchsqs.internal.batch.EntryFailedException;
import io.github.batchsqs.internal.batch.SettledEntry;
import io.github.batchsqs.internal.pull.Settling.Target;
import io.github.batchsqs.internal.support.SafeThrowable;
import io.github.batchsqs.internal.support.SqsLimits;
import io.github.batchsqs.payload.PayloadStore;
import io.github.batchsqs.time.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The deletes and visibility changes of pulled messages, of all queues: one batcher, whose batches are split by queue and
 * operation. Usually that is one call of up to ten.
 *
 * <p>Changes of one message, and on a FIFO queue those of one message group, keep their order. Safe for use by any thread.
 */
final class Settlements implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(Puller.class);

    /** How long a settlement is tried. */
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    /** How long a settlement waits for others to share its call, whatever the linger of sends is. */
    private static final Duration LINGER = Duration.ofMillis(5);

    private static final int MAX_IN_FLIGHT = 8;
    private static final BatcherSettings SETTINGS = new BatcherSettings(
            new BatchLimits(SqsLimits.MAX_PER_CALL, SqsLimits.MAX_BYTES, LINGER),
            MAX_IN_FLIGHT,
            Backoff.exponential(Duration.ofMillis(100), Duration.ofSeconds(5)));

    private static final EntryResult<Void> NONE = new EntryResult.Rejected<>("Missing", "no result", true);

    private final PullCalls calls;
    private final PullThreads threads;
    private final TimeSource time;
    private final @Nullable PayloadStore payloads;
    private final Batcher<Settling, Void> batcher;
    private final AtomicBoolean timerStarted = new AtomicBoolean();

    Settlements(PullCalls calls, PullThreads threads, TimeSource time, @Nullable PayloadStore payloads) {
        this.payloads = payloads;
        this.calls = calls;
        this.threads = threads;
        this.time = time;
        this.batcher = new Batcher<>(SETTINGS, new Call(), threads.calls(), time, new SplittableRandom());
    }

    /**
     * Adds a settlement, whose future completes in any case.
     *
     * @param orderingKey what keeps its order; {@code null} for a delete
     */
    void add(Settling settling, @Nullable Object orderingKey) {
        if (timerStarted.compareAndSet(false, true)) {
            threads.startTimer(this::runTimer);
        }
        long deadline = time.nanos() + TIMEOUT.toNanos();
        CompletableFuture<Void> ignored = batcher.add(new BatchEntry<>(settling, 1, orderingKey, deadline));
    }

    /** Makes the calls of all that wait; completes when their futures have completed. */
    CompletableFuture<Void> flush() {
        return batcher.flush();
    }

    /** Fails what is not settled yet, and refuses more. */
    @Override
    public void close() {
        batcher.close();
        batcher.abortCalls();
        if (timerStarted.compareAndSet(false, true)) {
            threads.close(); // else the timer does, after it
        }
    }

    private void runTimer() {
        try {
            batcher.runTimer();
        } finally {
            threads.close();
        }
    }

    private final class Call implements BatchCall<Settling, Void> {

        @Override
        public List<EntryResult<Void>> call(List<Settling> entries) throws InterruptedException {
            return makeCalls(entries);
        }

        @Override
        public void settled(List<? extends SettledEntry<Settling, Void>> entries) {
            logFailures(entries);
        }

        @Override
        public void deliver(SettledEntry<Settling, Void> entry) {
            Throwable cause = entry.cause();
            if (cause == null) {
                entry.entry().future().complete(null);
            } else {
                entry.entry().future().completeExceptionally(failure(entry.entry(), cause));
            }
        }
    }

    private List<EntryResult<Void>> makeCalls(List<Settling> entries) throws InterruptedException {
        Map<Target, List<Integer>> places = new LinkedHashMap<>();
        for (int i = 0; i < entries.size(); i++) {
            places.computeIfAbsent(entries.get(i).target(), target -> new ArrayList<>())
                    .add(i);
        }
        List<EntryResult<Void>> all = new ArrayList<>(Collections.nCopies(entries.size(), NONE));
        for (Map.Entry<Target, List<Integer>> each : places.entrySet()) {
            List<Integer> some = each.getValue();
            List<EntryResult<Void>> results =
                    makeCall(each.getKey(), some.stream().map(entries::get).toList());
            for (int i = 0; i < some.size(); i++) {
                all.set(some.get(i), results.get(i));
            }
        }
        return all;
    }

    /** A call that fails as a whole says nothing about those of other queues. */
    private List<EntryResult<Void>> makeCall(Target target, List<Settling> entries) throws InterruptedException {
        try {
            return target.delete()
                    ? delete(target.queue(), entries)
                    : calls.changeVisibility(
                            target.queue(),
                            entries.stream().map(Settlements::change).toList());
        } catch (QueueCallException e) {
            return Collections.nCopies(
                    entries.size(),
                    new EntryResult.Rejected<>(
                            e.code(), String.valueOf(e.getMessage()), e.retryable(), e.mayHaveBeenAccepted()));
        }
    }

    /** The payloads of deleted messages that are stored outside of SQS are needed no more. */
    private List<EntryResult<Void>> delete(Queue queue, List<Settling> entries) throws InterruptedException {
        List<EntryResult<Void>> results =
                calls.delete(queue, entries.stream().map(Settling::handle).toList());
        PayloadStore store = payloads;
        if (store != null) {
            List<ReceivedMessage> deleted = new ArrayList<>(entries.size());
            for (int i = 0; i < results.size(); i++) {
                if (results.get(i) instanceof EntryResult.Accepted<Void>) {
                    deleted.add(entries.get(i).message());
                }
            }
            Throwable failure =
                    deleted.isEmpty() ? null : ForeignCode.run(() -> store.deleted(queue.name(), deleted));
            if (failure != null) { // SQS has accepted the deletes all the same
                log.error(
                        "The payloads of {} deleted messages of {} may remain", deleted.size(), queue.name(), failure);
            }
        }
        return results;
    }

    private static VisibilityChange change(Settling settling) {
        return new VisibilityChange(settling.handle(), Objects.requireNonNull(settling.timeout()));
    }

    /** The caller may ignore the futures. */
    private static void logFailures(List<? extends SettledEntry<Settling, Void>> entries) {
        List<? extends SettledEntry<Settling, Void>> failed =
                entries.stream().filter(each -> each.cause() != null).toList();
        if (!failed.isEmpty()) {
            log.warn(
                    "{} of {} messages that were received through the template could not be deleted, or their visibility"
                            + " timeout not changed; the last: {}",
                    failed.size(),
                    entries.size(),
                    words(
                            failed.getLast().entry(),
                            Objects.requireNonNull(failed.getLast().cause())));
        }
    }

    private static QueueCallException failure(Settling settling, Throwable cause) {
        String code = cause instanceof EntryFailedException entry
                ? entry.code()
                : cause.getClass().getSimpleName();
        return new QueueCallException(
                settling.target().operation(),
                code,
                words(settling, cause),
                EntryFailedException.OWN_CODES.contains(code),
                cause);
    }

    private static String words(Settling settling, Throwable cause) {
        String code = cause instanceof EntryFailedException entry ? entry.code() : "Unexpected";
        return "The message " + settling.message().id() + " of the queue '"
                + settling.queue().name() + "' "
                + (settling.timeout() == null
                        ? "was not deleted (" + code + "), so that it is delivered again: "
                        : "keeps its visibility timeout (" + code + "): ")
                + (code.equals(EntryFailedException.CLOSED) ? "the template is closed" : SafeThrowable.message(cause));
    }
}
