/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.BatchListener;
import io.github.batchsqs.BatchOutcome;
import io.github.batchsqs.client.Queue;
import io.github.batchsqs.client.ReceivedMessage;
import io.github.batchsqs.events.ListenerEvents;
import io.github.batchsqs.internal.receive.invoke.ListenerHandler;
import io.github.batchsqs.internal.support.TimeSource;
import io.github.batchsqs.listener.ErrorHook;
import io.github.batchsqs.listener.ListenerOptions;
import io.github.batchsqs.testkit.InMemoryQueueClient;
import io.github.batchsqs.testkit.Progress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * An executor that runs what it is given on the thread that hands it over, as one does whose queue is full: a handler then
 * holds up nothing but its own batch.
 */
class CallersExecutorTests {

    private final InMemoryQueueClient client = new InMemoryQueueClient(TimeSource.system());
    private final Queue fifo = client.createQueue("orders.fifo");
    private final List<String> handled = new CopyOnWriteArrayList<>();
    private final List<String> threads = new CopyOnWriteArrayList<>();
    private @Nullable EngineContainer container;

    CallersExecutorTests() {
        client.longPolling(true);
    }

    @AfterEach
    void nothingIsLost() {
        if (container != null) {
            container.stop();
        }
        client.assertNothingLost();
        client.assertNoMisuse();
    }

    /** Only one delete is under way at a time, so it could not go out if the handler ran on the thread of the one before. */
    @Test
    void aHandlerDoesNotHoldUpTheDeletesOfOthers() throws Exception {
        started(UnaryOperator.identity(), batch -> {
            handled.addAll(batch.payloads());
            if (batch.payloads().contains("second")) {
                client.putInGroup(fifo, "other", "x");
                Progress.until(() -> handled.contains("x"));
                Progress.until(
                        () -> client.visible(fifo).size()
                                + client.inFlight(fifo).size(),
                        1);
            }
            return BatchOutcome.done();
        });

        client.putInGroup(fifo, "g", "first", "second");

        Progress.until(() -> client.visible(fifo).size() + client.inFlight(fifo).size(), 0);
        assertThat(handled).containsExactly("first", "second", "x");
    }

    @Test
    void noHandlerRunsOnAThreadOfTheEnginesTimersOrCalls() throws Exception {
        started(options -> options.pollers(1, 1), batch -> {
            handled.addAll(batch.payloads());
            threads.add(Thread.currentThread().getName());
            return BatchOutcome.done();
        });

        for (int group = 0; group < 5; group++) {
            client.putInGroup(fifo, "g" + group, "a" + group, "b" + group, "c" + group);
        }

        Progress.until(handled::size, 15);
        assertThat(threads).noneMatch(name -> name.contains("-settle") || name.contains("-linger-"));
    }

    private void started(UnaryOperator<ListenerOptions.Builder> options, BatchListener<String> listener) {
        ListenerOptions.Builder defaults = ListenerOptions.builder("listener", "orders.fifo")
                .waitTime(Duration.ofSeconds(1))
                .executor(new ListenerOptions.InvocationExecutor.Custom(Runnable::run))
                .batchSize(1)
                .acknowledge(new ListenerOptions.Acknowledge(ListenerOptions.AcknowledgeMode.ON_SUCCESS, Duration.ZERO))
                .pollers(2, 2);
        container = new EngineContainer(
                options.apply(defaults).build(),
                new ListenerHandler<>(ReceivedMessage::body, listener, List.of(), ErrorHook.NONE),
                new ListenerResources(client, client, ListenerEvents.NONE, TimeSource.system()));
        container.start();
    }
}
