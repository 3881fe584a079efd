/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.invoke;

import io.github.batchsqs.client.ReceivedMessage;
import io.github.batchsqs.events.ListenerEvent;
import io.github.batchsqs.events.ListenerEvents;
import io.github.batchsqs.internal.receive.delivery.Delivery;
import io.github.batchsqs.internal.receive.delivery.Settlement;
import io.github.batchsqs.internal.support.EngineStage;
import io.github.batchsqs.internal.support.ForeignCode;
import io.github.batchsqs.internal.support.PayloadPointers;
import io.github.batchsqs.internal.support.RecurringLog;
import io.github.batchsqs.internal.support.SafeLog;
import io.github.batchsqs.internal.support.SafeThrowable;
import io.github.batchsqs.listener.ListenerHandler;
import io.github.batchsqs.payload.FetchedPayloads;
import io.github.batchsqs.payload.PayloadStoreException;
import io.github.batchsqs.time.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * Decides which messages reach the handler, and converts their payloads. A message does not reach it if it was returned to the
 * queue meanwhile, if its lease is lost, if its payload cannot be converted or if the converter is broken; nor does what is
 * behind it in its group.
 */
final class Admission<T> {

    private static final SafeLog log = new SafeLog(LoggerFactory.getLogger(BatchInvoker.class));
    private static final Settlement DELETE = new Settlement.Delete();
    private static final Settlement RETURN = new Settlement.Release(Duration.ZERO);

    private final String queue;
    private final Function<ReceivedMessage, T> payloadReader;
    private final @Nullable SkippingListener<T> skipping;
    private final FailurePolicy policy;
    private final FailureReport report;
    private final ListenerEvents events;
    private final TimeSource time;
    private final RecurringLog notConverted;
    private final RecurringLog converterErrors;
    private final RecurringLog notFetched;
    private final FetchOutage fetches;

    Admission(ListenerHandler<T> handler, FailurePolicy policy, FailureReport report, TimeSource time) {
        this.queue = report.queue();
        this.payloadReader = handler.payloadReader();
        this.skipping = handler.listener() instanceof SkippingListener<T> knowing ? knowing : null;
        this.policy = policy;
        this.report = report;
        this.events = report.events();
        this.time = time;
        this.notConverted = report.recurring("messages of " + queue + " that cannot be converted");
        this.converterErrors = report.recurring("messages of " + queue + " whose converter is broken");
        this.notFetched = report.recurring("messages of " + queue + " whose payloads cannot be fetched now");
        this.fetches = new FetchOutage(time);
    }

    /** Returns what is known about fetches of payloads that are stored outside of SQS. */
    FetchOutage fetches() {
        return fetches;
    }

    /** Returns the messages whose payloads are needed, because they may run. Others that were processed before are done here. */
    List<ReceivedMessage> toFetch(List<Delivery> batch, @Nullable Settlement[] settlements) throws Exception {
        long now = time.nanos();
        List<ReceivedMessage> mayRun = batch.stream()
                .filter(delivery -> delivery.unsettled() && !delivery.leaseLost(now))
                .map(Delivery::message)
                .toList();
        Set<String> processed = processed(mayRun);
        Arrays.setAll(
                settlements,
                place -> processed.contains(batch.get(place).message().id()) ? DELETE : null);
        return mayRun.stream()
                .filter(message -> !processed.contains(message.id()))
                .toList();
    }

    private Set<String> processed(List<ReceivedMessage> mayRun) throws Exception {
        if (skipping == null) {
            return Set.of();
        }
        List<ReceivedMessage> stored = mayRun.stream()
                .filter(message -> PayloadPointers.isMarked(message.attributes()))
                .toList();
        return stored.isEmpty() ? Set.of() : skipping.processed(stored);
    }

    /**
     * Converts the messages that may run and have no settlement yet. A message that may not gets its settlement here, and stops its group.
     *
     * @param fetched the payloads that are stored outside of SQS; {@code null} if all are in the messages
     */
    List<ConvertedMessage<T>> convert(
            List<Delivery> batch, @Nullable Settlement[] settlements, @Nullable FetchedPayloads fetched) {
        List<ConvertedMessage<T>> runnable = new ArrayList<>(batch.size());
        Set<String> stoppedGroups = new HashSet<>(0);
        long now = time.nanos();
        for (int place = 0; place < batch.size(); place++) {
            Delivery delivery = batch.get(place);
            if (settlements[place] != null || (delivery.group() != null && stoppedGroups.contains(delivery.group()))) {
                continue;
            }
            settlements[place] = notToRun(delivery, now);
            if (settlements[place] == null) {
                ForeignCode.Outcome<ConvertedMessage<T>> converted = converted(delivery, place, fetched);
                if (converted.value() == null) {
                    settlements[place] = failed(delivery, Objects.requireNonNull(converted.failure()), now);
                } else {
                    runnable.add(converted.value());
                }
            }
            if (settlements[place] != null && delivery.group() != null) {
                stoppedGroups.add(delivery.group());
            }
        }
        return runnable;
    }

    private ForeignCode.Outcome<ConvertedMessage<T>> converted(
            Delivery delivery, int place, @Nullable FetchedPayloads fetched) {
        return ForeignCode.call(() -> {
            ReceivedMessage message = withPayload(delivery.message(), fetched);
            return new ConvertedMessage<>(delivery, message, place, queue, payloadReader.apply(message), time);
        });
    }

