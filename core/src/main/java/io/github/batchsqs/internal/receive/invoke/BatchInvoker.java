/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.invoke;

import io.github.batchsqs.Acknowledgement;
import io.github.batchsqs.BatchOutcome;
import io.github.batchsqs.MessageBatch;
import io.github.batchsqs.PartialBatchException;
import io.github.batchsqs.SqsMessage;
import io.github.batchsqs.events.ListenerEvent;
import io.github.batchsqs.internal.receive.delivery.Delivery;
import io.github.batchsqs.internal.receive.delivery.Invocation;
import io.github.batchsqs.internal.receive.delivery.ListenerQueue;
import io.github.batchsqs.internal.receive.delivery.ManualSettlement;
import io.github.batchsqs.internal.receive.delivery.Settlement;
import io.github.batchsqs.internal.support.EngineStage;
import io.github.batchsqs.internal.support.ForeignCode;
import io.github.batchsqs.internal.support.OncePerMinute;
import io.github.batchsqs.internal.support.SafeLog;
import io.github.batchsqs.internal.support.Supervised;
import io.github.batchsqs.internal.support.TimeSource;
import io.github.batchsqs.listener.BatchInterceptor;
import io.github.batchsqs.listener.ListenerOptions;
import io.github.batchsqs.payload.FetchedPayloads;
import io.github.batchsqs.payload.PayloadStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/**
 * Runs the handler on a batch and decides the settlement of each message: {@link Admission} decides which messages run, {@link
 * OutcomePolicy} decides what the result of the handler means, {@link BatchRun} settles. In a group (FIFO) nothing runs behind a message
 * that did not pass. The handler is called between its interceptors. Whatever they throw, {@code Error} included, becomes the result, and
 * the thread's interrupt status is clear afterwards.
 *
 * <p>A batch has one call, or several, one after another. A {@link PartitionedListener} is called once for each of the {@link Parts}. If
 * a call fails as a whole, its messages may have a call each. And in a <b>group run</b> the messages of a group have an invocation each:
 * the next does not wait until SQS has accepted the delete of the one before, which would cost a round trip and a linger. It ends when a
 * message does not pass, when the next is no longer ours, when the listener stops, or when it has lasted {@link #GROUP_RUN}. No message
 * starts later than that; the running message always finishes. What it did not reach has not run.
 *
 * <p>Called on the invocation's thread; does not throw, whatever the handler does. What the engine throws ends the run, whose stop returns
 * the messages. While it runs, the thread's log context (MDC) has the listener, the queue and the number of messages, those included that
 * cannot be converted.
 *
 * @param <T> the payload type
 */
public final class BatchInvoker<T> implements Invocation {

    static final String LISTENER = "batchsqs.listener";
    static final String QUEUE = "batchsqs.queue";
    static final String BATCH_SIZE = "batchsqs.batch.size";

    /** As long as deletes wait for one another: the group costs no more calls, and another instance gets it soon after a stop. */
    static final Duration GROUP_RUN = Duration.ofMillis(50);

    private static final SafeLog log = new SafeLog(LoggerFactory.getLogger(BatchInvoker.class));
    private static final Settlement NOT_RUN = new Settlement.NotRun(false);
    private static final Settlement NOT_RUN_ALONE = new Settlement.NotRun(true);

    private final ListenerQueue source;
    private final boolean retryIndividually;
    private final @Nullable PartitionedListener<T> partitioned;
    private final Admission<T> admission;
    private final ListenerHandler<T> handler;
    private final Supplier<ManualSettlement> settlement;
    private final Consumer<List<Delivery>> next;
    private final InvocationLimit limit;
    private final OutcomePolicy outcomes;
    private final TimeSource time;
    private final OncePerMinute interceptorFailures;

    /** One for all batches. */
    private final BiFunction<List<SqsMessage<T>>, Duration, CompletableFuture<Void>> changeVisibility =
            this::changeVisibility;

    private volatile boolean ended;

    /**
     * Creates an invoker.
     *
     * @param settlement settles messages where {@code acknowledge.mode} is {@code manual}; asked for when the first batch runs
     * @param next settles messages of a batch, those of one group in order; called on the invocation's thread
     * @param limit gets the latency of each batch
     */
    public BatchInvoker(
            ListenerQueue source,
            ListenerHandler<T> handler,
            Supplier<ManualSettlement> settlement,
            Consumer<List<Delivery>> next,
            InvocationLimit limit) {
        ListenerOptions options = source.options();
        this.source = source;
        this.time = source.time();
        this.partitioned = handler.listener() instanceof PartitionedListener<T> several ? several : null;
        // In manual mode some messages may be settled already; in mode always none needs another try.
        this.retryIndividually = options.failure().retryIndividually()
                && options.acknowledge().mode() == ListenerOptions.AcknowledgeMode.ON_SUCCESS;
        this.outcomes = new OutcomePolicy(source, handler.errorHook(), new OncePerMinute(time));
        this.admission = new Admission<>(source, handler, outcomes);
        this.handler = handler;
        this.settlement = settlement;
        this.next = next;
        this.limit = limit;
        this.interceptorFailures = new OncePerMinute(time);
    }

