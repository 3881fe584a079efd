/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive.invoke;

import io.github.batchsqs.Acknowledgement;
import io.github.batchsqs.BatchListener;
import io.github.batchsqs.BatchOutcome;
import io.github.batchsqs.BatchSqsException;
import io.github.batchsqs.MessageBatch;
import io.github.batchsqs.PartialBatchException;
import io.github.batchsqs.TimeSource;
import io.github.batchsqs.client.ReceivedMessage;
import io.github.batchsqs.events.ListenerEvents;
import io.github.batchsqs.receive.fetch.Delivery;
import io.github.batchsqs.receive.fetch.Settlement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the handler on a batch and turns its answer into a settlement for each message.
 *
 * <p>Called on the invocation's thread; never throws, whatever the handler does. A message whose lease is lost, or whose
 * payload cannot be converted, does not reach the handler. In a lane (FIFO) nothing runs behind a message that did not
 * pass.
 *
 * @param <T> the payload type
 */
public final class BatchInvoker<T> {

    private static final Logger log = LoggerFactory.getLogger(BatchInvoker.class);

    private static final Settlement DELETE = new Settlement.Delete();
    private static final Settlement NOT_RUN = new Settlement.NotRun();
    private static final Settlement BY_HAND = new Settlement.ByHand();

    private final InvokeSettings settings;
    private final Function<ReceivedMessage, T> payloadReader;
    private final BatchListener<T> listener;
    private final List<BatchInterceptor> interceptors;
    private final ErrorHook errorHook;
    private final FailurePolicy policy;
    private final HandSettlement byHand;
    private final ListenerEvents events;
    private final TimeSource time;

    /** What is the user's: converter, handler, interceptors and hook. */
    public record Handler<T>(
            Function<ReceivedMessage, T> payloadReader,
            BatchListener<T> listener,
            List<BatchInterceptor> interceptors,
            ErrorHook errorHook) {}

    public BatchInvoker(
            InvokeSettings settings,
            Handler<T> handler,
            FailurePolicy policy,
            HandSettlement byHand,
            ListenerEvents events,
            TimeSource time) {
        this.settings = settings;
        this.payloadReader = handler.payloadReader();
        this.listener = handler.listener();
        this.interceptors = List.copyOf(handler.interceptors());
        this.errorHook = handler.errorHook();
        this.policy = policy;
        this.byHand = byHand;
        this.events = events;
        this.time = time;
    }

    /** Runs the handler; answers with a settlement for each delivery, in order. */
    public List<Settlement> invoke(List<Delivery> batch) {
        LogContext context = new LogContext(settings.listener(), settings.queue(), batch.size());
        try {
            return invokeLogged(batch);
        } finally {
            context.close();
        }
    }

    private List<Settlement> invokeLogged(List<Delivery> batch) {
        Settlement[] settlements = new Settlement[batch.size()];
        List<ConvertedMessage<T>> runnable = prepare(batch, settlements);
        if (!runnable.isEmpty()) {
            long startedAt = time.nanos();
            events.invoking(runnable.size(), delay(runnable));
            run(runnable, settlements);
            int done = 0;
            for (ConvertedMessage<T> message : runnable) {
                Settlement settlement = settlements[message.place()];
                done += settlement != null && settlement.passed() ? 1 : 0;
            }
            events.invoked(done, runnable.size() - done, Duration.ofNanos(time.nanos() - startedAt));
        }
        Arrays.setAll(settlements, place -> Objects.requireNonNullElse(settlements[place], NOT_RUN));
        return Arrays.asList(settlements);
    }

    /** Converts what may run; what may not gets its settlement here, and stops its lane. */
    private List<ConvertedMessage<T>> prepare(List<Delivery> batch, Settlement[] settlements) {
        List<ConvertedMessage<T>> runnable = new ArrayList<>(batch.size());
        Set<String> stoppedLanes = new HashSet<>(0);
        long now = time.nanos();
        for (int place = 0; place < batch.size(); place++) {
            Delivery delivery = batch.get(place);
            if (delivery.lane() != null && stoppedLanes.contains(delivery.lane())) {
                continue;
            }
            if (delivery.leaseLost(now)) {
                if (delivery.loseLease()) {
                    events.leaseLost();
                }
                settlements[place] = new Settlement.Leave();
            } else {
                try {
                    T payload = payloadReader.apply(delivery.message());
                    runnable.add(new ConvertedMessage<>(delivery, place, settings.queue(), payload, time));
                } catch (Throwable e) { // a body may be nested deeper than the stack
                    settlements[place] = conversionFailed(delivery, e, now);
                }
            }
            if (settlements[place] != null && delivery.lane() != null) {
                stoppedLanes.add(delivery.lane());
            }
        }
        return runnable;
    }

