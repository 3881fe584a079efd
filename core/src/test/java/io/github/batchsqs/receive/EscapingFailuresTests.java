/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.Backoff;
import io.github.batchsqs.BatchListener;
import io.github.batchsqs.BatchOutcome;
import io.github.batchsqs.MessageBatch;
import io.github.batchsqs.PartialBatchException;
import io.github.batchsqs.client.Queue;
import io.github.batchsqs.client.ReceivedMessage;
import io.github.batchsqs.events.ListenerEvents;
import io.github.batchsqs.listener.BatchInterceptor;
import io.github.batchsqs.listener.ErrorHook;
import io.github.batchsqs.listener.ListenerHandler;
import io.github.batchsqs.listener.ListenerOptions;
import io.github.batchsqs.testkit.EventMethods;
import io.github.batchsqs.testkit.InMemoryQueueClient;
import io.github.batchsqs.testkit.Progress;
import io.github.batchsqs.time.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Whatever the user's parts of an invocation throw, its messages are tried again, their permits return, and their group
 * goes on. Each test fails once and then succeeds: the second run is the proof.
 */
@Execution(ExecutionMode.CONCURRENT)
class EscapingFailuresTests {

    /** No delay, or the second that SQS makes of any fraction. */
    static final Backoff SOON = Backoff.exponential(Duration.ofNanos(1), Duration.ofNanos(1));

    private final InMemoryQueueClient client = new InMemoryQueueClient(TimeSource.system());
    private final Queue standard = client.createQueue("orders");
    private final Queue fifo = client.createQueue("orders.fifo");
    private final LinkedBlockingQueue<String> handled = new LinkedBlockingQueue<>();
    private final AtomicBoolean failed = new AtomicBoolean();
    private final List<ListenerContainer> made = new ArrayList<>();
    private Function<ReceivedMessage, String> converter = ReceivedMessage::body;
    private BatchInterceptor interceptor = new BatchInterceptor() {};
    private ErrorHook hook = ErrorHook.NONE;
    private ListenerEvents events = ListenerEvents.NONE;
    private boolean retryIndividually;

    EscapingFailuresTests() {
        client.longPolling(true);
    }

    @AfterEach
    void nothingIsLeft() {
        made.forEach(ListenerContainer::stop);
        client.assertNothingLost();
        client.assertNoMisuse();
    }

    @Nested
    class OfTheHandler {

        @Test
        @SuppressWarnings("NullAway") // what a handler in a language without nullness may do
        void aPartialFailureWithoutACause() throws Exception {
            handlesAll(batch -> {
                if (first()) {
                    throw PartialBatchException.of(batch.messages(), null);
                }
                return handled(batch);
            });
        }

        @Test
        @SuppressWarnings("NullAway") // what a handler in a language without nullness may do
        void aPartialFailureByIndexWithoutACause() throws Exception {
            handlesAll(batch -> {
                if (first()) {
                    throw PartialBatchException.ofIndexes(
                            IntStream.range(0, batch.size()).boxed().toList(), null);
                }
                return handled(batch);
            });
        }

        @Test
        void anExceptionThatCannotBeDescribed() throws Exception {
            handlesAll(batch -> {
                if (first()) {
                    throw new Indescribable();
                }
                return handled(batch);
            });
        }

        @Test
        void anExceptionThatCannotBeDescribedBeforeMessagesAreRetriedIndividually() throws Exception {
            retryIndividually = true;
            AtomicInteger runs = new AtomicInteger();
            handlesAll(batch -> {
                if (runs.incrementAndGet() <= 2) {
                    throw new Indescribable();
                }
                return handled(batch);
            });
        }

        @Test
        void aRetryForACauseThatCannotBeDescribed() throws Exception {
            handlesAll(batch -> {
                if (first()) {
                    BatchOutcome.Builder outcome = BatchOutcome.perMessage();
                    batch.forEach(message -> outcome.retry(message, new IndescribableError()));
                    return outcome.build();
                }
                return handled(batch);
            });
        }

        @Test
        void aDeadLetterForACauseThatCannotBeDescribed() throws Exception {
            handlesAll(batch -> {
                if (first()) {
                    BatchOutcome.Builder outcome = BatchOutcome.perMessage();
                    batch.forEach(message -> outcome.deadLetter(message, new IndescribableError()));
                    return outcome.build();
                }
                return handled(batch);
            });
        }

        @Test
        void anErrorOfTheMachine() throws Exception {
            handlesAll(batch -> {
                if (first()) {
                    throw new OutOfMemoryError("as if");
                }
                return handled(batch);
            });
        }
    }

    @Nested
    class OfTheConverter {

