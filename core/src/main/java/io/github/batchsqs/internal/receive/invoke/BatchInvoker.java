/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.invoke;

import io.github.batchsqs.events.ListenerEvent;
import io.github.batchsqs.events.ListenerEvents;
import io.github.batchsqs.internal.receive.delivery.Delivery;
import io.github.batchsqs.internal.receive.delivery.ManualSettlement;
import io.github.batchsqs.internal.receive.delivery.Settlement;
import io.github.batchsqs.internal.support.EngineStage;
import io.github.batchsqs.internal.support.ForeignCode;
import io.github.batchsqs.internal.support.SafeLog;
import io.github.batchsqs.listener.ListenerHandler;
import io.github.batchsqs.listener.ListenerOptions;
import io.github.batchsqs.payload.FetchedPayloads;
import io.github.batchsqs.payload.PayloadStore;
import io.github.batchsqs.time.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * Runs the handler on a batch and decides the settlement of each message: {@link Admission} decides which messages run, {@link
 * HandlerCall} calls the handler, {@link OutcomePolicy} decides what its result means. In a group (FIFO) nothing runs behind
 * a message that did not pass. If a call fails as a whole, {@link IndividualRun} may run its messages one by one. A {@link
 * PartitionedListener} is called once for each of the {@link Parts} of a batch.
 *
 * <p>Called on the invocation's thread; does not throw, whatever the handler does.
 *
 * @param <T> the payload type
 */
public final class BatchInvoker<T> {

    private static final SafeLog log = new SafeLog(LoggerFactory.getLogger(BatchInvoker.class));

    private static final Settlement NOT_RUN = new Settlement.NotRun();

    private final String listener;
    private final String queue;
    private final boolean retryIndividually;
    private final @Nullable PartitionedListener<T> partitioned;
    private final FailurePolicy policy;
    private final FailureReport report;
    private final LogContext logContext;
    private final Admission<T> admission;
    private final HandlerCall<T> handler;
    private final OutcomePolicy outcomes;
    private final ListenerEvents events;
    private final @Nullable PayloadStore payloads;
    private final TimeSource time;
    private volatile boolean ended;

    /**
     * Creates an invoker.
     *
     * @param queue the queue's name
     * @param settlement settles messages where {@code acknowledge.mode} is {@code manual}; asked for when the first batch runs
     * @param payloads stores payloads outside of SQS, or {@code null} if all are in the messages
     */
    public BatchInvoker(
            ListenerOptions options,
            String queue,
            ListenerHandler<T> handler,
            FailurePolicy policy,
            Supplier<ManualSettlement> settlement,
            ListenerEvents events,
            @Nullable PayloadStore payloads,
            TimeSource time) {
        this.listener = options.id();
        this.queue = queue;
        this.partitioned = handler.listener() instanceof PartitionedListener<T> several ? several : null;
        // In manual mode some messages may be settled already; in mode always none needs another try.
        this.retryIndividually = options.failure().retryIndividually()
                && options.acknowledge().mode() == ListenerOptions.AcknowledgeMode.ON_SUCCESS;
        this.policy = policy;
        this.report = new FailureReport(listener, queue, events, handler.errorHook(), time);
        this.logContext = new LogContext(report);
        this.admission = new Admission<>(handler, policy, report, time);
        this.handler = new HandlerCall<>(options, queue, handler, settlement, admission::mayStart, report);
        this.outcomes = new OutcomePolicy(options, queue, policy, report);
        this.events = events;
        this.payloads = payloads;
        this.time = time;
    }

    /** Logs what recurs, if a line is due; the owner's timer calls it every few seconds. */
    public void logDue() {
        report.logDue();
    }

    /** Logs what recurred and has not been logged yet; the owner calls it at the end of its stop. */
    public void logRest() {
        report.logRest();
    }

    /** Runs the handler, and settles each message once: those that run one by one or in parts as soon as they have run. */
    public void run(List<Delivery> batch, InvocationSettlement next) {
        if ((retryIndividually || partitioned != null) && batch.size() > 1) {
            EarlySettlement early = new EarlySettlement(next, time);
            early.settleRest(batch, invoke(batch, early, early));
        } else {
            next.settle(batch, invoke(batch, next));
        }
    }

    /** Runs the handler on messages that the caller settles; returns a settlement for each, in order. */
    public List<Settlement> invoke(List<Delivery> batch, LostGroups groups) {
        return invoke(batch, null, groups);
    }

    private List<Settlement> invoke(List<Delivery> batch, @Nullable EarlySettlement early, LostGroups groups) {
        @Nullable Settlement[] settlements = new Settlement[batch.size()];
        LogContext.Before before = logContext.enter(batch.size());
        try {
            fetchAndInvoke(batch, settlements, early, groups);
        } finally {
            logContext.restore(before);
            // A handler or hook that was interrupted, or interrupted itself, must not disturb the settlement.
            boolean ignored = Thread.interrupted();
        }
        Arrays.setAll(settlements, place -> Objects.requireNonNullElse(settlements[place], NOT_RUN));
        return Arrays.asList(settlements);
    }

