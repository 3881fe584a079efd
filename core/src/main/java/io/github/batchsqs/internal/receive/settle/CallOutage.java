/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.settle;

import io.github.batchsqs.client.EntryResult;
import io.github.batchsqs.client.Queue;
import io.github.batchsqs.client.QueueCallException;
import io.github.batchsqs.internal.receive.delivery.ListenerQueue;
import io.github.batchsqs.internal.support.Check;
import io.github.batchsqs.internal.support.EngineLock;
import io.github.batchsqs.internal.support.OutageLog;
import io.github.batchsqs.internal.support.SqsErrors;
import io.github.batchsqs.time.TimeSource;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Watches one kind of call of a listener: logs when it begins to fail, while it fails and when it succeeds again, and knows
 * for how long it has failed. A missing permission is logged at its first refusal, whether SQS refuses the call or its
 * entries. Calls that are overdue count as failing; see {@link OpenCalls}.
 *
 * <p>Safe for use by any thread. Each call {@link #begin begins}, and then {@link #succeeded}, {@link #failed} or was {@link
 * #interrupted}.
 */
final class CallOutage {

    private static final Set<String> PERMISSION_CODES =
            Set.of("AccessDenied", "AccessDeniedException", "KmsAccessDenied", "KMS.AccessDeniedException");

    /** A last attempt that is older than a lease and this duration does not show the present state. */
    private static final long STALE_NANOS = Duration.ofMinutes(1).toNanos();

    private final String operation;
    private final String queue;
    private final TimeSource time;
    private final OutageLog log;
    private final long staleNanos;
    private final ReentrantLock lock = new EngineLock();
    private final OpenCalls open;
    private volatile long failedAt;

    /**
     * Makes the watch of one kind of call.
     *
     * @param operation the operation of SQS
     * @param doing what the call does, for the log, for example {@code deleting messages of}
     * @param target the queue that is called
     */
    CallOutage(ListenerQueue source, TimeSource time, Logger log, String operation, String doing, Queue target) {
        this.operation = operation;
        this.queue = target.name();
        this.time = time;
        this.log = new OutageLog(log, time, "Listener " + source.listener() + ": " + doing + " " + queue);
        this.staleNanos = source.lease().toNanos() + STALE_NANOS;
        this.open = new OpenCalls(source.lease());
    }

    static boolean isPermission(String code) {
        return PERMISSION_CODES.contains(code);
    }

    String operation() {
        return operation;
    }

    /** Records the beginning of a call with so many entries. */
    OpenCalls.OpenCall begin(int entries) {
        lock.lock();
        try {
            return open.begin(entries, time.nanos());
        } finally {
            lock.unlock();
        }
    }

    /** Records calls that are overdue, and reports the number of entries of each that was not overdue before. */
    void recordOverdue(IntConsumer news) {
        List<OpenCalls.OpenCall> overdue;
        Duration silence;
        lock.lock();
        try {
            long now = time.nanos();
            silence = open.overdueFor(now);
            overdue = silence.isPositive() ? open.becomeOverdue() : List.of();
        } finally {
            lock.unlock();
        }
        if (silence.isPositive()) {
            noResponse(overdue.size(), silence);
            overdue.forEach(call -> news.accept(call.entries()));
        }
    }

    private void noResponse(int calls, Duration silence) {
        failedAt = time.nanos();
        log.failed(
                SqsErrors.NO_RESPONSE,
                "SQS has not responded for " + Check.text(silence.truncatedTo(ChronoUnit.SECONDS))
                        + "; check the network between here and SQS",
                calls,
                silence);
    }

    /**
     * Records a call that an interrupt ended.
     *
     * @return whether it was overdue, which is recorded by this call
     */
    boolean interrupted(OpenCalls.OpenCall call) {
        Duration silence;
        lock.lock();
        try {
            silence = open.interrupted(call, time.nanos());
        } finally {
            lock.unlock();
        }
        boolean news = silence.isPositive() && !call.overdue();
        if (news) {
            noResponse(1, silence);
        }
        return news;
    }

    /**
     * Records a call that failed as a whole.
     *
     * @return whether its silence was recorded before; a late answer is a failure of its own
     */
    boolean failed(OpenCalls.OpenCall call, QueueCallException failure) {
        Duration silence;
        lock.lock();
        try {
            silence = open.ended(call, time.nanos());
        } finally {
            lock.unlock();
        }
        boolean recorded = call.overdue() && SqsErrors.isSilence(failure.code());
        if (recorded) {
            noResponse(0, silence);
        } else {
            failed(failure);
        }
        return recorded;
    }

    private void failed(QueueCallException failure) {
        failedAt = time.nanos();
        log.failed(failure.code(), failure.getMessage());
    }

    /**
     * Records the response to a call. An entry that is wrong in itself (an expired receipt handle) is no failure of the call.
     */
    <R> void succeeded(OpenCalls.OpenCall call, List<EntryResult<R>> results) {
        lock.lock();
        try {
            var unused = open.ended(call, time.nanos());
        } finally {
            lock.unlock();
        }
        EntryResult.@Nullable Rejected<R> failure = null;
        boolean denied = false;
        boolean accepted = false;
        for (EntryResult<R> result : results) {
            switch (result) {
                case EntryResult.Accepted<R> yes -> accepted = true;
                case EntryResult.Rejected<R> no -> {
                    if (isPermission(no.code())) {
                        denied = true;
                        failure = no;
                    } else if (no.retryable() && failure == null) {
                        failure = no;
                    }
                }
            }
        }
        if (failure != null && (denied || !accepted)) {
            failed(QueueCallException.refusedEntry(operation, queue, failure));
        } else if (accepted) {
            log.succeeded();
        }
    }

    /** Returns for how long no such call has succeeded although it was tried; zero if the last one succeeded. */
    Duration failingFor() {
        return time.nanos() - failedAt > staleNanos ? Duration.ZERO : log.failingFor();
    }
}
