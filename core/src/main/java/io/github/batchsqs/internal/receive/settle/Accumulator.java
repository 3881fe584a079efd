/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.settle;

import io.github.batchsqs.client.EntryResult;
import io.github.batchsqs.client.Queue;
import io.github.batchsqs.internal.batch.BatchCall;
import io.github.batchsqs.internal.batch.BatchEntry;
import io.github.batchsqs.internal.batch.Batcher;
import io.github.batchsqs.internal.receive.delivery.ListenerQueue;
import io.github.batchsqs.internal.support.RecurringLog;
import io.github.batchsqs.internal.support.SafeThrowable;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.slf4j.Logger;

/**
 * One kind of call of this stage: gathers its entries into batches, watches its calls, and counts the messages for which it
 * was given up.
 *
 * @param <E> an entry
 * @param <R> the result of an accepted entry
 */
final class Accumulator<E, R> {

    private final Kind kind;
    private final Calls calls;
    private final CallOutage outage;
    private final RecurringLog givenUp;
    private final Batcher<E, R> batcher;

    /**
     * A kind of call.
     *
     * @param timer the name of the timer
     * @param operation the operation of SQS
     * @param doing what the call does to its queue, for the log, for example {@code deleting messages of}
     * @param givenUp what becomes of a message for which it is given up, for the log
     * @param log the log
     */
    record Kind(String timer, String operation, String doing, String givenUp, Logger log) {}

    /** Makes the accumulator of calls to a queue. */
    Accumulator(Kind kind, ListenerQueue source, Queue target, Calls calls, Executor threads, BatchCall<E, R> call) {
        this.kind = kind;
        this.calls = calls;
        this.outage = new CallOutage(source, calls.time(), kind.log(), kind.operation(), kind.doing(), target);
        this.givenUp = new RecurringLog(
                kind.log(),
                calls.time(),
                "Listener " + source.listener() + ": messages of " + source.name() + " " + kind.givenUp());
        this.batcher = calls.batcher(source, call, threads);
    }

    /** Returns the name of the {@linkplain #batcher batcher's} timer. */
    String timer() {
        return kind.timer();
    }

    Batcher<E, R> batcher() {
        return batcher;
    }

    /** Adds entries; see {@link Batcher#addAll}. */
    List<CompletableFuture<R>> addAll(List<BatchEntry<E>> entries) {
        return batcher.addAll(entries);
    }

    /** Makes a call, see {@link Calls#make}. */
    List<EntryResult<R>> make(int entries, Calls.Call<R> call) throws InterruptedException {
        return calls.make(outage, entries, call);
    }

    /** The result of an entry whose receipt handle was replaced during the call: it goes out again with the new one. */
    EntryResult<R> receivedAgain() {
        return new EntryResult.Rejected<>("ReceivedAgain", "the message was received again meanwhile", true);
    }

    /** Counts messages for which the call was given up. Returns whether the caller logs them in full. */
    boolean gaveUp(int messages, Throwable reason) {
        return givenUp.record(messages, SafeThrowable.message(reason));
    }

    /** Returns for how long SQS has accepted no such call although some were tried. */
    Duration failingFor() {
        return outage.failingFor();
    }

    /** Logs what recurs, if a line is due, and records calls that are overdue. */
    void logDue() {
        calls.recordOverdue(outage);
        givenUp.logDue();
    }

    /** Logs what recurred and has not been logged yet. */
    void logRest() {
        givenUp.logRest();
    }
}
