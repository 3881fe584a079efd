/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.invoke;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.BatchListener;
import io.github.batchsqs.BatchOutcome;
import io.github.batchsqs.MessageBatch;
import io.github.batchsqs.PartialBatchException;
import io.github.batchsqs.SqsMessage;
import io.github.batchsqs.internal.receive.delivery.Delivery;
import io.github.batchsqs.internal.receive.delivery.Settlement;
import io.github.batchsqs.testkit.Deliveries;
import io.github.batchsqs.testkit.LogCapture;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** How the outcome of a handler becomes the settlements of its messages. */
class BatchInvokerTests extends InvokerFixture {

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
        List<Delivery> known = fifo.receive(List.of(new Deliveries.Message("a-1", 2)));
        assertThat(known).isEmpty(); // it has a new lease
        assertThat(message.leaseLost()).isTrue();
        assertThat(((Leased) message).isLeaseLost()).isFalse();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource
    void theOutcomeOfTheHandlerDecides(
            String outcome, BatchListener<String> handler, List<Settlement> settlements, List<String> hooks) {
        assertThat(invoke(handler, standard.receive(settlements.size()))).isEqualTo(settlements);
        long done = settlements.stream().filter(DELETE::equals).count();
        assertThat(reported)
                .startsWith("invoking " + settlements.size())
                .endsWith("invoked " + done + "+" + (settlements.size() - done));
        assertThat(reported).filteredOn(line -> line.startsWith("hook")).isEqualTo(hooks);
    }

    @SuppressWarnings("NullAway") // what a handler in a language without nullness may do
    static Stream<Arguments> theOutcomeOfTheHandlerDecides() {
        IllegalStateException cause = new IllegalStateException("the cause");
        IllegalArgumentException fatal = new IllegalArgumentException("fatal");
        Throwable odd = new Throwable() {
            @Override
            public String getMessage() {
                throw new StackOverflowError("as if");
            }
        };
        String readable = odd.getClass().getName() + ", whose own methods throw";
        Settlement dead = new Settlement.DeadLetter(fatal, BACKOFF);
        Settlement after = new Settlement.Release(Duration.ofMinutes(3), true);
        return Stream.of(
                row("a normal return", of(DELETE, DELETE), batch -> BatchOutcome.done()),
                row("an exception", of(RETRY, RETRY), throwing(batch -> cause), "m0 the cause", "m1 the cause"),
                row("an error", of(RETRY), throwing(batch -> new StackOverflowError()), "m0 null"),
                row("no outcome", of(RETRY), batch -> null, "m0 the handler returned no outcome"),
                row("a fatal exception", of(dead), throwing(batch -> fatal), "m0 fatal"),
                row("a retry", of(RETRY, RETRY), batch -> BatchOutcome.retry()),
                row("a retry later", of(after), batch -> BatchOutcome.retry(Duration.ofMinutes(3))),
                row(
                        "a named message",
                        of(DELETE, RETRY, DELETE),
                        throwing(batch ->
                                PartialBatchException.of(batch.messages().subList(1, 2), cause)),
                        "m1 the cause"),
                row(
                        "a cause for each",
                        of(RETRY, DELETE, dead),
                        throwing(batch -> PartialBatchException.of(Map.of(
                                batch.messages().get(0), cause, batch.messages().get(2), fatal))),
                        "m0 the cause",
                        "m2 fatal"),
                row(
                        "no cause",
                        of(RETRY),
                        throwing(batch -> PartialBatchException.of(batch.messages(), null)),
                        "m0 1 message of the batch failed"),
                row(
                        "a cause that cannot be read",
                        of(RETRY, RETRY),
                        throwing(batch -> {
                            Map<SqsMessage<String>, Throwable> causes = new LinkedHashMap<>();
                            causes.put(batch.messages().get(0), cause);
                            causes.put(batch.messages().get(1), odd);
                            return PartialBatchException.of(causes);
                        }),
                        "m0 the cause",
                        "m1 " + readable),
                row(
                        "causes of an outcome that cannot be read",
                        of(RETRY, RETRY),
                        batch -> BatchOutcome.perMessage()
                                .retry(batch.messages().get(0), odd)
                                .retry(batch.messages().get(1), odd)
                                .build(),
                        "m0 " + readable,
                        "m1 " + readable),
                row(
                        "what is said of the others",
                        of(RETRY, DELETE, DELETE),
                        batch -> BatchOutcome.perMessage()
                                .retry(batch.messages().getFirst())
                                .othersDone()
                                .build()));
    }

    private static List<Settlement> of(Settlement... settlements) {
        return List.of(settlements);
    }

    private static Arguments row(
            String outcome, List<Settlement> settlements, BatchListener<String> handler, String... hooks) {
        return Arguments.of(
                outcome,
                handler,
                settlements,
                Stream.of(hooks).map("hook "::concat).toList());
    }

    private static BatchListener<String> throwing(Function<MessageBatch<String>, Throwable> failure) {
        return batch -> {
            switch (failure.apply(batch)) {
                case Error error -> throw error;
                case Throwable exception -> throw (Exception) exception;
            }
        };
    }

    private List<SqsMessage<String>> messagesOfAnotherBatch() {
        List<SqsMessage<String>> messages = new ArrayList<>();
        invoke(
                batch -> {
                    messages.addAll(batch.messages());
                    return BatchOutcome.done();
                },
                standard.receive("other"));
        return messages;
    }

