/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive.invoke;

import static io.github.batchsqs.testkit.Deliveries.bodies;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.batchsqs.Acknowledgement;
import io.github.batchsqs.Backoff;
import io.github.batchsqs.BatchListener;
import io.github.batchsqs.BatchOutcome;
import io.github.batchsqs.MessageBatch;
import io.github.batchsqs.PartialBatchException;
import io.github.batchsqs.SqsMessage;
import io.github.batchsqs.client.ReceivedMessage;
import io.github.batchsqs.events.ListenerEvents;
import io.github.batchsqs.receive.fetch.Delivery;
import io.github.batchsqs.receive.fetch.Settlement;
import io.github.batchsqs.receive.invoke.InvokeSettings.Completion;
import io.github.batchsqs.testkit.Deliveries;
import io.github.batchsqs.testkit.SettableTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;

class BatchInvokerTests {

    private static final Duration BACKOFF = Duration.ofSeconds(2);
    private static final Settlement DELETE = new Settlement.Delete();
    private static final Settlement RETRY = new Settlement.Release(BACKOFF);
    private static final Settlement LEAVE = new Settlement.Leave();
    private static final Settlement NOT_RUN = new Settlement.NotRun();
    private static final Settlement BY_HAND = new Settlement.ByHand();

    private final IllegalStateException cause = new IllegalStateException("the cause");
    private final SettableTime time = new SettableTime();
    private final Deliveries standard = Deliveries.standard(Duration.ofSeconds(30), time);
    private final Deliveries fifo = Deliveries.fifo(Duration.ofSeconds(30), time);
    private final List<String> told = new ArrayList<>();
    private final List<List<String>> runs = new ArrayList<>();
    private final List<String> settledByHand = new ArrayList<>();
    private final List<BatchInterceptor> interceptors = new ArrayList<>();
    private ErrorHook errorHook =
            (queue, message, cause) -> told.add("hook " + message.body() + " " + cause.getMessage());
    private Completion completion = Completion.BY_OUTCOME;
    private boolean isolate;

    private final ListenerEvents events = new ListenerEvents() {
        @Override
        public void invoking(int batchSize, Duration delay) {
            told.add("invoking " + batchSize);
        }

        @Override
        public void invoked(int done, int failed, Duration took) {
            told.add("invoked " + done + "+" + failed);
        }

        @Override
        public void conversionFailed() {
            told.add("conversionFailed");
        }

        @Override
        public void failed(String messageId, Throwable cause) {
            told.add("failed " + messageId);
        }

        @Override
        public void leaseLost() {
            told.add("leaseLost");
        }
    };

    private final HandSettlement byHand = new HandSettlement() {
        @Override
        public CompletableFuture<Void> delete(List<Delivery> deliveries) {
            settledByHand.add("delete " + bodies(deliveries));
            return new CompletableFuture<>();
        }

        @Override
        public CompletableFuture<Void> release(List<Delivery> deliveries, Duration after) {
            settledByHand.add("release " + bodies(deliveries) + " after " + after);
            return new CompletableFuture<>();
        }
    };

    @Nested
    class Log {

        @Test
        void theLogKnowsTheInvocationWhileItRuns() {
            MDC.put(LogContext.QUEUE, "of the executor's owner");
            try {
                var seen = new ArrayList<Map<String, String>>();
                assertThat(invoke(
                                batch -> {
                                    seen.add(MDC.getCopyOfContextMap());
                                    return BatchOutcome.done();
                                },
                                standard.receive(3)))
                        .hasSize(3);
                assertThat(seen.getFirst())
                        .containsEntry("batchsqs.queue", "orders")
                        .containsEntry("batchsqs.batch.size", "3")
                        .containsKey("batchsqs.listener");
                assertThat(MDC.getCopyOfContextMap()).isEqualTo(Map.of(LogContext.QUEUE, "of the executor's owner"));
            } finally {
                MDC.clear();
            }
        }
    }

    @Nested
    class OutcomesOfTheWholeBatch {

