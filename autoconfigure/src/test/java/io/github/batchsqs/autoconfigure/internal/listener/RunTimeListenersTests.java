/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.listener;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.github.batchsqs.BatchListener;
import io.github.batchsqs.autoconfigure.listener.ListenerDefinition;
import io.github.batchsqs.autoconfigure.listener.ListenerFactory;
import io.github.batchsqs.autoconfigure.testkit.Contexts;
import io.github.batchsqs.autoconfigure.testkit.OrdersHandler;
import io.github.batchsqs.errors.InvalidOptionException;
import io.github.batchsqs.listener.ContainerState;
import io.github.batchsqs.receive.ListenerContainer;
import io.github.batchsqs.receive.ListenerContainers;
import io.github.batchsqs.send.BatchSqsOperations;
import io.github.batchsqs.testkit.Progress;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;

/** Listeners that are created while the application runs. */
@Isolated("counts the threads that keep applications alive, also those of other classes")
class RunTimeListenersTests {

    private final Queue<String> stops = new ConcurrentLinkedQueue<>();
    private final ApplicationContextRunner contexts = Contexts.embedded()
            .withPropertyValues("batchsqs.embedded.queues=tenants", "batchsqs.listener.wait-time=1s");

    @Test
    void stopBeforeTheBeansThatTheyUse() {
        contexts.withBean(Store.class, () -> new Store(stops))
                .withBean(Tenants.class)
                .run(context -> context.getBean(Tenants.class).listen("eu"));

        assertThat(stops)
                .containsExactly("the stop of the store, with eu STOPPED", "the end of the store, with eu STOPPED");
    }

    @Test
    void runAgainAfterAPauseOfTheContextIfTheyRan() {
        contexts.run(context -> {
            ListenerContainer running = create(context, "eu");
            ListenerContainer idle = create(context, "us");
            ListenerContainer paused = create(context, "asia");
            running.start();
            paused.start();
            paused.pause();
            var application = context.getSourceApplicationContext();
            application.stop();
            assertThat(running.state()).isEqualTo(ContainerState.STOPPED);
            application.start();
            assertThat(running.state()).isEqualTo(ContainerState.RUNNING);
            assertThat(idle.state()).isEqualTo(ContainerState.STOPPED);
            assertThat(paused.state()).isEqualTo(ContainerState.STOPPED);
            paused.start();
            running.stop();
            application.stop();
            application.start();
            assertThat(paused.state()).as("once it runs again").isEqualTo(ContainerState.RUNNING);
            assertThat(running.state()).as("that was stopped").isEqualTo(ContainerState.STOPPED);
        });
    }

    @Test
    void keepTheApplicationAliveFromTheFirstOneUntilItCloses() {
        noneIsKeptAlive();
        contexts.run(context -> {
            assertThat(keepAlive()).isEmpty();
            create(context, "eu");
            List<Thread> alive = keepAlive();
            assertThat(alive).hasSize(1);
            context.getBean(ListenerContainers.class).remove("eu");
            context.getSourceApplicationContext().stop();
            context.getSourceApplicationContext().start();
            create(context, "us");
            assertThat(keepAlive()).as("all the time").isEqualTo(alive);
        });
        noneIsKeptAlive();
    }

    @Test
    void ofBeansKeepTheApplicationAliveToo() {
        noneIsKeptAlive();
        contexts.withBean(OrdersHandler.class)
                .withPropertyValues("batchsqs.listener.auto-startup=false")
                .run(context -> assertThat(keepAlive()).hasSize(1));
        noneIsKeptAlive();
    }

    private static void noneIsKeptAlive() {
        Progress.until(() -> keepAlive().isEmpty());
    }

