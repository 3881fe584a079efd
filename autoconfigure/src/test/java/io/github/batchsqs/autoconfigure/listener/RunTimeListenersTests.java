/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.listener;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.batchsqs.BatchListener;
import io.github.batchsqs.autoconfigure.testkit.Contexts;
import io.github.batchsqs.errors.InvalidOptionException;
import io.github.batchsqs.listener.ContainerState;
import io.github.batchsqs.receive.ListenerContainer;
import io.github.batchsqs.receive.ListenerContainers;
import io.github.batchsqs.testkit.Progress;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

/** Listeners that are created while the application runs. */
class RunTimeListenersTests {

    private final Queue<String> stops = new ConcurrentLinkedQueue<>();
    private final ApplicationContextRunner contexts = Contexts.embedded()
            .withPropertyValues("batchsqs.embedded.queues=tenants", "batchsqs.listener.wait-time=1s");

    @Test
    void stopBeforeTheBeansThatTheyUse() {
        contexts.withBean(Store.class, () -> new Store(stops))
                .withBean(Tenants.class)
                .run(context -> context.getBean(Tenants.class).listen("eu"));

        assertThat(stops).containsExactly("the store, with eu STOPPED");
    }

    @Test
    void stopInThePhaseOfTheirSettings() {
        contexts.withBean(Store.class, () -> new Store(stops))
                .withPropertyValues("batchsqs.listeners.eu.phase=5")
                .run(context -> {
                    ListenerContainer container = create(context, "eu");
                    container.start();
                    context.getBean(Store.class).watched = container;
                });

        assertThat(stops).containsExactly("the store, with eu RUNNING");
    }

    @Test
    void runAgainAfterAPauseOfTheContextIfTheyRan() {
        contexts.run(context -> {
            ListenerContainer running = create(context, "eu");
            ListenerContainer idle = create(context, "us");
            running.start();

            var application = context.getSourceApplicationContext();
            application.stop();
            assertThat(running.state()).isEqualTo(ContainerState.STOPPED);

            application.start();
            assertThat(running.state()).isEqualTo(ContainerState.RUNNING);
            assertThat(idle.state()).isEqualTo(ContainerState.STOPPED);
        });
    }

    @Test
    void areRegisteredUntilTheyAreRemoved() {
        contexts.withBean(MeterRegistry.class, SimpleMeterRegistry::new).run(context -> {
            var containers = context.getBean(ListenerContainers.class);
            ListenerContainer container = create(context, "eu");
            containers.register(container); // as before it was done by the factory
            assertThat(containers.find("eu")).contains(container);
            assertThatExceptionOfType(InvalidOptionException.class)
                    .isThrownBy(() -> create(context, "eu"))
                    .withMessageContaining("id must be unique");

            containers.remove("eu");
            assertThat(containers.all()).isEmpty();
            assertThat(context.getBean(MeterRegistry.class).getMeters()).isEmpty();
            assertThat(create(context, "eu")).isNotSameAs(container);
        });
    }

    @Test
    void keepTheApplicationAliveUntilTheyAreRemovedOrItCloses() {
        contexts.run(context -> {
            assertThat(keptAlive()).isFalse();
            create(context, "eu");
            assertThat(keptAlive()).isTrue();
            context.getBean(ListenerContainers.class).remove("eu");
            Progress.until(() -> !keptAlive());
            create(context, "us");
            assertThat(keptAlive()).isTrue();
        });
        Progress.until(() -> !keptAlive());
    }

    private static boolean keptAlive() {
        return Thread.getAllStackTraces().keySet().stream()
                .anyMatch(thread -> thread.getName().equals("batchsqs-keep-alive") && !thread.isDaemon());
    }

    @Test
    void haveTheSettingsOfTheirIds() {
        contexts.withPropertyValues("batchsqs.listeners.eu.concurrency=3")
                .run(context -> assertThat(create(context, "eu").options().concurrency())
                        .isEqualTo(3));
    }

    private static ListenerContainer create(ApplicationContext context, String id) {
        return context.getBean(ListenerFactory.class)
                .create(ListenerDefinition.of(id, "tenants", String.class, BatchListener.of(batch -> {})));
    }

    /** Creates listeners, which use the store. */
    static class Tenants {
        private final ListenerFactory factory;
        private final Store store;

        Tenants(ListenerFactory factory, Store store) {
            this.factory = factory;
            this.store = store;
        }

        void listen(String id) {
            ListenerContainer container =
                    factory.create(ListenerDefinition.of(id, "tenants", String.class, BatchListener.of(batch -> {})));
            container.start();
            store.watched = container;
        }
    }
}