    /** Runs the handler, and settles each message once: those that have a call of their own as soon as they have run. */
    @Override
    public void run(List<Delivery> batch, long slotAt, int slots) {
        Supervised.run(
                () -> {
                    BatchRun run = new BatchRun(batch, next, time, slotAt, slots);
                    if (source.inGroupRuns()) {
                        runGroup(run, batch);
                    } else {
                        invoke(run, batch);
                    }
                    run.measured(limit);
                    run.end();
                },
                source.failed());
    }

    @Override
    public void refused(List<Delivery> batch) {
        limit.refused();
        batch.forEach(delivery -> delivery.decide(NOT_RUN));
        next.accept(batch);
    }

    private void runGroup(BatchRun run, List<Delivery> batch) {
        long until = time.nanos() + GROUP_RUN.toNanos();
        int next = 0;
        do {
            invoke(run, batch.subList(next, next + 1));
            next++;
        } while (batch.get(next - 1).passed()
                && next < batch.size()
                && !ended
                && until - time.nanos() > 0
                && run.goesOn(batch.get(next)));
    }

    private void invoke(BatchRun run, List<Delivery> deliveries) {
        Throwable ignored = ForeignCode.run(
                () -> { // a log whose context (MDC) cannot be changed has no other effect
                    MDC.put(LISTENER, source.listener());
                    MDC.put(QUEUE, source.name());
                    MDC.put(BATCH_SIZE, Integer.toString(deliveries.size()));
                });
        try {
            fetchAndInvoke(run, deliveries);
        } finally {
            ignored = ForeignCode.run(() -> {
                MDC.remove(LISTENER);
                MDC.remove(QUEUE);
                MDC.remove(BATCH_SIZE);
            });
            // A handler or hook that was interrupted, or interrupted itself, must not disturb the settlement.
            boolean unused = Thread.interrupted();
        }
    }

    /** From now on, a batch with several calls ends with the one that runs. */
    public void end() {
        ended = true;
    }

    /** Payloads that are stored outside of SQS are in memory only while the invocation runs. */
    private void fetchAndInvoke(BatchRun run, List<Delivery> deliveries) {
        PayloadStore payloads = source.payloads();
        if (payloads == null) {
            invoke(run, deliveries, null);
            return;
        }
        ForeignCode.Outcome<FetchedPayloads> outcome =
                ForeignCode.call(() -> payloads.fetch(source.name(), admission.toFetch(deliveries)));
        Throwable failure = outcome.failure();
        if (failure == null) {
            try (FetchedPayloads fetched = outcome.value()) {
                invoke(run, deliveries, fetched);
            }
        } else if (!(failure instanceof InterruptedException)) { // else a stop: what has not run returns to the queue
            retryUndecided(deliveries, failure);
        }
    }

    private void retryUndecided(List<Delivery> deliveries, Throwable failure) {
        for (Delivery delivery : deliveries) {
            if (delivery.settlement() == null) {
                delivery.decide(outcomes.retry(delivery, time.nanos()));
            }
        }
        source.events().on(new ListenerEvent.Unexpected(EngineStage.INVOKE.text(), failure));
        log.error(
                "Listener {}: the payloads of a batch of {} cannot be fetched; its messages are tried again",
                source.listener(),
                source.name(),
                failure);
    }

    private void invoke(BatchRun run, List<Delivery> deliveries, @Nullable FetchedPayloads fetched) {
        List<ConvertedMessage<T>> runnable = admission.convert(deliveries, fetched);
        List<List<ConvertedMessage<T>>> parts =
                partitioned == null || runnable.size() < 2 ? List.of(runnable) : Parts.of(runnable, partitioned);
        boolean first = true;
        for (List<ConvertedMessage<T>> part : parts) {
            List<ConvertedMessage<T>> toRun = first
                    ? part
                    : part.stream().filter(message -> mayStillRun(message, run)).toList();
            callAndCount(toRun, run);
            if (source.inGroupRuns() || parts.size() > 1) {
                run.settle(part);
            }
            first = false;
        }
    }

    /** Returns whether a message may run now that others of its batch have run. One that is no longer ours gets its settlement. */
    private boolean mayStillRun(ConvertedMessage<T> message, BatchRun run) {
        Delivery delivery = message.delivery();
        if (ended || !run.goesOn(delivery)) {
            return false;
        }
        Settlement settlement = admission.notToRun(delivery, time.nanos());
        if (settlement != null) {
            delivery.decide(settlement);
            run.stop(delivery.group());
        }
        return settlement == null;
    }

