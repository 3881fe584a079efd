/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.invoke;

import io.github.batchsqs.Acknowledgement;
import io.github.batchsqs.BatchOutcome;
import io.github.batchsqs.MessageBatch;
import io.github.batchsqs.SqsMessage;
import io.github.batchsqs.internal.receive.delivery.Delivery;
import io.github.batchsqs.internal.receive.delivery.ManualSettlement;
import io.github.batchsqs.internal.support.ForeignCode;
import io.github.batchsqs.internal.support.OncePerMinute;
import io.github.batchsqs.internal.support.SafeLog;
import io.github.batchsqs.internal.support.TimeSource;
import io.github.batchsqs.listener.BatchInterceptor;
import io.github.batchsqs.listener.ListenerOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * Calls the handler between its interceptors. Whatever they throw, {@code Error} included, becomes the result, and the
 * thread's interrupt status is clear afterwards.
 */
final class HandlerCall<T> {

    private static final SafeLog log = new SafeLog(LoggerFactory.getLogger(BatchInvoker.class));

    private final String listener;
    private final String queue;
    private final boolean manual;
    private final ListenerHandler<T> handler;
    private final Supplier<ManualSettlement> settlement;
    private final Admission<T> admission;

    /** One for all batches. */
    private final BiFunction<List<SqsMessage<T>>, Duration, CompletableFuture<Void>> changeVisibility =
            this::changeVisibility;

    private final OncePerMinute interceptorFailures;

    HandlerCall(
            ListenerOptions options,
            String queue,
            ListenerHandler<T> handler,
            Supplier<ManualSettlement> settlement,
            Admission<T> admission,
            TimeSource time) {
        this.listener = options.id();
        this.queue = queue;
        this.manual = options.acknowledge().mode() == ListenerOptions.AcknowledgeMode.MANUAL;
        this.handler = handler;
        this.settlement = settlement;
        this.admission = admission;
        this.interceptorFailures = new OncePerMinute(time);
    }

    /** Calls the handler with the messages as one batch, unless the group of one is lost when the interceptors have run. */
    HandlerResult call(List<ConvertedMessage<T>> messages, BatchRun run) {
        MessageBatch<T> batch =
                new MessageBatch<>(queue, List.copyOf(messages), acknowledgement(messages), changeVisibility);
        List<BatchInterceptor> interceptors = handler.interceptors();
        boolean[] started = {true};
        int[] entered = {0};
        ForeignCode.Outcome<BatchOutcome> result = ForeignCode.call(() -> {
            for (BatchInterceptor interceptor : interceptors) {
                entered[0]++;
                interceptor.before(batch);
            }
            // Converters or interceptors that leave their thread interrupted must not disturb the handler. If it was a
            // stop, the messages have been returned before, so that the handler does not start.
            boolean ignored = Thread.interrupted();
            started[0] = admission.mayStart(messages, run); // converters and interceptors may have taken long
            if (!started[0]) {
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
        return new HandlerResult(result.value(), result.failure(), started[0]);
    }

    private Acknowledgement acknowledgement(List<ConvertedMessage<T>> messages) {
        return manual
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
                    listener,
                    interceptor.getClass().getName(),
                    more,
                    thrown);
        }
    }
}