    private ReceivedMessage withPayload(ReceivedMessage message, @Nullable FetchedPayloads fetched) {
        if (fetched == null) {
            if (PayloadPointers.isPointer(message.body(), message::attributes)) {
                throw new PayloadStoreException(PayloadPointers.NO_STORE, false, null);
            }
            return message;
        }
        ReceivedMessage resolved = fetched.message(message);
        if (!resolved.equals(message)) {
            fetches.succeeded();
        }
        return resolved;
    }

    private Settlement failed(Delivery delivery, Throwable failure, long now) {
        if (failure instanceof PayloadStoreException store && store.retryable()) {
            fetches.failed();
            return notFetched(delivery, store, now);
        }
        return isOfTheMessage(failure)
                ? conversionFailed(delivery, failure, now)
                : converterFailed(delivery, failure, now);
    }

    /** Returns the messages that may still run after a stop, which may have returned some to the queue meanwhile. */
    List<ConvertedMessage<T>> stillOurs(List<ConvertedMessage<T>> converted, @Nullable Settlement[] settlements) {
        List<ConvertedMessage<T>> ours = new ArrayList<>(converted.size());
        Set<String> stoppedGroups = new HashSet<>(0);
        for (ConvertedMessage<T> message : converted) {
            String group = message.delivery().group();
            Settlement settlement = notToRun(message.delivery(), time.nanos());
            settlements[message.place()] = settlement;
            if (settlement == null && (group == null || !stoppedGroups.contains(group))) {
                ours.add(message);
            } else if (group != null) {
                stoppedGroups.add(group);
            }
        }
        return ours;
    }

    /**
     * Returns whether the handler may start on the messages, now that converters and interceptors have run: none of them was
     * returned to the queue meanwhile, and in a group (FIFO) no lease is lost, nor a message ahead of them.
     */
    boolean mayStart(List<ConvertedMessage<T>> messages, LostGroups groups) {
        long now = time.nanos();
        String looked = null;
        for (ConvertedMessage<T> message : messages) {
            Delivery delivery = message.delivery();
            boolean returned = !delivery.unsettled() && delivery.manualSettlement() == null;
            if (returned || (delivery.group() != null && delivery.leaseLost(now))) {
                return false;
            }
            if (delivery.group() != null && !delivery.group().equals(looked)) {
                looked = delivery.group();
                if (groups.lost(looked)) {
                    return false;
                }
            }
        }
        return true;
    }

    /** Sets the settlements of messages on which the handler did not start: those that are still ours return to the queue. */
    void notStarted(List<ConvertedMessage<T>> messages, @Nullable Settlement[] settlements) {
        for (ConvertedMessage<T> message : messages) {
            Settlement settlement = notToRun(message.delivery(), time.nanos());
            settlements[message.place()] = settlement == null ? RETURN : settlement;
        }
    }

    /** Returns the settlement of a message that must not reach the handler, or {@code null} if it may. */
    @Nullable
    Settlement notToRun(Delivery delivery, long now) {
        if (!delivery.unsettled()) {
            return RETURN; // returned to the queue meanwhile, for example by a stop
        }
        if (!delivery.leaseLost(now)) {
            return null;
        }
        if (delivery.loseLease()) {
            events.on(new ListenerEvent.LeaseLost());
        }
        return new Settlement.Untrack();
    }

    /**
     * Returns whether the message is to blame. An {@code Error} is of the code or of the machine, for example a missing class,
     * and passes with the next deployment or by itself; except that a body can be nested so deep that it overflows the stack at
     * every attempt.
     */
    private static boolean isOfTheMessage(Throwable failure) {
        return !(failure instanceof Error) || failure instanceof StackOverflowError;
    }

    /** The store is to blame: the message is retried like one whose invocation failed. */
    private Settlement notFetched(Delivery delivery, PayloadStoreException failure, long now) {
        if (notFetched.record(1, String.valueOf(failure.getMessage()))) {
            log.warn(
                    "Listener {}: the payload of message {} of {} cannot be fetched now: {}; it is tried again; more are"
                            + " counted once a minute",
                    report.listener(),
                    delivery.message().id(),
                    queue,
                    failure.getMessage());
        }
        report.failed(delivery, failure);
        delivery.failed(new Delivery.Failure(failure, true));
        return policy.failed(delivery, failure, now);
    }

    /** The message is retried like one whose invocation failed. */
    private Settlement converterFailed(Delivery delivery, Throwable error, long now) {
        events.on(new ListenerEvent.Unexpected(EngineStage.INVOKE.text(), error));
        if (converterErrors.record(1, SafeThrowable.text(error))) {
            log.error(
                    "Listener {}: the converter failed for message {} of {} with an error that is not the message's; it is"
                            + " tried again; more are counted once a minute",
                    report.listener(),
                    delivery.message().id(),
                    queue,
                    error);
        }
        report.failed(delivery, error);
        delivery.failed(new Delivery.Failure(error, true));
        return policy.failed(delivery, error, now);
    }

    private Settlement conversionFailed(Delivery delivery, Throwable cause, long now) {
        events.on(new ListenerEvent.ConversionFailed());
        String text = SafeThrowable.text(cause); // without its causes, which may quote the payload
        if (notConverted.record(1, text)) {
            log.warn(
                    "Listener {}: message {} of {} cannot be converted: {}; more are counted once a minute",
                    report.listener(),
                    delivery.message().id(),
                    queue,
                    text);
        }
        report.failed(delivery, cause);
        return policy.deadLetter(delivery, cause, now);
    }
}
