/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.invoke;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.BatchOutcome;
import io.github.batchsqs.MessageBatch;
import io.github.batchsqs.internal.receive.delivery.Delivery;
import io.github.batchsqs.internal.receive.delivery.Settlement;
import io.github.batchsqs.listener.BatchInterceptor;
import io.github.batchsqs.listener.ListenerOptions.AcknowledgeMode;
import io.github.batchsqs.testkit.LogCapture;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;

/** Interceptors, the error hook, and what their failures and those of the converter leave in the log. */
class InterceptorsTests extends InvokerFixture {

    private static final Settlement RETURN = new Settlement.Release(Duration.ZERO);

    @Test
    void interceptorsRunBeforeInOrderAndAfterInReverse() {
        interceptors.add(interceptor("1", null));
        interceptors.add(interceptor("2", null));
        invoke(
                batch -> {
                    reported.add("handler");
                    return BatchOutcome.done();
                },
                standard.receive(1));
        assertThat(reported)
                .containsExactly(
                        "invoking 1", "before 1", "before 2", "handler", "after 2 ok", "after 1 ok", "invoked 1+0");
    }

    @Test
    void anInterceptorThatFailsBeforeFailsTheBatchAndOnlyThoseThatBeganAreCalled() {
        interceptors.add(interceptor("1", null));
        interceptors.add(interceptor("2", cause));
        interceptors.add(interceptor("3", null));
        assertThat(invoke(batch -> BatchOutcome.done(), standard.receive(1))).containsExactly(RETRY);
        assertThat(runs).isEmpty();
        assertThat(reported)
                .containsSubsequence("before 1", "before 2", "after 2 the cause", "after 1 the cause")
                .doesNotContain("before 3");
    }

    @Test
    void theHandlerDoesNotStartOnMessagesThatWereReturnedWhileAnInterceptorRan() {
        List<Delivery> batch = standard.receive("a", "b");
        interceptors.add(interceptor("1", null));
        interceptors.add(before(each -> assertThat(batch.getLast().claim()).isTrue()));
        assertThat(invoke(each -> BatchOutcome.done(), batch)).containsExactly(RETURN, RETURN);
        assertThat(runs).isEmpty();
        assertThat(reported)
                .hasSize(4)
                .startsWith("invoking 2", "before 1")
                .endsWith("invoked 0+2")
                .anyMatch(line -> line.startsWith("after 1 The handler did not start"));
    }

    @Test
    void theHandlerDoesNotStartOnAGroupWhoseLeaseWasLostWhileAMessageWasConverted() {
        List<Delivery> batch = fifo.receive("a-1", "a-2");
        whileConverting = () -> {
            boolean ignored = batch.getFirst().loseLease();
        };
        assertThat(invoke(each -> BatchOutcome.done(), batch)).containsExactly(LEAVE, RETURN);
        assertThat(runs).isEmpty();
    }

    @Test
    void theHandlerStartsOnMessagesThatAnInterceptorAcknowledged() {
        mode = AcknowledgeMode.MANUAL;
        List<Delivery> batch = standard.receive("a");
        interceptors.add(before(each ->
                assertThat(batch.getFirst().claim(new CompletableFuture<>())).isTrue()));
        assertThat(invoke(each -> BatchOutcome.done(), batch)).containsExactly(MANUAL);
        assertThat(runs).hasSize(1);
    }

    @Test
    void whoInterruptsItsThreadDisturbsNothingBehindIt() {
        interceptors.add(before(each -> Thread.currentThread().interrupt()));
        assertThat(invoke(
                        batch -> {
                            assertThat(Thread.currentThread().isInterrupted()).isFalse();
                            Thread.currentThread().interrupt();
                            return BatchOutcome.done();
                        },
                        standard.receive(1)))
                .containsExactly(DELETE);
        assertThat(Thread.interrupted()).isFalse();
    }

    private static BatchInterceptor before(Consumer<MessageBatch<?>> action) {
        return new BatchInterceptor() {
            @Override
            public void before(MessageBatch<?> batch) {
                action.accept(batch);
            }
        };
    }

    /** A body that is nested too deep overflows the stack at every attempt; other errors pass. */
    @Test
    void anErrorOfTheConverterRetriesOnlyItsMessage() {
        assertThat(invoke(batch -> BatchOutcome.done(), standard.receive("a", "broken", "worse")))
                .satisfiesExactly(
                        first -> assertThat(first).isEqualTo(DELETE),
                        second -> assertThat(second).isEqualTo(RETRY),
                        third -> assertThat(third).isInstanceOf(Settlement.DeadLetter.class));
        assertThat(reported).contains("failed broken", "hook broken com/acme/Part", "unexpected invoke");
        assertThat(reported).filteredOn("conversionFailed"::equals).hasSize(1);
    }

    @Test
    void onFifoNothingRunsBehindAMessageWhoseConverterIsBroken() {
        List<Delivery> group = fifo.receive("broken-1", "broken-2");
        assertThat(invoke(batch -> BatchOutcome.done(), group)).containsExactly(RETRY, NOT_RUN);
        assertThat(group.getFirst().failure())
                .satisfies(failure ->
                        assertThat(Objects.requireNonNull(failure).blamed()).isTrue());
    }

    @Test
    void theLogCountsAllButTheFirstMessageThatCannotBeConverted() {
        BatchInvoker<String> invoker = invoker(batch -> BatchOutcome.done());
        try (LogCapture log = LogCapture.warnings()) {
            assertThat(invoke(invoker, standard.receive("bad1", "bad2"))).hasSize(2);
            assertThat(invoke(invoker, standard.receive("bad3"))).hasSize(1);
            assertThat(log.event())
                    .contains(
                            "message bad1 of orders",
                            "java.lang.IllegalStateException: not readable",
                            "without one it returns to the queue");
            time.advance(Duration.ofMinutes(1));
            assertThat(invoke(invoker, standard.receive("bad4"))).hasSize(1);
            assertThat(log.events())
                    .hasSize(2)
                    .last()
                    .asString()
                    .contains("message bad4 of orders", "; 2 more since the last such line");
        }
        assertThat(reported).filteredOn("conversionFailed"::equals).hasSize(4);
    }

    @Test
    void theLogHasTheFirstFailureOfAnErrorHook() {
        errorHook = (queue, message, failure) -> {
            throw new IllegalStateException("hook of " + message.body());
        };
        try (LogCapture log = LogCapture.warnings()) {
            assertThat(invoke(batch -> BatchOutcome.done(), standard.receive("bad1", "bad2")))
                    .hasSize(2);
            assertThat(log.event("error hook"))
                    .contains("ERROR", "Listener listener: the error hook failed", ISE + ": hook of bad1", "\tat ");
        }
    }

    @Test
    void theLogHasTheFirstFailureOfAnInterceptorAfterABatch() {
        interceptors.add(failingAfter("one"));
        interceptors.add(failingAfter("two"));
        try (LogCapture log = LogCapture.warnings()) {
            assertThat(invoke(batch -> BatchOutcome.done(), standard.receive("a")))
                    .containsExactly(DELETE);
            assertThat(log.event())
                    .contains(
                            "Listener listener: the interceptor "
                                    + interceptors.getFirst().getClass().getName() + " failed after a batch",
                            ISE + ": two",
                            "\tat ");
        }
    }

    @Test
    void theLogKnowsTheInvocationWhileItRuns() {
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
        assertThat(MDC.getCopyOfContextMap()).isNullOrEmpty();
    }
}
