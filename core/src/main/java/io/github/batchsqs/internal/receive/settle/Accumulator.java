/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.settle;

import io.github.batchsqs.Backoff;
import io.github.batchsqs.client.Queue;
import io.github.batchsqs.client.QueueCallException;
import io.github.batchsqs.events.ListenerEvent;
import io.github.batchsqs.internal.batch.BatchCall;
import io.github.batchsqs.internal.batch.Batcher;
import io.github.batchsqs.internal.batch.BatcherSettings;
import io.github.batchsqs.internal.client.EntryResult;
import io.github.batchsqs.internal.receive.delivery.Delivery;
import io.github.batchsqs.internal.receive.delivery.ListenerQueue;
import io.github.batchsqs.internal.support.Check;
import io.github.batchsqs.internal.support.EngineStage;
import io.github.batchsqs.internal.support.ForeignCode;
import io.github.batchsqs.internal.support.OncePerMinute;
import io.github.batchsqs.internal.support.OutageLog;
import io.github.batchsqs.internal.support.SafeLog;
import io.github.batchsqs.internal.support.SqsErrors;
import io.github.batchsqs.internal.support.Supervised;
import io.github.batchsqs.listener.ListenerOptions;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * What the kinds of calls of this stage have in common: gathers their entries into batches, makes and records their calls, and logs and knows
 * since when they have failed. A missing permission is logged at its first refusal, whether SQS refuses the call or its entries.
 *
 * <p>Safe for use by any thread. An outage is logged when the results of a call are in force, so that a log that blocks or throws
 * changes none of them.
 *
 * @param <E> an entry
 * @param <R> the result of an accepted entry
 */
abstract class Accumulator<E, R> implements BatchCall<E, R> {

    /** Calls that may be open at once in any case. */
    private static final int MIN_IN_FLIGHT = 32;

    private static final Backoff RETRY = Backoff.exponential(Duration.ofMillis(100), Duration.ofSeconds(5));

    /** A call that is interrupted after so long, or after a quarter of a lease, had no response in time. */
    private static final Duration GRACE = Duration.ofSeconds(5);

    /** A last failure that is older than a lease and this duration does not show the present state. */
    private static final Duration STALE = Duration.ofMinutes(1);

    private static final Set<String> PERMISSION_CODES =
            Set.of("AccessDenied", "AccessDeniedException", "KmsAccessDenied", "KMS.AccessDeniedException");
    private static final String UNEXPECTED = "Unexpected";
    private static final String RECEIVED_AGAIN = "ReceivedAgain";
    private static final int MAX_IDS = 10;

    private final Kind kind;
    final ListenerQueue source;
    private final String target;
    private final SafeLog log;
    private final OutageLog outage;
    private final OncePerMinute givenUp;
    private final Batcher<E, R> batcher;

    /**
     * A kind of call.
     *
     * @param operation the operation of SQS
     * @param doing what the call does to its queue, for the log, for example {@code deleting messages of}
     * @param failed what it could not do, for the log, for example {@code could not be deleted}
     * @param consequence what becomes of a message for which it is given up, for the log
     * @param means what it means if such calls fail for long
     * @param log the log
     */
    record Kind(
            String operation,
            String doing,
            String failed,
            String consequence,
            FailingCalls.Meaning means,
            Logger log) {}

    /** Makes the accumulator of calls to a queue, which makes them by {@link #make}. */
    Accumulator(Kind kind, Queue target, ListenerQueue source, Executor threads) {
        this.kind = kind;
        this.source = source;
        this.target = target.name();
        this.log = new SafeLog(kind.log());
        this.outage = new OutageLog(
                kind.log(), source.time(), "Listener " + source.listener() + ": " + kind.doing() + " " + target.name());
        this.givenUp = new OncePerMinute(source.time());
        this.batcher = new Batcher<>(settings(source.options()), this, threads, source.time(), source.random());
    }

    private static BatcherSettings settings(ListenerOptions options) {
        // As many as receives, since these bring as many messages as it settles
        int inFlight = Math.max(MIN_IN_FLIGHT, options.pollers().max());
        return new BatcherSettings(options.acknowledge().linger(), inFlight, RETRY);
    }

    final Batcher<E, R> batcher() {
        return batcher;
    }