        @Test
        void returningNormallyDeletesEveryMessage() {
            assertThat(invoke(batch -> BatchOutcome.done(), standard.receive(3)))
                    .containsExactly(DELETE, DELETE, DELETE);
            assertThat(told).containsExactly("invoking 3", "invoked 3+0");
        }

        @Test
        void throwingRetriesEveryMessageAndTellsTheHookOfEach() {
            assertThat(invoke(
                            batch -> {
                                throw cause;
                            },
                            standard.receive(2)))
                    .containsExactly(RETRY, RETRY);
            assertThat(told)
                    .containsExactly(
                            "invoking 2",
                            "failed m0",
                            "hook m0 the cause",
                            "failed m1",
                            "hook m1 the cause",
                            "invoked 0+2");
        }

        @Test
        void anErrorIsAFailureOfTheMessagesToo() {
            assertThat(invoke(
                            batch -> {
                                throw new StackOverflowError();
                            },
                            standard.receive(1)))
                    .containsExactly(RETRY);
        }

        @Test
        @SuppressWarnings("NullAway") // what a handler in a language without nullness may do
        void noOutcomeIsAFailure() {
            assertThat(invoke(batch -> null, standard.receive(1))).containsExactly(RETRY);
            assertThat(told).contains("hook m0 the handler returned no outcome");
        }

        @Test
        void aFatalExceptionMakesDeadLetters() {
            IllegalArgumentException fatal = new IllegalArgumentException("fatal");
            assertThat(invoke(
                            batch -> {
                                throw fatal;
                            },
                            standard.receive(1)))
                    .containsExactly(new Settlement.DeadLetter(fatal, BACKOFF));
        }

        @Test
        void retryAsksForTheBackoffOrTheGivenDelay() {
            assertThat(invoke(batch -> BatchOutcome.retry(), standard.receive("a", "b")))
                    .containsExactly(RETRY, RETRY);
            assertThat(invoke(batch -> BatchOutcome.retry(Duration.ofMinutes(3)), standard.receive("c")))
                    .containsExactly(new Settlement.Release(Duration.ofMinutes(3)));
        }

        @Test
        void aHandlerThatLeavesItsThreadInterruptedDisturbsNothing() {
            assertThat(invoke(
                            batch -> {
                                Thread.currentThread().interrupt();
                                return BatchOutcome.done();
                            },
                            standard.receive(1)))
                    .containsExactly(DELETE);
            assertThat(Thread.interrupted()).isFalse();
        }
    }

    @Nested
    class OutcomesOfEachMessage {

        @Test
        void thoseThatAPartialFailureNamesAreRetriedAndTheOthersDeleted() {
            assertThat(invoke(
                            batch -> {
                                throw PartialBatchException.of(
                                        List.of(batch.messages().get(1)), cause);
                            },
                            standard.receive(3)))
                    .containsExactly(DELETE, RETRY, DELETE);
            assertThat(told).contains("hook m1 the cause", "invoked 2+1");
        }

        @Test
        void eachMayHaveACauseOfItsOwn() {
            IllegalArgumentException fatal = new IllegalArgumentException("fatal");
            assertThat(invoke(
                            batch -> {
                                throw PartialBatchException.of(Map.of(
                                        batch.messages().get(0),
                                        cause,
                                        batch.messages().get(2),
                                        fatal));
                            },
                            standard.receive(3)))
                    .containsExactly(RETRY, DELETE, new Settlement.DeadLetter(fatal, BACKOFF));
        }

        @Test
        void theyMayBeNamedByIndex() {
            assertThat(invoke(
                            batch -> {
                                throw PartialBatchException.ofIndexes(List.of(0, 2), cause);
                            },
                            standard.receive(3)))
                    .containsExactly(RETRY, DELETE, RETRY);
        }

