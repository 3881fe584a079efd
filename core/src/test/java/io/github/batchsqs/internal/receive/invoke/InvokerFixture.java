/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.invoke;

import static io.github.batchsqs.testkit.Deliveries.bodies;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.Backoff;
import io.github.batchsqs.BatchListener;
import io.github.batchsqs.BatchOutcome;
import io.github.batchsqs.MessageBatch;
import io.github.batchsqs.ReceivedMessage;
import io.github.batchsqs.SqsMessage;
import io.github.batchsqs.client.Queue;
import io.github.batchsqs.events.ListenerEvents;
import io.github.batchsqs.internal.receive.delivery.Delivery;
import io.github.batchsqs.internal.receive.delivery.ManualSettlement;
import io.github.batchsqs.internal.receive.delivery.Settlement;
import io.github.batchsqs.listener.BatchInterceptor;
import io.github.batchsqs.listener.ErrorHook;
import io.github.batchsqs.listener.ListenerOptions;
import io.github.batchsqs.listener.ListenerOptions.AcknowledgeMode;
import io.github.batchsqs.testkit.Deliveries;
import io.github.batchsqs.testkit.EventMethods;
import io.github.batchsqs.testkit.InMemoryQueueClient;
import io.github.batchsqs.testkit.SettableTime;
import io.github.batchsqs.testkit.Sources;
import java.time.Duration;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** An invoker on deliveries of a standard queue and of a FIFO queue, and what it reports. */
abstract class InvokerFixture {

    static final Duration BACKOFF = Duration.ofSeconds(2);
    static final Backoff GROWING = new Backoff(BACKOFF, 2, Duration.ofMinutes(5), false);
    static final String ISE = IllegalStateException.class.getName();
    static final Settlement DELETE = new Settlement.Delete();
    static final Settlement RETRY = new Settlement.Release(BACKOFF);
    static final Settlement LEAVE = new Settlement.Untrack();
    static final Settlement NOT_RUN = new Settlement.NotRun(false);
    static final Settlement NOT_RUN_ALONE = new Settlement.NotRun(true);
    static final Settlement MANUAL = new Settlement.Manual();

    final IllegalStateException cause = new IllegalStateException("the cause");
    final SettableTime time = new SettableTime();
    final Deliveries standard = Deliveries.standard(Duration.ofSeconds(30), time);
    final Deliveries fifo = Deliveries.fifo(Duration.ofSeconds(30), time);
    final List<String> reported = new ArrayList<>();
    final List<List<String>> runs = new ArrayList<>();
    /** How many settlements there were before each run. */
    final List<Integer> settledBefore = new ArrayList<>();

    final List<String> settledManually = new ArrayList<>();
    final List<List<String>> settledTogether = new ArrayList<>();
    private List<Delivery> running = List.of();
    private final IdentityHashMap<Delivery, Settlement> settled = new IdentityHashMap<>();
    final List<Throwable> failures = new ArrayList<>();
    InvocationLimit limit =
            new InvocationLimit(ListenerOptions.builder("listener", "orders").build(), () -> {}, time);
    Runnable whileConverting = () -> {};
    final List<BatchInterceptor> interceptors = new ArrayList<>();
    ErrorHook errorHook = (queue, message, cause) -> reported.add("hook " + message.body() + " " + cause.getMessage());
    AcknowledgeMode mode = AcknowledgeMode.ON_SUCCESS;
    boolean retryIndividually;
    boolean inGroupRuns;

    final ListenerEvents events = new EventMethods() {
        @Override
        public void unexpected(String stage, Throwable failure) {
            reported.add("unexpected " + stage);
        }

        @Override
        public void invoking(int batchSize, Duration delay) {
            reported.add("invoking " + batchSize);
        }

        @Override
        public void invoked(int done, int failed, Duration took) {
            reported.add("invoked " + done + "+" + failed);
        }

        @Override
        public void conversionFailed() {
            reported.add("conversionFailed");
        }

        @Override
        public void failed(String messageId, Throwable cause) {
            reported.add("failed " + messageId);
        }

        @Override
        public void leaseLost() {
            reported.add("leaseLost");
        }
    };

    final ManualSettlement settlement = new ManualSettlement() {
        @Override
        public CompletableFuture<Void> delete(List<Delivery> deliveries) {
            settledManually.add("delete " + bodies(deliveries));
            CompletableFuture<Void> deleted = new CompletableFuture<>();
            for (Delivery delivery : deliveries) {
                boolean ignored = delivery.claim(deleted);
            }
            return deleted;
        }

        @Override
        public CompletableFuture<Void> release(List<Delivery> deliveries, Duration after) {
            settledManually.add("release " + bodies(deliveries) + " after " + after);
            return new CompletableFuture<>();
        }

        @Override
        public CompletableFuture<Void> changeVisibility(List<Delivery> deliveries, Duration timeout) {
            settledManually.add("hide " + bodies(deliveries) + " for " + timeout);
            return new CompletableFuture<>();
        }
    };