    private Settlement conversionFailed(Delivery delivery, Throwable cause, long now) {
        events.conversionFailed();
        log.warn(
                "Listener {}: message {} of {} cannot be converted: {}",
                settings.listener(),
                delivery.message().id(),
                settings.queue(),
                cause.getMessage());
        tell(delivery, cause);
        return policy.deadLetter(delivery, cause, now);
    }

    private void run(List<ConvertedMessage<T>> messages, Settlement[] settlements) {
        Answer answer = call(messages);
        if (answer.failedAsAWhole() && isolates() && messages.size() > 1) {
            log.info(
                    "Listener {}: a batch of {} failed ({}); its messages run one by one",
                    settings.listener(),
                    messages.size(),
                    String.valueOf(answer.failure()));
            isolate(messages, settlements);
        } else {
            conclude(messages, answer, settlements);
        }
    }

    /** Settled by hand, some may be settled already; always done, none needs another try. */
    private boolean isolates() {
        return settings.isolate() && settings.completion() == InvokeSettings.Completion.BY_OUTCOME;
    }

    private void isolate(List<ConvertedMessage<T>> messages, Settlement[] settlements) {
        Set<String> stoppedLanes = new HashSet<>(0);
        for (ConvertedMessage<T> message : messages) {
            String lane = message.delivery().lane();
            if (lane != null && stoppedLanes.contains(lane)) {
                continue;
            }
            conclude(List.of(message), call(List.of(message)), settlements);
            Settlement settlement = settlements[message.place()];
            if (lane != null && !settlement.passed()) {
                stoppedLanes.add(lane);
            }
        }
    }

    private Answer call(List<ConvertedMessage<T>> messages) {
        Acknowledgement acknowledgement = settings.completion() == InvokeSettings.Completion.BY_HAND
                ? new ManualAcknowledgement(
                        messages.stream().map(ConvertedMessage::delivery).toList(), byHand)
                : OutcomeAcknowledgement.INSTANCE;
        MessageBatch<T> batch = new MessageBatch<>(settings.queue(), List.copyOf(messages), acknowledgement);
        BatchOutcome outcome = null;
        Throwable failure = null;
        int entered = 0;
        try {
            for (BatchInterceptor interceptor : interceptors) {
                entered++;
                interceptor.before(batch);
            }
            outcome = Objects.requireNonNull(listener.onBatch(batch), "the handler returned no outcome");
        } catch (Throwable e) { // an Error of the handler is a failure of its messages, not of the listener
            failure = e;
        }
        for (int i = entered - 1; i >= 0; i--) {
            after(interceptors.get(i), batch, outcome, failure);
        }
        // A handler that was interrupted, or interrupted itself, must not disturb the settlement.
        boolean ignored = Thread.interrupted();
        return new Answer(outcome, failure);
    }

    private void after(
            BatchInterceptor interceptor,
            MessageBatch<T> batch,
            @Nullable BatchOutcome outcome,
            @Nullable Throwable failure) {
        try {
            interceptor.after(batch, outcome, failure);
        } catch (Throwable e) { // whatever it is, the messages are to be settled
            log.error("Listener {}: an interceptor failed after a batch", settings.listener(), e);
        }
    }

    private void conclude(List<ConvertedMessage<T>> messages, Answer answer, Settlement[] settlements) {
        IdentityHashMap<ConvertedMessage<T>, Throwable> failed = answer.failedAmong(messages);
        if (!failed.isEmpty()) {
            log.warn(
                    "Listener {}: {} of {} messages of a batch of {} failed",
                    settings.listener(),
                    failed.size(),
                    messages.size(),
                    settings.queue(),
                    answer.failure());
        }
        long now = time.nanos();
        for (ConvertedMessage<T> message : messages) {
            Throwable cause = failed.get(message);
            settlements[message.place()] =
                    cause != null ? failed(message.delivery(), cause, now) : succeeded(message, answer.outcome(), now);
        }
    }