    /**
     * Returns for how long no payload that is stored outside of SQS could be fetched although it was tried; zero if the last one was.
     *
     * @param lease the visibility timeout of a receive
     */
    public Duration fetchesFailingFor(Duration lease) {
        return admission.fetches().failingFor(lease);
    }

    /** From now on, retrying individually ends with the message that runs. */
    public void end() {
        ended = true;
    }

    /** Payloads that are stored outside of SQS are in memory only while the invocation runs. */
    private void fetchAndInvoke(
            List<Delivery> batch,
            @Nullable Settlement[] settlements,
            @Nullable EarlySettlement early,
            LostGroups groups) {
        if (payloads == null) {
            invoke(batch, settlements, early, groups, null);
            return;
        }
        ForeignCode.Outcome<FetchedPayloads> outcome =
                ForeignCode.call(() -> payloads.fetch(queue, admission.toFetch(batch, settlements)));
        Throwable failure = outcome.failure();
        if (failure == null) {
            try (FetchedPayloads fetched = outcome.value()) {
                invoke(batch, settlements, early, groups, fetched);
            }
        } else if (!(failure instanceof InterruptedException)) { // else a stop: what has not run returns to the queue
            retryUndecided(batch, settlements, failure);
        }
    }

    private void retryUndecided(List<Delivery> batch, @Nullable Settlement[] settlements, Throwable failure) {
        Arrays.setAll(
                settlements,
                place ->
                        settlements[place] == null ? policy.retry(batch.get(place), time.nanos()) : settlements[place]);
        events.on(new ListenerEvent.Unexpected(EngineStage.INVOKE.text(), failure));
        log.error(
                "Listener {}: the payloads of a batch of {} cannot be fetched; its messages are tried again",
                listener,
                queue,
                failure);
    }

    private void invoke(
            List<Delivery> batch,
            @Nullable Settlement[] settlements,
            @Nullable EarlySettlement early,
            LostGroups groups,
            @Nullable FetchedPayloads fetched) {
        List<ConvertedMessage<T>> runnable = admission.convert(batch, settlements, fetched);
        if (ended) {
            runnable = admission.stillOurs(runnable, settlements);
        }
        if (partitioned == null || early == null || runnable.size() < 2) {
            measured(runnable, settlements, early, groups);
            return;
        }
        boolean first = true;
        for (List<ConvertedMessage<T>> part : Parts.of(runnable, partitioned)) {
            measured(first ? part : stillToRun(part, settlements, early), settlements, early, groups);
            early.settle(part, settlements);
            first = false;
        }
    }

    /** Returns the messages of a part that may run, now that those of the parts ahead of it have run. */
    private List<ConvertedMessage<T>> stillToRun(
            List<ConvertedMessage<T>> part, @Nullable Settlement[] settlements, EarlySettlement early) {
        List<ConvertedMessage<T>> toRun = new ArrayList<>(part.size());
        for (ConvertedMessage<T> message : part) {
            String group = message.delivery().group();
            if (ended || (group != null && !early.goesOn(group))) {
                continue;
            }
            Settlement settlement = admission.notToRun(message.delivery(), time.nanos());
            settlements[message.place()] = settlement;
            if (settlement == null) {
                toRun.add(message);
            } else if (group != null) {
                early.stop(group);
            }
        }
        return toRun;
    }

    private void measured(
            List<ConvertedMessage<T>> runnable,
            @Nullable Settlement[] settlements,
            @Nullable EarlySettlement early,
            LostGroups groups) {
        if (runnable.isEmpty()) {
            return;
        }
        long startedAt = time.nanos();
        events.on(new ListenerEvent.Invoking(runnable.size(), delayNanos(runnable)));
        run(runnable, settlements, early, groups);
        int done = 0;
        for (ConvertedMessage<T> message : runnable) {
            Settlement settlement = settlements[message.place()];
            done += settlement != null && settlement.passed() ? 1 : 0;
        }
        events.on(new ListenerEvent.Invoked(done, runnable.size() - done, time.nanos() - startedAt));
    }

    private void run(
            List<ConvertedMessage<T>> messages,
            @Nullable Settlement[] settlements,
            @Nullable EarlySettlement early,
            LostGroups groups) {
        HandlerResult result = handler.call(messages, groups);
        if (!result.started()) {
            admission.notStarted(messages, settlements);
        } else if (retryIndividually && early != null && result.failedAsAWhole() && messages.size() > 1) {
            log.info(
                    "Listener {}: a batch of {} failed ({}); its messages run one by one",
                    listener,
                    messages.size(),
                    result.failureText());
            new IndividualRun<>(admission, handler, outcomes, early, time).run(messages, settlements, () -> ended);
        } else {
            outcomes.decide(messages, result, settlements, time.nanos());
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
