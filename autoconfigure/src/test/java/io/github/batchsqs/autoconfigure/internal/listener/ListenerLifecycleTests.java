/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.listener;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

import io.github.batchsqs.BatchListener;
import io.github.batchsqs.autoconfigure.internal.events.ListenerEventPublisher;
import io.github.batchsqs.client.Queue;
import io.github.batchsqs.client.QueueAttributes;
import io.github.batchsqs.client.QueueClient;
import io.github.batchsqs.client.QueueResolver;
import io.github.batchsqs.events.ListenerEvents;
import io.github.batchsqs.listener.ContainerState;
import io.github.batchsqs.listener.ErrorHook;
import io.github.batchsqs.listener.ListenerHandler;
import io.github.batchsqs.listener.ListenerOptions;
import io.github.batchsqs.receive.ListenerContainer;
import io.github.batchsqs.receive.ListenerContainers;
import io.github.batchsqs.receive.ListenerResources;
import io.github.batchsqs.time.TimeSource;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;

/** What a stop and a start of the application context do to listeners in other states than running. */
class ListenerLifecycleTests {

    private final ListenerContainers containers = new ListenerContainers();
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
        ListenerContainer paused = started("paused");
        ListenerContainer running = started("running");
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
        ListenerContainer container = started("orders");
        container.stop();

        restart();
        assertThat(container.state()).isEqualTo(ContainerState.STOPPED);
    }

    private void restart() {
        lifecycle.stop();
        lifecycle.start();
    }

    private ListenerContainer started(String id) {
        var handler = new ListenerHandler<Object>(
                message -> message, BatchListener.of(batch -> {}), List.of(), ErrorHook.NONE);
        QueueClient waiting = mock(QueueClient.class, call -> {
            new CountDownLatch(1).await(); // until it is interrupted
            return List.of();
        });
        var resources = new ListenerResources(waiting, new Resolver(), ListenerEvents.NONE, TimeSource.system());
        var container = new ListenerContainer(ListenerOptions.builder(id, id).build(), handler, resources);
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