    static BatchOutcome failOnPoison(MessageBatch<String> batch) {
        if (batch.payloads().stream().anyMatch(payload -> payload.contains("POISON"))) {
            throw new IllegalStateException("poison is in it");
        }
        return BatchOutcome.done();
    }

    BatchInterceptor interceptor(String name, @Nullable RuntimeException failure) {
        return new BatchInterceptor() {
            @Override
            public void before(MessageBatch<?> batch) {
                reported.add("before " + name);
                if (failure != null) {
                    throw failure;
                }
            }

            @Override
            public void after(MessageBatch<?> batch, @Nullable BatchOutcome outcome, @Nullable Throwable cause) {
                reported.add("after " + name + " " + (cause == null ? "ok" : cause.getMessage()));
            }
        };
    }

    static BatchInterceptor failingAfter(String name) {
        return new BatchInterceptor() {
            @Override
            public void after(MessageBatch<?> batch, @Nullable BatchOutcome outcome, @Nullable Throwable failure) {
                throw new IllegalStateException(name);
            }
        };
    }

    List<Settlement> invoke(BatchListener<String> listener, List<Delivery> batch) {
        return invoke(invoker(listener), batch);
    }

    List<Settlement> invoke(BatchInvoker<String> invoker, List<Delivery> batch) {
        settled.clear();
        running = batch;
        invoker.run(batch, time.nanos(), limit.limit());
        assertThat(failures).isEmpty();
        return batch.stream()
                .map(delivery -> Objects.requireNonNull(settled.get(delivery)))
                .toList();
    }

    private void settle(List<Delivery> messages) {
        settledTogether.add(bodies(messages));
        for (Delivery delivery : messages) {
            Settlement settlement = Objects.requireNonNull(delivery.settlement());
            boolean ignored = settlement instanceof Settlement.Delete && delivery.claim();
            if (settled.put(delivery, settlement) != null) {
                throw new AssertionError(
                        "an earlier settlement of " + delivery.message().body());
            }
        }
    }

    /** The first message of a group that runs is no longer ours. */
    void lose(String group) {
        running.stream().filter(each -> group.equals(each.group())).forEach(Delivery::lose);
    }

    BatchInvoker<String> invoker(BatchListener<String> listener) {
        return new BatchInvoker<>(
                Sources.of(
                        ListenerOptions.builder("listener", "orders")
                                .batchSize(inGroupRuns ? 1 : 10)
                                .acknowledge(new ListenerOptions.Acknowledge(mode, Duration.ZERO))
                                .failure(new ListenerOptions.Failure(
                                        GROWING,
                                        retryIndividually,
                                        List.of(IllegalArgumentException.class),
                                        ListenerOptions.Failure.NO_DEAD_LETTER))
                                .build(),
                        new Queue(inGroupRuns ? "orders.fifo" : "orders", ""),
                        Duration.ofSeconds(30),
                        new InMemoryQueueClient(time),
                        events,
                        time,
                        failures::add),
                new ListenerHandler<>(
                        message -> {
                            whileConverting.run();
                            return read(message);
                        },
                        recorded(listener),
                        interceptors,
                        errorHook),
                () -> settlement,
                this::settle,
                limit);
    }

    private BatchListener<String> recorded(BatchListener<String> listener) {
        BatchListener<String> recorded = messages -> {
            settledBefore.add(settledTogether.size());
            runs.add(messages.messages().stream().map(SqsMessage::body).toList());
            return listener.onBatch(messages);
        };
        return listener instanceof PartitionedListener<String> several
                ? new PartitionedListener<String>() {
                    @Override
                    public @Nullable Object kind(String payload) {
                        return several.kind(payload);
                    }

                    @Override
                    public BatchOutcome onBatch(MessageBatch<String> batch) throws Exception {
                        return recorded.onBatch(batch);
                    }
                }
                : recorded;
    }

    static String read(ReceivedMessage message) {
        if (message.body().startsWith("bad")) {
            throw new IllegalStateException("not readable");
        }
        if (message.body().startsWith("broken")) {
            throw new NoClassDefFoundError("com/acme/Part");
        }
        if (message.body().startsWith("worse")) {
            throw new StackOverflowError("nested too deep");
        }
        return message.body().toUpperCase(Locale.ROOT);
    }
}