    private Settlement failed(Delivery delivery, Throwable cause, long now) {
        tell(delivery, cause);
        return settings.completion() == InvokeSettings.Completion.ALWAYS_DONE
                ? DELETE
                : policy.failed(delivery, cause, now);
    }

    /** The message is not among those that failed; without an outcome it is one that a partial failure left out. */
    private Settlement succeeded(ConvertedMessage<T> message, @Nullable BatchOutcome outcome, long now) {
        Delivery delivery = message.delivery();
        return switch (settings.completion()) {
            case BY_HAND -> BY_HAND;
            case ALWAYS_DONE -> DELETE;
            case BY_OUTCOME -> outcome == null ? DELETE : byOutcome(delivery, outcome.of(message), now);
        };
    }

    private Settlement byOutcome(Delivery delivery, BatchOutcome.@Nullable Outcome outcome, long now) {
        return switch (outcome) {
            case null -> failed(delivery, forgotten(delivery), now);
            case BatchOutcome.Done done -> DELETE;
            case BatchOutcome.Leave leave -> new Settlement.Leave();
            case BatchOutcome.DeadLetter dead -> {
                tell(delivery, dead.cause());
                yield policy.deadLetter(delivery, dead.cause(), now);
            }
            case BatchOutcome.Retry retry -> {
                tell(delivery, retry.cause());
                yield retry.after() == null ? policy.retry(delivery, now) : policy.retry(delivery, retry.after(), now);
            }
        };
    }

    private static BatchSqsException forgotten(Delivery delivery) {
        return new BatchSqsException("The handler's outcome does not mention message "
                + delivery.message().id()
                + "; name every message, or say othersDone() or othersRetry()");
    }

    private void tell(Delivery delivery, @Nullable Throwable cause) {
        if (cause == null) {
            return;
        }
        events.failed(delivery.message().id(), cause);
        try {
            errorHook.failed(settings.queue(), delivery.message(), cause);
        } catch (Throwable e) { // whatever it is, the messages are to be settled
            log.error("Listener {}: the error hook failed", settings.listener(), e);
        }
    }

    /** How long ago SQS accepted the oldest message. */
    private Duration delay(List<ConvertedMessage<T>> messages) {
        Instant oldest = messages.getFirst().sentAt();
        for (ConvertedMessage<T> message : messages) {
            Instant sentAt = message.sentAt();
            oldest = sentAt.isBefore(oldest) ? sentAt : oldest;
        }
        Duration delay = Duration.between(oldest, time.now());
        return delay.isNegative() ? Duration.ZERO : delay;
    }

    /** What one call of the handler brought: an outcome, or a failure. */
    private record Answer(
            @Nullable BatchOutcome outcome, @Nullable Throwable failure) {

        boolean failedAsAWhole() {
            return failure != null && !(failure instanceof PartialBatchException);
        }

        /** The messages that the failure names; all of them if it names none, or one that is not there. */
        <T> IdentityHashMap<ConvertedMessage<T>, Throwable> failedAmong(List<ConvertedMessage<T>> messages) {
            IdentityHashMap<ConvertedMessage<T>, Throwable> failed =
                    new IdentityHashMap<>(failure == null ? 0 : messages.size());
            if (failure == null) {
                return failed;
            }
            if (failure instanceof PartialBatchException partial && names(partial, messages)) {
                Throwable cause = Objects.requireNonNullElse(partial.getCause(), partial);
                partial.failedIndexes().forEach(index -> failed.put(messages.get(index), cause));
                messages.stream()
                        .filter(message -> partial.failedIds().containsKey(message.id()))
                        .forEach(message -> failed.put(
                                message,
                                Objects.requireNonNull(partial.failedIds().get(message.id()))));
            } else {
                messages.forEach(message -> failed.put(message, failure));
            }
            return failed;
        }

        private static <T> boolean names(PartialBatchException partial, List<ConvertedMessage<T>> messages) {
            Set<String> ids = new HashSet<>();
            messages.forEach(message -> ids.add(message.id()));
            return ids.containsAll(partial.failedIds().keySet())
                    && partial.failedIndexes().stream().allMatch(index -> index >= 0 && index < messages.size());
        }
    }
}
