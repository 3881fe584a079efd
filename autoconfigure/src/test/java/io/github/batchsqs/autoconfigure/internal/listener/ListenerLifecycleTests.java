/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.listener;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

import io.github.batchsqs.BatchListener;
import io.github.batchsqs.autoconfigure.internal.events.ListenerEventPublisher;
import io.github.batchsqs.client.Queue;
import io.github.batchsqs.client.QueueAttributes;
import io.github.batchsqs.client.QueueResolver;
import io.github.batchsqs.events.ListenerEvents;
import io.github.batchsqs.internal.client.QueueClient;
import io.github.batchsqs.internal.receive.ContainerRegistry;
import io.github.batchsqs.internal.receive.EngineContainer;
import io.github.batchsqs.internal.receive.ListenerResources;
import io.github.batchsqs.internal.receive.invoke.ListenerHandler;
import io.github.batchsqs.internal.support.TimeSource;
import io.github.batchsqs.listener.ContainerState;
import io.github.batchsqs.listener.ErrorHook;
import io.github.batchsqs.listener.ListenerOptions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;

/** What a stop and a start of the application context do to listeners in other states than running. */
class ListenerLifecycleTests {

    private final ContainerRegistry containers = new ContainerRegistry();
    private final ListenerLifecycle lifecycle = new ListenerLifecycle(
            new DefaultListableBeanFactory(),
            containers,
            new StartFailures(name -> null, false),
            new ListenerEventPublisher(event -> {}, TimeSource.system()));

    @AfterEach
    void stop() {
        lifecycle.close();
    }

    @Test
    void aPausedListenerStaysStopped() {
        EngineContainer paused = started("paused");
        EngineContainer running = started("running");
        paused.pause();

        restart();
        assertThat(paused.state()).isEqualTo(ContainerState.STOPPED);
        assertThat(running.state()).isEqualTo(ContainerState.RUNNING);

        paused.start();
        assertThat(paused.state()).isEqualTo(ContainerState.RUNNING);
        restart();
        assertThat(paused.state()).as("once it runs again").isEqualTo(ContainerState.RUNNING);
    }

    @Test
    void aStoppedListenerStaysStopped() {
        EngineContainer container = started("orders");
        container.stop();

        restart();
        assertThat(container.state()).isEqualTo(ContainerState.STOPPED);
    }

    private void restart() {
        lifecycle.stop();
        lifecycle.start();
    }

    private EngineContainer started(String id) {
        var handler = new ListenerHandler<Object>(
                message -> message, BatchListener.of(batch -> {}), List.of(), ErrorHook.NONE);
        QueueClient waiting = mock(QueueClient.class, call -> {
            new CountDownLatch(1).await(); // until it is interrupted
            return List.of();
        });
        var resources = new ListenerResources(waiting, new Resolver(), ListenerEvents.NONE, TimeSource.system());
        var container = new EngineContainer(ListenerOptions.builder(id, id).build(), handler, resources);
        lifecycle.add(container, true);
        lifecycle.start();
        return container;
    }

    private static final class Resolver implements QueueResolver {
        @Override
        public Queue resolve(String name) {
            return new Queue(name, "https://sqs/" + name);
        }

        @Override
        public Queue create(String name) {
            return resolve(name);
        }

        @Override
        public QueueAttributes attributes(Queue queue) {
            return new QueueAttributes(Duration.ofSeconds(30), null);
        }
    }
}