    private void callAndCount(List<ConvertedMessage<T>> messages, BatchRun run) {
        if (messages.isEmpty()) {
            return;
        }
        long startedAt = time.nanos();
        source.events().on(new ListenerEvent.Invoking(messages.size(), delayNanos(messages)));
        call(messages, run);
        int done = run.count(messages, limit);
        source.events().on(new ListenerEvent.Invoked(done, messages.size() - done, time.nanos() - startedAt));
    }

    private void call(List<ConvertedMessage<T>> messages, BatchRun run) {
        MessageBatch<T> batch =
                new MessageBatch<>(source.name(), List.copyOf(messages), acknowledgement(messages), changeVisibility);
        boolean[] started = {true};
        ForeignCode.Outcome<BatchOutcome> result = handle(batch, () -> {
            started[0] = admission.mayStart(messages, run);
            return started[0];
        });
        if (!started[0]) {
            admission.notStarted(messages);
        } else if (retryIndividually
                && messages.size() > 1
                && result.failure() != null
                && !(result.failure() instanceof PartialBatchException)) {
            log.info(
                    "Listener {}: a batch of {} failed ({}); its messages run one by one",
                    source.listener(),
                    messages.size(),
                    String.valueOf(result.failure()));
            messages.forEach(message -> callAlone(message, run));
        } else {
            outcomes.decide(messages, result.value(), result.failure(), time.nanos());
        }
    }

    /** @param mayStart asked when the interceptors have run */
    private ForeignCode.Outcome<BatchOutcome> handle(MessageBatch<T> batch, BooleanSupplier mayStart) {
        List<BatchInterceptor> interceptors = handler.interceptors();
        int[] entered = {0};
        ForeignCode.Outcome<BatchOutcome> result = ForeignCode.call(() -> {
            for (BatchInterceptor interceptor : interceptors) {
                entered[0]++;
                interceptor.before(batch);
            }
            // Converters or interceptors that leave their thread interrupted must not disturb the handler. If it was a
            // stop, the messages have been returned before, so that the handler does not start.
            boolean ignored = Thread.interrupted();
            if (!mayStart.getAsBoolean()) {
                throw new CancellationException(
                        "The handler did not start: its messages were returned to the queue, or their leases or a message"
                                + " ahead of them in their group were lost, while converters or interceptors ran");
            }
            return Objects.requireNonNull(handler.listener().onBatch(batch), "the handler returned no outcome");
        });
        for (int i = entered[0] - 1; i >= 0; i--) {
            after(interceptors.get(i), batch, result.value(), result.failure());
        }
        // A handler that was interrupted, or interrupted itself, must not disturb the settlement.
        boolean ignored = Thread.interrupted();
        return result;
    }

    private Acknowledgement acknowledgement(List<ConvertedMessage<T>> messages) {
        return source.options().acknowledge().mode() == ListenerOptions.AcknowledgeMode.MANUAL
                ? new ManualAcknowledgement(
                        messages.stream().map(ConvertedMessage::delivery).toList(), settlement.get())
                : ManualAcknowledgement.REFUSED;
    }

    private CompletableFuture<Void> changeVisibility(List<SqsMessage<T>> messages, Duration timeout) {
        List<Delivery> deliveries = new ArrayList<>(messages.size());
        for (SqsMessage<T> message : messages) {
            if (message instanceof ConvertedMessage<T> converted) { // as all of the batch are
                deliveries.add(converted.delivery());
            }
        }
        return settlement.get().changeVisibility(deliveries, timeout);
    }

    private void after(
            BatchInterceptor interceptor,
            MessageBatch<T> batch,
            @Nullable BatchOutcome outcome,
            @Nullable Throwable failure) {
        Throwable thrown = ForeignCode.run(() -> interceptor.after(batch, outcome, failure));
        String more = thrown == null ? null : interceptorFailures.record(1);
        if (more != null) {
            log.error(
                    "Listener {}: the interceptor {} failed after a batch, which has no effect{}",
                    source.listener(),
                    interceptor.getClass().getName(),
                    more,
                    thrown);
        }
    }

    /**
     * Calls the handler with one message of a call that failed as a whole, which was an attempt of each. Messages that a stop keeps from
     * running return to the queue; a message that is no longer ours never runs.
     */
    private void callAlone(ConvertedMessage<T> message, BatchRun run) {
        if (mayStillRun(message, run)) {
            List<ConvertedMessage<T>> alone = List.of(message);
            call(alone, run);
            message.delivery().countAttempt(); // the delay is drawn already
            run.settle(alone);
            return;
        }
        message.delivery().countAttempt();
        if (message.delivery().settlement() == null) {
            message.delivery().decide(NOT_RUN_ALONE);
        }
    }

    /** Returns how long ago SQS accepted the oldest message. */
    private long delayNanos(List<ConvertedMessage<T>> messages) {
        long oldest = Long.MAX_VALUE;
        for (ConvertedMessage<T> message : messages) {
            oldest = Math.min(oldest, message.sentAt().toEpochMilli());
        }
        return TimeUnit.MILLISECONDS.toNanos(Math.max(0, time.now().toEpochMilli() - oldest));
    }
}
