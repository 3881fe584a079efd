/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive;

import io.github.batchsqs.internal.receive.delivery.ListenerQueue;
import io.github.batchsqs.testkit.InMemoryQueueClient;
import io.github.batchsqs.client.Queue;
import io.github.batchsqs.testkit.Sources;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.BatchListener;
import io.github.batchsqs.BatchOutcome;
import io.github.batchsqs.client.ReceivedMessage;
import io.github.batchsqs.events.ListenerEvents;
import io.github.batchsqs.internal.receive.delivery.Delivery;
import io.github.batchsqs.internal.receive.delivery.Settlement;
import io.github.batchsqs.internal.receive.invoke.BatchInvoker;
import io.github.batchsqs.internal.receive.invoke.ListenerHandler;
import io.github.batchsqs.listener.ErrorHook;
import io.github.batchsqs.listener.ListenerOptions;
import io.github.batchsqs.testkit.Deliveries;
import io.github.batchsqs.testkit.EventMethods;
import io.github.batchsqs.testkit.SettableTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

/** What is thrown between the hand-off and the settlement. */
class InvocationsTests {

    private final SettableTime time = new SettableTime();
    private final List<Delivery> batch =
            Deliveries.standard(Duration.ofSeconds(30), time).receive(2);
    private final List<String> order = new ArrayList<>();
    private final ListenerOptions options =
            ListenerOptions.builder("listener", "orders").build();
    private final InvocationLimit limit = new InvocationLimit(options, () -> {}, time);
    private final List<Throwable> failures = new ArrayList<>();
    private boolean settleThrows;

    private final ListenerEvents events = new EventMethods() {
        @Override
        public void unexpected(String stage, Throwable failure) {
            order.add(stage + " " + failure.getMessage());
        }
    };

    @Test
    void aBatchThatTheExecutorRefusesWaitsAgainWhenThatIsReported() {
        invocations(BatchListener.of(all -> {})).refused(batch, new IllegalStateException("no thread"));
        assertThat(order).containsExactly("2 did not run", "handoff no thread");
    }

    @Test
    void anErrorOfTheEngineIsPassedOnAndNothingElseIsDone() {
        settleThrows = true;
        invocations(BatchListener.of(all -> {})).run(batch, time.nanos(), 1);
        assertThat(order).isEmpty();
        assertThat(failures).singleElement().asString().isEqualTo("java.lang.IllegalStateException: no memory");
    }

    @Test
    void theCauseOfAnOutcomeIsAnOverload() {
        var invocations = invocations(all -> BatchOutcome.perMessage()
                .retry(all.messages().getFirst(), new RejectedExecutionException("full"))
                .othersDone()
                .build());
        for (int ended = 0; ended < 200; ended++) { // until the first trial of 32
            time.advance(Duration.ofMillis(10));
            limit.ended(1, 0, 0, limit.limit(), time.nanos() - 10, time.nanos());
        }
        assertThat(limit.limit()).isEqualTo(32);
        for (int each = 0; each < 10; each++) {
            invocations.run(batch, time.nanos(), 32);
        }
        assertThat(limit.limit()).as("five failures end the trial").isEqualTo(16);
    }

    private Invocations invocations(BatchListener<String> listener) {
        ListenerQueue source = Sources.of(
                options, new Queue("orders", ""), Duration.ofSeconds(30), new InMemoryQueueClient(time), events, time);
        BatchInvoker<String> invoker = new BatchInvoker<>(
                source,
                false,
                new ListenerHandler<>(ReceivedMessage::body, listener, List.of(), ErrorHook.NONE),
                () -> {
                    throw new AssertionError("not asked for");
                });
        return new Invocations(source, false, invoker, this::settle, limit, failures::add);
    }

    private void settle(List<Delivery> messages) {
        if (settleThrows) {
            settleThrows = false;
            throw new IllegalStateException("no memory");
        }
        if (messages.stream().allMatch(each -> each.settlement() instanceof Settlement.NotRun)) {
            order.add(messages.size() + " did not run");
        }
    }
}