        @Test
        void anIndexOutsideTheBatchFailsTheWholeBatch() {
            assertThat(invoke(
                            batch -> {
                                throw PartialBatchException.ofIndexes(List.of(0, 3), cause);
                            },
                            standard.receive("a", "b", "c")))
                    .containsExactly(RETRY, RETRY, RETRY);
            assertThat(invoke(
                            batch -> {
                                throw PartialBatchException.ofIndexes(List.of(-1), cause);
                            },
                            standard.receive("d")))
                    .containsExactly(RETRY);
        }

        @Test
        void aMessageOfAnotherBatchFailsTheWholeBatch() {
            List<SqsMessage<String>> other = new ArrayList<>();
            invoke(
                    batch -> {
                        other.addAll(batch.messages());
                        return BatchOutcome.done();
                    },
                    standard.receive("other"));
            assertThat(invoke(
                            batch -> {
                                throw PartialBatchException.of(other, cause);
                            },
                            standard.receive("a", "b")))
                    .containsExactly(RETRY, RETRY);
        }

        @Test
        void anOutcomeSpeaksForEachMessage() {
            assertThat(invoke(
                            batch -> BatchOutcome.perMessage()
                                    .done(batch.messages().get(0))
                                    .retry(batch.messages().get(1), cause)
                                    .retry(batch.messages().get(2), Duration.ofSeconds(9))
                                    .deadLetter(batch.messages().get(3), cause)
                                    .leave(batch.messages().get(4))
                                    .build(),
                            standard.receive(5)))
                    .containsExactly(
                            DELETE,
                            RETRY,
                            new Settlement.Release(Duration.ofSeconds(9)),
                            new Settlement.DeadLetter(cause, BACKOFF),
                            LEAVE);
            assertThat(told).contains("hook m1 the cause", "hook m3 the cause", "invoked 1+4");
        }

        @Test
        void aForgottenMessageIsAFailureAndNeverASuccess() {
            assertThat(invoke(
                            batch -> BatchOutcome.perMessage()
                                    .done(batch.messages().getFirst())
                                    .build(),
                            standard.receive(2)))
                    .containsExactly(DELETE, RETRY);
            assertThat(told.get(2))
                    .isEqualTo("hook m1 The handler's outcome does not mention message m1; name every message, or say"
                            + " othersDone() or othersRetry()");
        }

        @Test
        void theOthersMayBeSpokenForTogether() {
            assertThat(invoke(
                            batch -> BatchOutcome.perMessage()
                                    .retry(batch.messages().getFirst())
                                    .othersDone()
                                    .build(),
                            standard.receive(3)))
                    .containsExactly(RETRY, DELETE, DELETE);
        }
    }

    @Nested
    class WhatDoesNotReachTheHandler {

        @Test
        void aPayloadThatCannotBeConvertedIsADeadLetterAndTheOthersRun() {
            List<Settlement> settlements = invoke(batch -> BatchOutcome.done(), standard.receive("a", "bad", "c"));
            assertThat(settlements.get(0)).isEqualTo(DELETE);
            assertThat(settlements.get(1)).isInstanceOf(Settlement.DeadLetter.class);
            assertThat(settlements.get(2)).isEqualTo(DELETE);
            assertThat(runs).containsExactly(List.of("a", "c"));
            assertThat(told)
                    .containsExactly(
                            "conversionFailed", "failed bad", "hook bad not readable", "invoking 2", "invoked 2+0");
        }

        @Test
        void aBatchWithNothingToRunIsNotInvoked() {
            assertThat(invoke(batch -> BatchOutcome.done(), standard.receive("bad")))
                    .hasOnlyElementsOfType(Settlement.DeadLetter.class);
            assertThat(runs).isEmpty();
            assertThat(told).containsExactly("conversionFailed", "failed bad", "hook bad not readable");
        }

        @Test
        void onFifoNothingRunsBehindOneThatCannotBeConverted() {
            List<Settlement> settlements =
                    invoke(batch -> BatchOutcome.done(), fifo.receive("a-1", "bad-1", "a-2", "bad-2", "bad-3"));
            assertThat(settlements.get(0)).isEqualTo(DELETE);
            assertThat(settlements.get(1)).isInstanceOf(Settlement.DeadLetter.class);
            assertThat(settlements.subList(2, 5)).containsExactly(DELETE, NOT_RUN, NOT_RUN);
            assertThat(runs).containsExactly(List.of("a-1", "a-2"));
        }