        @Test
        void anErrorThatCannotBeDescribed() throws Exception {
            converter = message -> {
                if (first()) {
                    throw new IndescribableError();
                }
                return message.body();
            };
            handlesAll(EscapingFailuresTests.this::handled);
        }
    }

    @Nested
    class OfTheInterceptor {

        @Test
        void anExceptionThatCannotBeDescribedBefore() throws Exception {
            interceptor = new BatchInterceptor() {
                @Override
                public void before(MessageBatch<?> batch) {
                    if (first()) {
                        throw new Indescribable();
                    }
                }
            };
            handlesAll(EscapingFailuresTests.this::handled);
        }

        @Test
        void anExceptionThatCannotBeDescribedAfter() throws Exception {
            interceptor = new BatchInterceptor() {
                @Override
                public void after(MessageBatch<?> batch, @Nullable BatchOutcome outcome, @Nullable Throwable failure) {
                    throw new Indescribable();
                }
            };
            handlesAll(EscapingFailuresTests.this::handled);
        }
    }

    @Nested
    class OfTheHookAndTheEvents {

        @Test
        void anErrorOfTheHookThatCannotBeDescribed() throws Exception {
            hook = (queue, message, cause) -> {
                throw new IndescribableError();
            };
            handlesAll(batch -> {
                if (first()) {
                    throw new IllegalStateException("told to the hook");
                }
                return handled(batch);
            });
        }

        @Test
        void anyEvent() throws Exception {
            events = new EventMethods() {
                @Override
                public void received(int messages) {
                    throw new IndescribableError();
                }

                @Override
                public void invoking(int batchSize, Duration delay) {
                    throw new IndescribableError();
                }

                @Override
                public void invoked(int done, int failed, Duration took) {
                    throw new IndescribableError();
                }

                @Override
                public void failed(String messageId, Throwable cause) {
                    throw new IndescribableError();
                }

                @Override
                public void acknowledged(int messages) {
                    throw new IndescribableError();
                }

                @Override
                public void unexpected(String stage, Throwable failure) {
                    throw new IndescribableError();
                }
            };
            handlesAll(batch -> {
                if (first()) {
                    throw new IllegalStateException("told to the events");
                }
                return handled(batch);
            });
        }
    }

    /** True once. */
    private boolean first() {
        return failed.compareAndSet(false, true);
    }

    private BatchOutcome handled(MessageBatch<String> batch) {
        handled.addAll(batch.payloads());
        return BatchOutcome.done();
    }

    /** Of a standard queue, and of a group in its order; the messages and their permits are gone when it has stopped. */
    private void handlesAll(BatchListener<String> listener) throws InterruptedException {
        client.put(standard, "a", "b");
        ListenerContainer container = started("orders", listener);
        assertThat(List.of(take(), take())).containsExactlyInAnyOrder("a", "b");
        stopsEmpty(container, standard);

        failed.set(false);
        client.putInGroup(fifo, "g", "a", "b", "c");
        container = started("orders.fifo", listener);
        assertThat(List.of(take(), take(), take())).containsExactly("a", "b", "c");
        stopsEmpty(container, fifo);
    }

    private void stopsEmpty(ListenerContainer container, Queue queue) {
        container.pause(); // an open receive has permits too
        Progress.until(() -> container.status().permits() == 0);
        container.stop();
        assertThat(handled).isEmpty();
        client.assertDrained(queue);
    }

    private String take() throws InterruptedException {
        return Progress.take(handled);
    }

    private ListenerContainer started(String queue, BatchListener<String> listener) {
        ListenerContainer container = new ListenerContainer(
                ListenerOptions.builder("listener", queue)
                        .failure(new ListenerOptions.Failure(
                                SOON, retryIndividually, List.of(), ListenerOptions.Failure.NO_DEAD_LETTER))
                        .build(),
                new ListenerHandler<>(converter, listener, List.of(interceptor), hook),
                new ListenerResources(client, client, events, TimeSource.system()));
        made.add(container);
        container.start();
        return container;
    }

    /** No method of it that a log would call returns. */
    static final class Indescribable extends RuntimeException {

        @Override
        public @Nullable String getMessage() {
            throw new IllegalStateException("no message");
        }

        @Override
        public String toString() {
            throw new StackOverflowError("no text");
        }

        @Override
        public synchronized @Nullable Throwable getCause() {
            throw new IllegalStateException("no cause");
        }
    }

    /** An error of the same kind. */
    static final class IndescribableError extends Error {

        @Override
        public @Nullable String getMessage() {
            throw new IllegalStateException("no message");
        }

        @Override
        public String toString() {
            throw new StackOverflowError("no text");
        }

        @Override
        public synchronized @Nullable Throwable getCause() {
            throw new AssertionError("no cause");
        }
    }
}
