/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.reliability;

import io.github.batchsqs.Backoff;
import io.github.batchsqs.BatchListener;
import io.github.batchsqs.client.ReceivedMessage;
import io.github.batchsqs.events.ListenerEvents;
import io.github.batchsqs.internal.receive.ContainerRegistry;
import io.github.batchsqs.internal.receive.EngineContainer;
import io.github.batchsqs.internal.receive.ListenerResources;
import io.github.batchsqs.internal.receive.invoke.ListenerHandler;
import io.github.batchsqs.internal.support.TimeSource;
import io.github.batchsqs.listener.ErrorHook;
import io.github.batchsqs.listener.ListenerOptions;
import io.github.batchsqs.testkit.Faults;
import io.github.batchsqs.testkit.InMemoryQueueClient;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * Listeners on real threads and queues in memory, whose receives wait as SQS's do. Closing it stops them and asserts that
 * nothing was lost and no call broke a rule of SQS.
 */
final class MemoryListeners implements AutoCloseable {

    final InMemoryQueueClient sqs;
    final ContainerRegistry containers = new ContainerRegistry();
    private final TimeSource time;

    MemoryListeners() {
        this(TimeSource.system());
    }

    MemoryListeners(TimeSource time) {
        this.time = time;
        this.sqs = new InMemoryQueueClient(time);
        sqs.longPolling(true);
    }

    /** Starts a listener, named after its queue; what fails is tried again at once. */
    EngineContainer listen(
            String queue, UnaryOperator<ListenerOptions.Builder> options, BatchListener<String> listener) {
        EngineContainer container = container(queue, options, listener);
        container.start();
        return container;
    }

    /** Makes a listener, named after its queue. */
    EngineContainer container(
            String queue, UnaryOperator<ListenerOptions.Builder> options, BatchListener<String> listener) {
        ListenerOptions.Builder defaults = ListenerOptions.builder(queue, queue)
                .failure(new ListenerOptions.Failure(
                        Backoff.exponential(Duration.ofNanos(1), Duration.ofNanos(1)),
                        false,
                        List.of(),
                        ListenerOptions.Failure.NO_DEAD_LETTER));
        EngineContainer container = new EngineContainer(
                options.apply(defaults).build(),
                new ListenerHandler<>(ReceivedMessage::body, listener, List.of(), ErrorHook.NONE),
                new ListenerResources(sqs, sqs, ListenerEvents.NONE, time));
        containers.register(container);
        return container;
    }

    @Override
    public void close() {
        sqs.faults(Faults.NONE);
        containers.stop();
        sqs.assertNothingLost();
        sqs.assertNoMisuse();
    }
}