        @Test
        void aMessageWhoseLeaseIsLostIsLeft() {
            List<Delivery> batch = standard.receive("a", "b");
            batch.getFirst().loseLease();
            assertThat(invoke(each -> BatchOutcome.done(), batch)).containsExactly(LEAVE, DELETE);
            assertThat(runs).containsExactly(List.of("b"));
        }

        @Test
        void aLeaseThatRanOutIsTold() {
            List<Delivery> batch = fifo.receive("a-1", "a-2");
            time.advance(Duration.ofSeconds(30));
            assertThat(invoke(each -> BatchOutcome.done(), batch)).containsExactly(LEAVE, NOT_RUN);
            assertThat(runs).isEmpty();
            assertThat(told).containsExactly("leaseLost");
        }
    }

    @Nested
    class Isolation {

        @Test
        void aFailedBatchRunsOnceMoreOneByOne() {
            isolate = true;
            assertThat(invoke(BatchInvokerTests::failOnPoison, standard.receive("a", "poison", "c")))
                    .containsExactly(DELETE, RETRY, DELETE);
            assertThat(runs)
                    .containsExactly(List.of("a", "poison", "c"), List.of("a"), List.of("poison"), List.of("c"));
            assertThat(told)
                    .containsExactly("invoking 3", "failed poison", "hook poison poison is in it", "invoked 2+1");
        }

        @Test
        void onFifoAGroupStopsAtItsPoison() {
            isolate = true;
            assertThat(invoke(BatchInvokerTests::failOnPoison, fifo.receive("a-1", "p-poison", "p-2", "a-2")))
                    .containsExactly(DELETE, RETRY, NOT_RUN, DELETE);
            assertThat(runs).doesNotContain(List.of("p-2"));
        }

        @Test
        void aPartialFailureAndASingleMessageAreNotRunAgain() {
            isolate = true;
            invoke(
                    batch -> {
                        throw PartialBatchException.ofIndexes(List.of(0), cause);
                    },
                    standard.receive("a", "b"));
            invoke(BatchInvokerTests::failOnPoison, standard.receive("poison"));
            assertThat(runs).hasSize(2);
        }

        @Test
        void isNotForBatchesThatAreSettledByHandOrAlwaysDone() {
            isolate = true;
            completion = Completion.BY_HAND;
            assertThat(invoke(BatchInvokerTests::failOnPoison, standard.receive("poison", "b")))
                    .containsExactly(RETRY, RETRY);
            completion = Completion.ALWAYS_DONE;
            assertThat(invoke(BatchInvokerTests::failOnPoison, standard.receive("poison2", "d")))
                    .containsExactly(DELETE, DELETE);
            assertThat(runs).hasSize(2);
        }
    }

    @Nested
    class Modes {

        @Test
        void alwaysDeletesWhateverTheOutcomeAndStillTellsTheHook() {
            completion = Completion.ALWAYS_DONE;
            assertThat(invoke(
                            batch -> {
                                throw cause;
                            },
                            standard.receive("a")))
                    .containsExactly(DELETE);
            assertThat(told).contains("hook a the cause");
            assertThat(invoke(batch -> BatchOutcome.retry(), standard.receive("b")))
                    .containsExactly(DELETE);
        }

        @Test
        void alwaysDoesNotSpeakForWhatCannotBeConverted() {
            completion = Completion.ALWAYS_DONE;
            assertThat(invoke(batch -> BatchOutcome.done(), standard.receive("bad")))
                    .hasOnlyElementsOfType(Settlement.DeadLetter.class);
        }

