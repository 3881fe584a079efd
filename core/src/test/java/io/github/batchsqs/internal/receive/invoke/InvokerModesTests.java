/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.invoke;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.batchsqs.Acknowledgement;
import io.github.batchsqs.BatchListener;
import io.github.batchsqs.BatchOutcome;
import io.github.batchsqs.MessageBatch;
import io.github.batchsqs.PartialBatchException;
import io.github.batchsqs.internal.receive.delivery.Delivery;
import io.github.batchsqs.internal.receive.delivery.Settlement;
import io.github.batchsqs.listener.ListenerOptions.AcknowledgeMode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

/** The acknowledgement modes, individual retries, and which messages a failure blames. */
class InvokerModesTests extends InvokerFixture {

    @Test
    void modeAlwaysDeletesWhateverTheOutcomeAndStillReportsToTheHook() {
        mode = AcknowledgeMode.ALWAYS;
        assertThat(invoke(
                        batch -> {
                            throw cause;
                        },
                        standard.receive("a")))
                .containsExactly(DELETE);
        assertThat(reported).contains("hook a the cause");
        assertThat(invoke(batch -> BatchOutcome.retry(), standard.receive("b"))).containsExactly(DELETE);
    }

    @Test
    void modeAlwaysCountsAnOverloadOnceForTheAutomaticConcurrency() {
        mode = AcknowledgeMode.ALWAYS;
        List<Delivery> messages = standard.receive(60);
        for (int i = 0; i < 60; i++) {
            if (i == 0 || i == 10 || i == 20) { // a slot of time, the trial of twice as many, and the next slot
                time.advance(Duration.ofMillis(i == 0 ? 1_000 : 500));
                limit.tick();
            }
            boolean fails = i >= 30;
            assertThat(limit.limit()).as("concurrency of message %s", i).isEqualTo(i < 10 || i >= 50 ? 16 : 32);
            invoke(
                    batch -> {
                        if (fails) {
                            throw new RejectedExecutionException("full");
                        }
                        return BatchOutcome.done();
                    },
                    messages.subList(i, i + 1));
        }
    }

    @Test
    void modeAlwaysDoesNotDeleteMessagesThatCannotBeConverted() {
        mode = AcknowledgeMode.ALWAYS;
        assertThat(invoke(batch -> BatchOutcome.done(), standard.receive("bad")))
                .hasOnlyElementsOfType(Settlement.DeadLetter.class);
    }

    @Test
    void inModeManualANormalReturnSettlesNothing() {
        mode = AcknowledgeMode.MANUAL;
        assertThat(invoke(
                        batch -> {
                            Acknowledgement manual = batch.acknowledgement();
                            var first =
                                    manual.acknowledge(List.of(batch.messages().get(1)));
                            var second = manual.nack(Duration.ofSeconds(5));
                            var third = manual.nack(List.of(batch.messages().get(0)), Duration.ZERO);
                            assertThat(List.of(first, second, third, manual.acknowledge()))
                                    .noneMatch(CompletableFuture::isDone);
                            return BatchOutcome.done();
                        },
                        standard.receive(2)))
                .containsExactly(MANUAL, MANUAL);
        assertThat(settledManually)
                .containsExactly(
                        "delete [m1]", "release [m0, m1] after PT5S", "release [m0] after PT0S", "delete [m0, m1]");
    }

    @Test
    void modeManualRefusesAMessageOfAnotherBatch() {
        mode = AcknowledgeMode.MANUAL;
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
    void otherModesRefuseManualAcknowledgementWithTheRemedy() {
        invoke(
                batch -> {
                    var ignored = batch.acknowledgement().acknowledge();
                    return BatchOutcome.done();
                },
                standard.receive("a"));
        assertThat(reported.get(2)).contains("set acknowledge.mode to manual to settle them manually");
        assertThat(settledManually).isEmpty();
    }

    @Test
    void aFailedBatchRunsOnceMoreOneByOne() {
        retryIndividually = true;
        assertThat(invoke(InvokerFixture::failOnPoison, standard.receive("a", "poison", "c")))
                .containsExactly(DELETE, RETRY, DELETE);
        assertThat(runs).containsExactly(List.of("a", "poison", "c"), List.of("a"), List.of("poison"), List.of("c"));
        assertThat(reported)
                .containsExactly("invoking 3", "failed poison", "hook poison poison is in it", "invoked 2+1");
    }

    @Test
    void aPartialFailureAndASingleMessageAreNotRunAgain() {
        retryIndividually = true;
        invoke(
                batch -> {
                    throw PartialBatchException.of(List.of(batch.messages().getFirst()), cause);
                },
                standard.receive("a", "b"));
        invoke(InvokerFixture::failOnPoison, standard.receive("poison"));
        assertThat(runs).hasSize(2);
    }

    @Test
    void batchesInModeManualOrAlwaysAreNotRetriedIndividually() {
        retryIndividually = true;
        mode = AcknowledgeMode.MANUAL;
        assertThat(invoke(InvokerFixture::failOnPoison, standard.receive("poison", "b")))
                .containsExactly(RETRY, RETRY);
        mode = AcknowledgeMode.ALWAYS;
        assertThat(invoke(InvokerFixture::failOnPoison, standard.receive("poison2", "d")))
                .containsExactly(DELETE, DELETE);
        assertThat(runs).hasSize(2);
    }

    @Test
    void theBlameFallsOnTheMessagesThatTheHandlerNames() {
        List<Delivery> batch = fifo.receive("a-1", "a-2", "a-3");
        invoke(
                each -> {
                    throw PartialBatchException.of(List.of(each.messages().get(1)), cause);
                },
                batch);
        assertThat(batch).extracting(Delivery::failure).containsExactly(null, new Delivery.Failure(cause, true), null);
        List<Delivery> named = fifo.receive("b-1", "b-2");
        invoke(
                each -> BatchOutcome.perMessage()
                        .retry(each.messages().getFirst(), cause)
                        .othersRetry()
                        .build(),
                named);
        assertThat(named)
                .extracting(Delivery::failure)
                .containsExactly(new Delivery.Failure(cause, true), new Delivery.Failure(null, false));
    }

    @Test
    void theRunOfABatchThatIsRetriedIndividuallyIsAnAttemptOfEachMessage() {
        retryIndividually = true;
        List<Delivery> batch = fifo.receive("p-poison", "p-2");
        assertThat(invoke(InvokerFixture::failOnPoison, batch)).containsExactly(RETRY, NOT_RUN_ALONE);
        assertThat(batch).extracting(Delivery::attempts).containsExactly(2, 2);
        assertThat(batch.getFirst().failure())
                .isNotNull()
                .satisfies(failure -> assertThat(failure.blamed()).isTrue());
    }
}
