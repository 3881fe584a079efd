/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.invoke;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.BatchOutcome;
import io.github.batchsqs.PartialBatchException;
import io.github.batchsqs.SqsMessage;
import io.github.batchsqs.internal.receive.delivery.Delivery;
import io.github.batchsqs.internal.receive.delivery.Settlement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

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
    }

    @Test
    void aNormalReturnDeletesEveryMessage() {
        assertThat(invoke(batch -> BatchOutcome.done(), standard.receive(3))).containsExactly(DELETE, DELETE, DELETE);
        assertThat(reported).containsExactly("invoking 3", "invoked 3+0");
    }

    @Test
    void aThrownExceptionRetriesEveryMessageAndReportsEachToTheHook() {
        assertThat(invoke(
                        batch -> {
                            throw cause;
                        },
                        standard.receive(2)))
                .containsExactly(RETRY, RETRY);
        assertThat(reported)
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
        assertThat(reported).contains("hook m0 the handler returned no outcome");
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
    void aRetryOutcomeUsesTheBackoffOrTheGivenDelay() {
        assertThat(invoke(batch -> BatchOutcome.retry(), standard.receive("a", "b")))
                .containsExactly(RETRY, RETRY);
        assertThat(invoke(batch -> BatchOutcome.retry(Duration.ofMinutes(3)), standard.receive("c")))
                .containsExactly(new Settlement.Release(Duration.ofMinutes(3), true));
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

    @Test
    void messagesThatAPartialFailureNamesAreRetriedAndTheOthersDeleted() {
        assertThat(invoke(
                        batch -> {
                            throw PartialBatchException.of(
                                    List.of(batch.messages().get(1)), cause);
                        },
                        standard.receive(3)))
                .containsExactly(DELETE, RETRY, DELETE);
        assertThat(reported).contains("hook m1 the cause", "invoked 2+1");
    }

    @Test
    void eachFailedMessageMayHaveItsOwnCause() {
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
    void aPartialFailureMayNameMessagesByIndex() {
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
    void aPartialFailureThatNamesNoMessageFailsTheWholeBatch() {
        List<Supplier<PartialBatchException>> factories = List.of(
                () -> PartialBatchException.of(Map.of()),
                () -> PartialBatchException.of(List.of(), cause),
                () -> PartialBatchException.ofIndexes(List.of(), cause));
        for (int i = 0; i < factories.size(); i++) {
            Supplier<PartialBatchException> factory = factories.get(i);
            assertThat(invoke(
                            batch -> {
                                throw factory.get();
                            },
                            standard.receive("a" + i, "b" + i)))
                    .hasSize(2)
                    .doesNotContain(DELETE);
        }
        assertThat(reported)
                .filteredOn(line -> line.startsWith("hook a"))
                .hasSize(3)
                .allSatisfy(line -> assertThat(line)
                        .contains("must name at least one failed message", "return normally if no message failed"));
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
    void anOutcomeMayDecideForTheOtherMessagesTogether() {
        assertThat(invoke(
                        batch -> BatchOutcome.perMessage()
                                .retry(batch.messages().getFirst())
                                .othersDone()
                                .build(),
                        standard.receive(3)))
                .containsExactly(RETRY, DELETE, DELETE);
    }

    @Test
    void aPayloadThatCannotBeConvertedIsADeadLetterAndTheOthersRun() {
        List<Settlement> settlements = invoke(batch -> BatchOutcome.done(), standard.receive("a", "bad", "c"));
        assertThat(settlements.get(0)).isEqualTo(DELETE);
        assertThat(settlements.get(1)).isInstanceOf(Settlement.DeadLetter.class);
        assertThat(settlements.get(2)).isEqualTo(DELETE);
        assertThat(runs).containsExactly(List.of("a", "c"));
        assertThat(reported)
                .containsExactly(
                        "conversionFailed", "failed bad", "hook bad not readable", "invoking 2", "invoked 2+0");
    }

    @Test
    void aBatchWithNothingToRunIsNotInvoked() {
        assertThat(invoke(batch -> BatchOutcome.done(), standard.receive("bad")))
                .hasOnlyElementsOfType(Settlement.DeadLetter.class);
        assertThat(runs).isEmpty();
        assertThat(reported).containsExactly("conversionFailed", "failed bad", "hook bad not readable");
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
    void aMessageWhoseLeaseIsLostIsLeft() {
        List<Delivery> batch = standard.receive("a", "b");
        batch.getFirst().loseLease();
        assertThat(invoke(each -> BatchOutcome.done(), batch)).containsExactly(LEAVE, DELETE);
        assertThat(runs).containsExactly(List.of("b"));
    }

    @Test
    void nothingRunsBehindAMessageWhoseLeaseRanOut() {
        List<Delivery> batch = fifo.receive("a-1", "a-2");
        time.advance(Duration.ofSeconds(30));
        assertThat(invoke(each -> BatchOutcome.done(), batch)).containsExactly(LEAVE, NOT_RUN);
        assertThat(runs).isEmpty();
        assertThat(reported).containsExactly("leaseLost");
    }
}