        @Test
        void byHandReturningSettlesNothing() {
            completion = Completion.BY_HAND;
            assertThat(invoke(
                            batch -> {
                                Acknowledgement hand = batch.acknowledgement();
                                var first = hand.acknowledge(
                                        List.of(batch.messages().get(1)));
                                var second = hand.nack(Duration.ofSeconds(5));
                                var third = hand.nack(List.of(batch.messages().get(0)), Duration.ZERO);
                                assertThat(List.of(first, second, third, hand.acknowledge()))
                                        .noneMatch(CompletableFuture::isDone);
                                return BatchOutcome.done();
                            },
                            standard.receive(2)))
                    .containsExactly(BY_HAND, BY_HAND);
            assertThat(settledByHand)
                    .containsExactly(
                            "delete [m1]", "release [m0, m1] after PT5S", "release [m0] after PT0S", "delete [m0, m1]");
        }

        @Test
        void byHandThrowingRetriesWhatWasNotSettled() {
            completion = Completion.BY_HAND;
            assertThat(invoke(
                            batch -> {
                                throw cause;
                            },
                            standard.receive(1)))
                    .containsExactly(RETRY);
        }

        @Test
        void byHandAMessageOfAnotherBatchIsRefused() {
            completion = Completion.BY_HAND;
            List<MessageBatch<String>> batches = new ArrayList<>();
            BatchListener<String> collect = batch -> {
                batches.add(batch);
                return BatchOutcome.done();
            };
            invoke(collect, standard.receive("a"));
            invoke(collect, standard.receive("b"));
            assertThatThrownBy(() -> batches.getFirst()
                            .acknowledgement()
                            .acknowledge(batches.get(1).messages()))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("Message b is not of this batch");
        }

        @Test
        void elsewhereSettlingByHandIsRefusedWithTheRemedy() {
            invoke(
                    batch -> {
                        var ignored = batch.acknowledgement().acknowledge();
                        return BatchOutcome.done();
                    },
                    standard.receive("a"));
            assertThat(told.get(2)).contains("set acknowledge.mode to manual to settle them by hand");
            assertThat(settledByHand).isEmpty();
        }
    }

    @Nested
    class InterceptorsAndTheHook {

        @Test
        void interceptorsRunBeforeInOrderAndAfterInReverse() {
            interceptors.add(interceptor("1", null));
            interceptors.add(interceptor("2", null));
            invoke(
                    batch -> {
                        told.add("handler");
                        return BatchOutcome.done();
                    },
                    standard.receive(1));
            assertThat(told)
                    .containsExactly(
                            "invoking 1", "before 1", "before 2", "handler", "after 2 ok", "after 1 ok", "invoked 1+0");
        }

        @Test
        void oneThatFailsBeforeFailsTheBatchAndOnlyThoseThatBeganAreTold() {
            interceptors.add(interceptor("1", null));
            interceptors.add(interceptor("2", cause));
            interceptors.add(interceptor("3", null));
            assertThat(invoke(batch -> BatchOutcome.done(), standard.receive(1)))
                    .containsExactly(RETRY);
            assertThat(runs).isEmpty();
            assertThat(told)
                    .containsSubsequence("before 1", "before 2", "after 2 the cause", "after 1 the cause")
                    .doesNotContain("before 3");
        }

        @Test
        void oneThatFailsAfterChangesNothing() {
            interceptors.add(new BatchInterceptor() {
                @Override
                public void after(MessageBatch<?> batch, @Nullable BatchOutcome outcome, @Nullable Throwable failure) {
                    throw cause;
                }
            });
            interceptors.add(interceptor("2", null));
            assertThat(invoke(batch -> BatchOutcome.done(), standard.receive(1)))
                    .containsExactly(DELETE);
            assertThat(told).contains("after 2 ok");
        }

        @Test
        void anErrorAfterChangesNothingEither() {
            interceptors.add(new BatchInterceptor() {
                @Override
                public void after(MessageBatch<?> batch, @Nullable BatchOutcome outcome, @Nullable Throwable failure) {
                    throw new AssertionError("in an interceptor");
                }
            });
            assertThat(invoke(batch -> BatchOutcome.done(), standard.receive(1)))
                    .containsExactly(DELETE);
        }