    private static List<Thread> keepAlive() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("batchsqs-keep-alive") && !thread.isDaemon())
                .toList();
    }

    @Test
    void stopBeforeTheBeansThatTheyUseAndKeepNothingAliveIfTheStartFails() {
        contexts.withBean(Store.class, () -> new Store(stops), store -> store.setLazyInit(true)) // after the listeners'
                .withConfiguration(AutoConfigurations.of(FailsAtLast.class))
                .run(context -> assertThat(context).getFailure().hasMessage("by intention"));

        assertThat(stops).containsExactly("the end of the store, with eu STOPPED");
        noneIsKeptAlive();
    }

    @Test
    void areCreatedByThreadsForWhichABeanWaitsInItsCreation() {
        contexts.withBean(InParallel.class)
                .run(context -> assertThat(ids(context)).containsExactly("eu", "us"));
    }

    private static List<String> ids(ApplicationContext context) {
        return context.getBean(ListenerContainers.class).all().stream()
                .map(container -> container.options().id())
                .toList();
    }

    @Test
    void areRefusedAfterTheClose() {
        var factory = new AtomicReference<@Nullable ListenerFactory>();
        contexts.run(context -> factory.set(context.getBean(ListenerFactory.class)));

        assertThatIllegalStateException()
                .isThrownBy(() -> create(Objects.requireNonNull(factory.get()), "eu"))
                .withMessageContaining("'eu' cannot be created, because the application context has closed");
    }

    @Test
    void ofOneIdAreNotCreatedAtOnce() {
        var meters = new SimpleMeterRegistry();
        contexts.withBean(MeterRegistry.class, () -> meters).run(context -> {
            var refused = new ArrayList<InvalidOptionException>();
            Runnable create = () -> {
                try {
                    create(context, "eu");
                } catch (InvalidOptionException e) {
                    refused.add(e);
                }
            };
            var first = new AtomicBoolean(true);
            meters.config().onMeterAdded(meter -> {
                if (meter.getId().getName().equals("batchsqs.listener.receive.failing")
                        && first.compareAndSet(true, false)) {
                    create.run();
                }
            });
            create.run();
            assertThat(refused).singleElement().asString().contains("id must be unique");

            context.getBean(ListenerContainers.class).get("eu").start();
            Progress.until(() ->
                    meters.get("batchsqs.listener.in.flight.limit").gauge().value() > 0);
        });
    }

    @Test
    void areNotCreatedWhileOneOfTheirIdStops() {
        var meters = new SimpleMeterRegistry();
        contexts.withBean(MeterRegistry.class, () -> meters).run(context -> {
            var runs = new CountDownLatch(1);
            var mayEnd = new CountDownLatch(1);
            ListenerContainer container =
                    create(context.getBean(ListenerFactory.class), "eu", BatchListener.of(batch -> {
                        runs.countDown();
                        Progress.await(mayEnd);
                    }));
            container.start();
            context.getBean(BatchSqsOperations.class).sendAndWait("tenants", "text");
            Progress.await(runs);
            var containers = context.getBean(ListenerContainers.class);
            Thread removal = Thread.ofVirtual().start(() -> containers.remove("eu"));
            Progress.until(() -> containers.find("eu").isEmpty());

            assertThatExceptionOfType(InvalidOptionException.class)
                    .isThrownBy(() -> create(context, "eu"))
                    .withMessageContaining("id must be unique")
                    .withMessageContaining("wait until it has stopped");
            mayEnd.countDown();
            Progress.join(removal);
            assertThat(container.state()).isEqualTo(ContainerState.STOPPED);
            assertThat(meters.find("batchsqs.listener.in.flight").gauge()).isNull();
            create(context, "eu");
            assertThat(meters.find("batchsqs.listener.in.flight").gauge()).isNotNull();
        });
    }

    private static ListenerContainer create(ApplicationContext context, String id) {
        return create(context.getBean(ListenerFactory.class), id);
    }

    private static ListenerContainer create(ListenerFactory factory, String id) {
        return create(factory, id, BatchListener.of(batch -> {}));
    }

    private static ListenerContainer create(ListenerFactory factory, String id, BatchListener<String> listener) {
        return factory.create(ListenerDefinition.of(id, "tenants", String.class, listener));
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
            ListenerContainer container = create(factory, id);
            container.start();
            store.watched = container;
        }
    }

    /** Two threads create listeners for a bean that waits for them in its creation. */
    static class InParallel implements InitializingBean {
        private final ListenerFactory factory;

        InParallel(ListenerFactory factory) {
            this.factory = factory;
        }

        @Override
        public void afterPropertiesSet() {
            Stream.of("eu", "us")
                    .map(id -> Thread.ofPlatform().daemon().start(() -> create(factory, id)))
                    .toList()
                    .forEach(Progress::join);
        }
    }

    /** Starts a listener when all beans are there, and fails the start. */
    @AutoConfiguration(after = BatchSqsListenerAutoConfiguration.class)
    static class FailsAtLast {
        @Bean
        SmartInitializingSingleton failing(ListenerFactory factory, Store store) {
            return () -> {
                new Tenants(factory, store).listen("eu");
                throw new IllegalStateException("by intention");
            };
        }
    }
}
