/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.invoke;

import io.github.batchsqs.ReceivedMessage;
import io.github.batchsqs.events.ListenerEvent;
import io.github.batchsqs.internal.codec.PayloadReader;
import io.github.batchsqs.internal.receive.delivery.Delivery;
import io.github.batchsqs.internal.receive.delivery.ListenerQueue;
import io.github.batchsqs.internal.receive.delivery.Settlement;
import io.github.batchsqs.internal.support.EngineStage;
import io.github.batchsqs.internal.support.ForeignCode;
import io.github.batchsqs.internal.support.OncePerMinute;
import io.github.batchsqs.internal.support.PayloadPointers;
import io.github.batchsqs.internal.support.SafeLog;
import io.github.batchsqs.internal.support.TimeSource;
import io.github.batchsqs.payload.FetchedPayloads;
import io.github.batchsqs.payload.PayloadStoreException;
import java.time.Duration;
import java.util.ArrayList;
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

    private final ListenerQueue source;
    private final Function<ReceivedMessage, T> payloadReader;
    private final @Nullable SkippingListener<T> skipping;
    private final OutcomePolicy outcomes;
    private final TimeSource time;
    private final OncePerMinute notConverted;
    private final OncePerMinute errors;

    Admission(ListenerQueue source, ListenerHandler<T> handler, OutcomePolicy outcomes) {
        this.source = source;
        this.payloadReader = handler.payloadReader();
        this.skipping = handler.listener() instanceof SkippingListener<T> knowing ? knowing : null;
        this.outcomes = outcomes;
        this.time = source.time();
        this.notConverted = new OncePerMinute(time);
        this.errors = new OncePerMinute(time);
    }

    /** Returns the messages whose payloads are needed, because they may run. Others that were processed before are done here. */
    List<ReceivedMessage> toFetch(List<Delivery> deliveries) throws Exception {
        long now = time.nanos();
        List<ReceivedMessage> mayRun = new ArrayList<>(deliveries.size());
        for (Delivery delivery : deliveries) {
            if (delivery.unsettled() && !delivery.leaseLost(now)) {
                mayRun.add(delivery.message());
            }
        }
        Set<String> processed = processed(mayRun);
        for (Delivery delivery : deliveries) {
            if (processed.contains(delivery.message().id())) {
                delivery.decide(DELETE);
            }
        }
        mayRun.removeIf(message -> processed.contains(message.id()));
        return mayRun;
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
    List<ConvertedMessage<T>> convert(List<Delivery> deliveries, @Nullable FetchedPayloads fetched) {
        List<ConvertedMessage<T>> runnable = new ArrayList<>(deliveries.size());
        Set<String> stoppedGroups = Set.of();
        long now = time.nanos();
        for (Delivery delivery : deliveries) {
            String group = delivery.group();
            if (delivery.settlement() != null || (group != null && stoppedGroups.contains(group))) {
                continue;
            }
            Settlement settlement = notToRun(delivery, now);
            if (settlement == null) {
                ForeignCode.Outcome<ConvertedMessage<T>> converted = converted(delivery, fetched);
                if (converted.value() != null) {
                    runnable.add(converted.value());
                    continue;
                }
                settlement = failed(delivery, Objects.requireNonNull(converted.failure()), now);
            }
            delivery.decide(settlement);
            if (group != null) {
                stoppedGroups = stoppedGroups.isEmpty() ? new HashSet<>() : stoppedGroups;
                stoppedGroups.add(group);
            }
        }
        return runnable;
    }

    private ForeignCode.Outcome<ConvertedMessage<T>> converted(Delivery delivery, @Nullable FetchedPayloads fetched) {
        return ForeignCode.call(() -> {
            ReceivedMessage message = withPayload(delivery.message(), fetched);
            return new ConvertedMessage<>(delivery, message, source, payloadReader.apply(message));
        });
    }

    private ReceivedMessage withPayload(ReceivedMessage message, @Nullable FetchedPayloads fetched) {
        if (fetched == null) {
            PayloadReader.requireInMessage(message.body(), message::attributes);
            return message;
        }
        return fetched.message(message);
    }

    private Settlement failed(Delivery delivery, Throwable failure, long now) {
        boolean ofTheStore = failure instanceof PayloadStoreException store && store.retryable();
        if (!ofTheStore && isOfTheMessage(failure)) {
            return conversionFailed(delivery, failure);
        }
        if (!ofTheStore) {
            source.events().on(new ListenerEvent.Unexpected(EngineStage.INVOKE.text(), failure));
        }
        String more = errors.record(1);
        if (more != null) {
            log.error(
                    "Listener {}: the converter or the payload store failed for message {} of {} with an error that is not"
                            + " the message's; it is tried again{}",
                    source.listener(),
                    delivery.message().id(),
                    source.name(),
                    more,
                    failure);
        }
        return outcomes.failed(delivery, failure, true, now);
    }

    /**
     * Returns whether the handler may start on the messages, now that converters and interceptors have run: none of them was
     * returned to the queue meanwhile, and in a group (FIFO) no lease is lost, nor a message ahead of them.
     */
    boolean mayStart(List<ConvertedMessage<T>> messages, BatchRun run) {
        long now = messages.getFirst().delivery().group() == null ? 0 : time.nanos();
        for (ConvertedMessage<T> message : messages) {
            Delivery delivery = message.delivery();
            boolean returned = !delivery.unsettled() && delivery.manualSettlement() == null;
            if (returned || (delivery.group() != null && (delivery.leaseLost(now) || !run.goesOn(delivery)))) {
                return false;
            }
        }
        return true;
    }

    /** Sets the settlements of messages on which the handler did not start: those that are still ours return to the queue. */
    void notStarted(List<ConvertedMessage<T>> messages) {
        for (ConvertedMessage<T> message : messages) {
            Settlement settlement = notToRun(message.delivery(), time.nanos());
            message.delivery().decide(settlement == null ? RETURN : settlement);
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
            source.events().on(new ListenerEvent.LeaseLost());
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

    private Settlement conversionFailed(Delivery delivery, Throwable cause) {
        source.events().on(new ListenerEvent.ConversionFailed());
        String more = notConverted.record(1);
        if (more != null) {
            log.warn(
                    "Listener {}: message {} of {} cannot be converted: {}; it goes to the dead-letter queue, and without one it returns"
                            + " to the queue until its retention period ends{}",
                    source.listener(),
                    delivery.message().id(),
                    source.name(),
                    cause.toString(), // without its causes, which may quote the payload
                    more);
        }
        return outcomes.deadLetter(delivery, cause);
    }
}