        @Test
        void aHookThatFailsChangesNothing() {
            errorHook = (queue, message, cause) -> {
                throw new AssertionError("in the hook");
            };
            assertThat(invoke(
                            batch -> {
                                throw cause;
                            },
                            standard.receive("a", "b")))
                    .containsExactly(RETRY, RETRY);
            assertThat(invoke(batch -> BatchOutcome.done(), standard.receive("bad")))
                    .hasOnlyElementsOfType(Settlement.DeadLetter.class);
        }

        @Test
        void aConverterThatFailsBadlyFailsOnlyItsMessage() {
            List<Settlement> settlements = invoke(batch -> BatchOutcome.done(), standard.receive("a", "worse"));
            assertThat(settlements.get(0)).isEqualTo(DELETE);
            assertThat(settlements.get(1)).isInstanceOf(Settlement.DeadLetter.class);
        }
    }

    @Test
    void theHandlerSeesTheMessageAsItWasReceived() {
        List<SqsMessage<String>> seen = new ArrayList<>();
        List<Delivery> batch = fifo.receive("a-1");
        invoke(
                each -> {
                    seen.addAll(each.messages());
                    assertThat(each.queue()).isEqualTo("orders");
                    return BatchOutcome.done();
                },
                batch);
        SqsMessage<String> message = seen.getFirst();
        assertThat(message.payload()).isEqualTo("A-1");
        assertThat(message.body()).isEqualTo("a-1");
        assertThat(message.id()).isEqualTo("a-1");
        assertThat(message.queue()).isEqualTo("orders");
        assertThat(message.groupId()).isEqualTo("a");
        assertThat(message.deduplicationId()).isEqualTo("dedup-a-1");
        assertThat(message.sequenceNumber()).isEqualTo("7");
        assertThat(message.receiveCount()).isEqualTo(1);
        assertThat(message.receiptHandle()).isEqualTo("a-1/1");
        assertThat(message.toString()).isEqualTo("SqsMessage[a-1 from orders]");
        assertThat(message.leaseLost()).isFalse();
        time.advance(Duration.ofSeconds(30));
        assertThat(message.leaseLost()).isTrue();
    }

    private static BatchOutcome failOnPoison(MessageBatch<String> batch) {
        if (batch.payloads().stream().anyMatch(payload -> payload.contains("POISON"))) {
            throw new IllegalStateException("poison is in it");
        }
        return BatchOutcome.done();
    }

    private BatchInterceptor interceptor(String name, @Nullable RuntimeException failure) {
        return new BatchInterceptor() {
            @Override
            public void before(MessageBatch<?> batch) {
                told.add("before " + name);
                if (failure != null) {
                    throw failure;
                }
            }

            @Override
            public void after(MessageBatch<?> batch, @Nullable BatchOutcome outcome, @Nullable Throwable cause) {
                told.add("after " + name + " " + (cause == null ? "ok" : cause.getMessage()));
            }
        };
    }

    private List<Settlement> invoke(BatchListener<String> listener, List<Delivery> batch) {
        BatchListener<String> recorded = messages -> {
            runs.add(messages.messages().stream().map(SqsMessage::body).toList());
            return listener.onBatch(messages);
        };
        return new BatchInvoker<>(
                        new InvokeSettings("listener", "orders", completion, isolate),
                        new BatchInvoker.Handler<>(BatchInvokerTests::read, recorded, interceptors, errorHook),
                        new FailurePolicy(
                                new Backoff(BACKOFF, 2, Duration.ofMinutes(5), false),
                                List.of(IllegalArgumentException.class),
                                new SplittableRandom(1)),
                        byHand,
                        events,
                        time)
                .invoke(batch);
    }

    private static String read(ReceivedMessage message) {
        if (message.body().startsWith("bad")) {
            throw new IllegalStateException("not readable");
        }
        if (message.body().startsWith("worse")) {
            throw new StackOverflowError("nested too deep");
        }
        return message.body().toUpperCase(Locale.ROOT);
    }
}