    /**
     * Makes a call and records it. A failure is worth another try in any case: the message stays hidden as long as its
     * lease lasts, and until then credentials may be renewed and permissions granted.
     */
    final List<EntryResult<R>> make(int entries, Callable<List<EntryResult<R>>> call) throws InterruptedException {
        long startedAt = source.time().nanos();
        ForeignCode.Outcome<List<EntryResult<R>>> outcome = ForeignCode.call(call);
        Duration took = Duration.ofNanos(source.time().nanos() - startedAt);
        List<EntryResult<R>> results = Objects.requireNonNullElse(outcome.value(), List.of());
        String operation = kind.operation();
        QueueCallException failure = switch (outcome.failure()) {
            case null -> null; // the batcher checks the number of the results
            case InterruptedException e
            when isSilence(took) ->
                failure(
                        SqsErrors.NO_RESPONSE,
                        "SQS has not responded for " + Check.text(Duration.ofSeconds(took.toSeconds()))
                                + "; check the network between here and SQS",
                        e);
            case InterruptedException e -> throw e;
            case QueueCallException e -> e.retryable() ? e : failure(e.code(), String.valueOf(e.getMessage()), e);
            case Throwable e -> {
                source.events().on(new ListenerEvent.Unexpected(EngineStage.SETTLE.text(), e));
                yield failure(UNEXPECTED, operation + " threw " + e.getClass().getName(), e);
            }
        };
        source.events()
                .on(new ListenerEvent.ApiCall(operation, entries, took, failure == null ? null : failure.code()));
        if (failure != null) {
            throw failure;
        }
        return results;
    }

    /** Completes the future of a handler that settles or hides a message itself. */
    static void complete(@Nullable CompletableFuture<Void> future, @Nullable Throwable failure) {
        if (future != null) {
            boolean ignored = failure == null ? future.complete(null) : future.completeExceptionally(failure);
        }
    }

    /** Runs a step that follows a call, on the call's thread: what it throws ends the run. */
    final void follow(Runnable step) {
        Supervised.run(step, source.failed());
    }

    private boolean isSilence(Duration took) {
        return took.compareTo(GRACE) >= 0 || took.compareTo(source.lease().dividedBy(4)) >= 0;
    }

    private QueueCallException failure(String code, String message, @Nullable Throwable cause) {
        return new QueueCallException(kind.operation(), code, message, true, cause);
    }

    /** The result of an entry whose receipt handle was replaced during the call: it goes out again with the new one. */
    final EntryResult<R> receivedAgain() {
        return new EntryResult.Rejected<>(RECEIVED_AGAIN, "the message was received again meanwhile", true);
    }

    static boolean isPermission(String code) {
        return PERMISSION_CODES.contains(code);
    }

    /** Records whether there is an outage. */
    @Override
    public final void called(List<EntryResult<R>> results, @Nullable Throwable failure) {
        if (failure instanceof QueueCallException e) {
            outage.failed(e.code(), e.getMessage());
        } else {
            responded(results);
        }
    }

    /** SQS responded. An entry that is wrong in itself (an expired receipt handle) is no failure of the call. */
    private void responded(List<EntryResult<R>> results) {
        EntryResult.@Nullable Rejected<R> refused = null;
        for (EntryResult<R> result : results) {
            switch (result) {
                case EntryResult.Accepted<R> accepted -> {
                    if (!BatchCall.isLeftOut(accepted)) {
                        outage.succeeded();
                        return;
                    }
                }
                case EntryResult.Rejected<R> no -> {
                    boolean ofTheCall = isPermission(no.code())
                            || (no.retryable() && !no.code().equals(RECEIVED_AGAIN));
                    refused = ofTheCall && refused == null ? no : refused;
                }
            }
        }
        if (refused != null) {
            QueueCallException failure = refused.failure(kind.operation(), target);
            outage.failed(failure.code(), failure.getMessage());
        }
    }

    /** Logs the messages for which the call was given up. */
    final void gaveUp(List<Delivery> deliveries, Throwable reason) {
        String more = givenUp.record(deliveries.size());
        if (more != null) {
            log.warn(
                    "Listener {}: {} of {} {} ({}); {}{}",
                    source.listener(),
                    named(deliveries),
                    source.name(),
                    kind.failed(),
                    reason.getMessage(),
                    kind.consequence(),
                    more);
        }
    }

    /** Names messages in a line of the log: all ids of up to ten messages, else the first ten. */
    static String named(List<Delivery> deliveries) {
        String ids = deliveries.stream()
                .limit(MAX_IDS)
                .map(delivery -> delivery.message().id())
                .collect(Collectors.joining(", "));
        if (deliveries.size() == 1) {
            return "message " + ids;
        }
        return deliveries.size() + " messages (" + ids + (deliveries.size() > MAX_IDS ? ", …" : "") + ")";
    }

    /** Returns for how long SQS has accepted no such call although some were tried, the last of them not too long ago. */
    final FailingCalls failing() {
        return new FailingCalls(kind.means(), outage.lasting(source.lease().plus(STALE)));
    }
}
