/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.invoke;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.BatchListener;
import io.github.batchsqs.BatchOutcome;
import io.github.batchsqs.MessageBatch;
import io.github.batchsqs.PartialBatchException;
import io.github.batchsqs.internal.receive.delivery.Delivery;
import io.github.batchsqs.listener.ListenerOptions.AcknowledgeMode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Batches of messages of several kinds: {@code g-a1} is of the group {@code g} and of the kind {@code a}; each {@code s} is alone. */
class PartitionedListenerTests extends InvokerFixture {

    @Test
    void messagesOfAStandardQueueAreCollectedByKind() {
        assertThat(invoke(byKind(InvokerFixture::failOnPoison), standard.receive("x-a1", "x-b1", "x-a2", "x-b2")))
                .containsOnly(DELETE);
        assertThat(runs).containsExactly(List.of("x-a1", "x-a2"), List.of("x-b1", "x-b2"));
        assertThat(reported).containsExactly("invoking 2", "invoked 2+0", "invoking 2", "invoked 2+0");
    }

    @Test
    void messagesOfSeveralGroupsAreCollectedByKindAsFarAsTheirOrderPermits() {
        invoke(
                byKind(InvokerFixture::failOnPoison),
                fifo.receive("g-a1", "h-b1", "g-a2", "h-a2", "g-b3", "h-b3", "i-b1"));
        assertThat(runs)
                .containsExactly(
                        List.of("g-a1", "g-a2"), List.of("h-b1", "g-b3"), List.of("h-a2"), List.of("h-b3", "i-b1"));
    }

    @Test
    void aMessageWithoutAKindHasACallOfItsOwn() {
        invoke(byKind(InvokerFixture::failOnPoison), standard.receive("x-s1", "x-a1", "x-s2", "x-a2"));
        assertThat(runs).containsExactly(List.of("x-s1"), List.of("x-a1", "x-a2"), List.of("x-s2"));
    }

    @Test
    void nothingOfAGroupIsSettledAheadOfAMessageThatTheHandlerNames() {
        assertThat(invoke(
                        byKind(batch -> {
                            if (batch.size() == 3) {
                                throw PartialBatchException.of(
                                        List.of(batch.messages().get(1)), cause);
                            }
                            return BatchOutcome.done();
                        }),
                        fifo.receive("g-a1", "g-a2", "g-a3", "g-b1")))
                .containsExactly(DELETE, RETRY, DELETE, NOT_RUN);
        assertThat(settledTogether).containsExactly(List.of("g-a1"), List.of("g-a2", "g-a3", "g-b1"));
    }

    @Test
    void onlyThePartThatFailedIsRetriedIndividually() {
        retryIndividually = true;
        assertThat(invoke(
                        byKind(InvokerFixture::failOnPoison),
                        fifo.receive("g-a1", "g-b1", "g-b-poison", "g-b3", "g-a2", "h-a1")))
                .containsExactly(DELETE, DELETE, RETRY, NOT_RUN_ALONE, NOT_RUN, DELETE);
        assertThat(runs)
                .containsExactly(
                        List.of("g-a1"),
                        List.of("g-b1", "g-b-poison", "g-b3"),
                        List.of("g-b1"),
                        List.of("g-b-poison"),
                        List.of("h-a1"));
        assertThat(settledBefore).containsExactly(0, 1, 1, 2, 2);
        assertThat(settledTogether)
                .containsExactly(
                        List.of("g-a1"), List.of("g-b1"), List.of("h-a1"), List.of("g-b-poison", "g-b3", "g-a2"));
    }

    @Test
    void theBlameFallsOnAMessageThatWasAPartOfItsOwn() {
        List<Delivery> batch = standard.receive("x-a1", "x-a-poison", "x-b-poison");
        invoke(byKind(InvokerFixture::failOnPoison), batch);
        assertThat(batch).extracting(Delivery::failedForSure).containsExactly(false, false, true);
    }

    @Test
    void nothingMoreStartsWhenTheListenerStops() {
        List<BatchInvoker<String>> invokers = new ArrayList<>();
        invokers.add(invoker(byKind(batch -> {
            invokers.getFirst().end();
            return BatchOutcome.done();
        })));
        assertThat(invoke(invokers.getFirst(), fifo.receive("g-a1", "g-b1", "h-b1", "h-c1")))
                .containsExactly(DELETE, NOT_RUN, NOT_RUN, NOT_RUN);
        assertThat(runs).containsExactly(List.of("g-a1"));
    }

    @Test
    void aMessageWhoseLeaseWasLostMeanwhileDoesNotRunNorDoThoseBehindIt() {
        List<Delivery> batch = fifo.receive("g-a1", "g-b1", "g-b2", "h-b1");
        assertThat(invoke(
                        byKind(each -> {
                            batch.get(1).loseLease();
                            return BatchOutcome.done();
                        }),
                        batch))
                .containsExactly(DELETE, LEAVE, NOT_RUN, DELETE);
        assertThat(runs).containsExactly(List.of("g-a1"), List.of("h-b1"));
    }

    @Test
    void nothingOfAGroupRunsBehindAPartWhoseDeleteWasLost() {
        assertThat(invoke(
                        byKind(batch -> {
                            lose("g");
                            return BatchOutcome.done();
                        }),
                        fifo.receive("g-a1", "g-b1", "h-b1")))
                .containsExactly(DELETE, NOT_RUN, DELETE);
    }

    @Test
    void theManualAcknowledgementOfAPartCoversItsMessages() {
        mode = AcknowledgeMode.MANUAL;
        assertThat(invoke(
                        byKind(batch -> {
                            failOnPoison(batch);
                            var ignored = batch.acknowledgement().acknowledge();
                            return BatchOutcome.done();
                        }),
                        fifo.receive("g-a1", "g-a2", "g-b1", "g-a-poison", "g-c1")))
                .containsExactly(MANUAL, MANUAL, MANUAL, RETRY, NOT_RUN);
        assertThat(settledManually).containsExactly("delete [g-a1, g-a2]", "delete [g-b1]");
        assertThat(settledTogether).containsExactly(List.of("g-a1", "g-a2", "g-b1", "g-a-poison", "g-c1"));
    }

    @Test
    void nothingOfAGroupRunsBehindAPartThatTheHandlerHasNotAcknowledgedYet() {
        mode = AcknowledgeMode.MANUAL;
        assertThat(invoke(byKind(batch -> BatchOutcome.done()), fifo.receive("g-a1", "g-b1", "h-b1")))
                .containsExactly(MANUAL, NOT_RUN, MANUAL);
        assertThat(runs).containsExactly(List.of("g-a1"), List.of("h-b1"));
    }

    private static PartitionedListener<String> byKind(BatchListener<String> listener) {
        return new PartitionedListener<>() {
            @Override
            public @Nullable Object kind(String payload) {
                char kind = payload.charAt(payload.indexOf('-') + 1);
                return kind == 'S' ? null : kind;
            }

            @Override
            public BatchOutcome onBatch(MessageBatch<String> batch) throws Exception {
                return listener.onBatch(batch);
            }
        };
    }
}
