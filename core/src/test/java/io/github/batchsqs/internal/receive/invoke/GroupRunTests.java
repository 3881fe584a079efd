/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.invoke;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.BatchListener;
import io.github.batchsqs.BatchOutcome;
import io.github.batchsqs.MessageBatch;
import io.github.batchsqs.internal.receive.delivery.Delivery;
import io.github.batchsqs.listener.BatchInterceptor;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class GroupRunTests extends InvokerFixture {

    private final List<Delivery> messages = fifo.receive("a-1", "a-2", "a-3");

    @BeforeEach
    void batchesHoldMessagesOfOneGroup() {
        inGroupRuns = true;
    }

    @Test
    void eachMessageIsAnInvocationOfItsOwnAndSettledBeforeTheNextStarts() {
        assertThat(invoke(batch -> BatchOutcome.done(), messages)).containsExactly(DELETE, DELETE, DELETE);
        assertThat(runs).containsExactly(List.of("a-1"), List.of("a-2"), List.of("a-3"));
        assertThat(settledBefore).containsExactly(0, 1, 2);
        assertThat(reported).filteredOn("invoking 1"::equals).hasSize(3);
    }

    @Test
    void nothingRunsBehindAMessageThatDidNotPass() {
        assertThat(invoke(
                        during("a-2", () -> {
                            throw cause;
                        }),
                        messages))
                .containsExactly(DELETE, RETRY, NOT_RUN);
        assertThat(runs).containsExactly(List.of("a-1"), List.of("a-2"));
        assertThat(settledTogether).containsExactly(List.of("a-1"), List.of("a-2", "a-3"));
    }

    @Test
    void nothingStartsBehindALostLease() {
        // before its delete is accepted
        assertThat(invoke(during("a-1", messages.getFirst()::loseLease), messages))
                .containsExactly(DELETE, NOT_RUN, NOT_RUN);
        assertThat(runs).containsExactly(List.of("a-1"));
    }

    @Test
    void nothingStartsBehindALeaseThatIsLostWhileInterceptorsRun() {
        interceptors.add(new BatchInterceptor() {
            @Override
            public void before(MessageBatch<?> batch) {
                if (batch.messages().getFirst().body().equals("a-2")) {
                    messages.getFirst().loseLease(); // before its delete is accepted
                }
            }
        });
        assertThat(invoke(batch -> BatchOutcome.done(), messages).getFirst()).isEqualTo(DELETE);
        assertThat(runs).containsExactly(List.of("a-1"));
    }

    @Test
    void nothingStartsAfterTheRunHasLastedItsTime() {
        BatchInvoker<String> invoker = invoker(batch -> {
            time.advance(BatchInvoker.GROUP_RUN.dividedBy(2));
            return BatchOutcome.done();
        });
        assertThat(invoke(invoker, messages)).containsExactly(DELETE, DELETE, NOT_RUN);
        assertThat(invoke(invoker, messages.subList(2, 3))).containsExactly(DELETE);
    }

    @Test
    void endedItFinishesTheMessageThatRuns() {
        List<BatchInvoker<String>> self = new ArrayList<>();
        self.add(invoker(during("a-1", () -> self.getFirst().end())));
        assertThat(invoke(self.getFirst(), messages)).containsExactly(DELETE, NOT_RUN, NOT_RUN);
    }

    /** A handler that acts on one message. */
    private static BatchListener<String> during(String body, Runnable action) {
        return batch -> {
            if (batch.messages().getFirst().body().equals(body)) {
                action.run();
            }
            return BatchOutcome.done();
        };
    }
}