    @Test
    void aPartialFailureThatNamesNoMessageOrOneOfAnotherBatchFailsTheWholeBatch() {
        List<SqsMessage<String>> other = messagesOfAnotherBatch();
        List<Supplier<PartialBatchException>> factories = List.of(
                () -> PartialBatchException.of(Map.of()),
                () -> PartialBatchException.of(List.of(), cause),
                () -> PartialBatchException.of(other, cause));
        for (int i = 0; i < factories.size(); i++) {
            Supplier<PartialBatchException> factory = factories.get(i);
            assertThat(invoke(throwing(batch -> factory.get()), standard.receive("a" + i, "b" + i)))
                    .hasSize(2)
                    .doesNotContain(DELETE);
        }
        List<String> hooks =
                reported.stream().filter(line -> line.startsWith("hook a")).toList();
        assertThat(hooks.subList(0, 2))
                .allSatisfy(line -> assertThat(line)
                        .contains("must name at least one failed message", "return normally if no message failed"));
        assertThat(hooks.subList(2, hooks.size())).containsExactly("hook a2 1 message of the batch failed");
    }

    @Test
    void anOutcomeDecidesForEachMessage() {
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
                        new Settlement.Release(Duration.ofSeconds(9), true),
                        new Settlement.DeadLetter(cause, BACKOFF),
                        LEAVE);
        assertThat(reported).contains("hook m1 the cause", "hook m3 the cause", "invoked 1+4");
    }

    @Test
    void aMessageThatTheOutcomeDoesNotMentionIsAFailure() {
        assertThat(invoke(
                        batch -> BatchOutcome.perMessage()
                                .done(batch.messages().getFirst())
                                .build(),
                        standard.receive(2)))
                .containsExactly(DELETE, RETRY);
        assertThat(reported.get(2))
                .isEqualTo("hook m1 The handler's outcome does not mention message m1; name every message, or call"
                        + " othersDone() or othersRetry()");
    }

    @Test
    void onFifoNothingRunsBehindAMessageThatCannotBeConverted() {
        List<Settlement> settlements =
                invoke(batch -> BatchOutcome.done(), fifo.receive("a-1", "bad-1", "a-2", "bad-2", "bad-3"));
        assertThat(settlements.get(0)).isEqualTo(DELETE);
        assertThat(settlements.get(1)).isInstanceOf(Settlement.DeadLetter.class);
        assertThat(settlements.subList(2, 5)).containsExactly(DELETE, NOT_RUN, NOT_RUN);
        assertThat(runs).containsExactly(List.of("a-1", "a-2"));
    }

    @Test
    void nothingRunsBehindAMessageWhoseLeaseRanOut() {
        List<Delivery> batch = fifo.receive("a-1", "a-2");
        time.advance(Duration.ofSeconds(30));
        assertThat(invoke(each -> BatchOutcome.done(), batch)).containsExactly(LEAVE, NOT_RUN);
        assertThat(runs).isEmpty();
        assertThat(reported).containsExactly("leaseLost");
    }

    @Test
    void theLogSaysWhyMessagesFailThatTheOutcomeOmits() {
        try (LogCapture log = LogCapture.warnings()) {
            invoke(
                    batch -> BatchOutcome.perMessage()
                            .done(batch.messages().getFirst())
                            .build(),
                    standard.receive(3));
            assertThat(log.event())
                    .contains(
                            "2 of 3 messages of a batch of orders failed, because the handler's outcome does not mention"
                                    + " them; name every message, or call othersDone() or othersRetry()");
        }
    }

    @Test
    void theLogSaysWhyAllMessagesFailIfTheHandlerNamesAnotherOne() {
        List<SqsMessage<String>> other = messagesOfAnotherBatch();
        try (LogCapture log = LogCapture.warnings()) {
            invoke(
                    batch -> {
                        throw PartialBatchException.of(other, null);
                    },
                    standard.receive(3));
            assertThat(log.event())
                    .contains("3 of 3 messages of a batch of orders failed, because the exception names a message that"
                            + " is not in the batch");
        }
    }

    @Test
    void theCauseOfAnOutcomeIsAnOverload() {
        for (int ended = 0; ended < 300 && limit.limit() == 16; ended++) { // until the first trial of 32
            time.advance(Duration.ofMillis(10));
            limit.ended(1, 0, 0, limit.limit(), time.nanos() - 10);
        }
        assertThat(limit.limit()).isEqualTo(32);
        for (int each = 0; each < 10; each++) {
            invoke(
                    all -> BatchOutcome.perMessage()
                            .retry(all.messages().getFirst(), new RejectedExecutionException("full"))
                            .othersDone()
                            .build(),
                    standard.receive("a" + each, "b" + each));
        }
        assertThat(limit.limit()).as("five failures end the trial").isEqualTo(16);
    }

    @Test
    void messagesOfABatchThatTheExecutorRefusesDidNotRun() {
        List<Delivery> batch = standard.receive(2);
        invoker(all -> BatchOutcome.done()).refused(batch);
        assertThat(batch).extracting(Delivery::settlement).containsOnly(NOT_RUN);
        assertThat(settledTogether).containsExactly(Deliveries.bodies(batch));
        assertThat(limit.limit()).isEqualTo(8);
    }

    @Test
    void anErrorOfTheEngineIsPassedOnAndNothingElseIsDone() {
        List<Delivery> batch = standard.receive(1);
        BatchInvoker<String> invoker = invoker(all -> BatchOutcome.done());
        invoker.refused(batch);
        invoker.run(batch, time.nanos(), 1); // settles it twice
        assertThat(reported).noneMatch(each -> each.startsWith("unexpected"));
        assertThat(failures).singleElement().isInstanceOf(AssertionError.class);
    }
}
