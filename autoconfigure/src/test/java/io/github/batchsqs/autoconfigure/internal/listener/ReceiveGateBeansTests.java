/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.listener;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.BatchListener;
import io.github.batchsqs.annotation.BatchSqsListener;
import io.github.batchsqs.autoconfigure.internal.endpoint.BatchSqsEndpoint;
import io.github.batchsqs.autoconfigure.internal.endpoint.BatchSqsEndpointAutoConfiguration;
import io.github.batchsqs.autoconfigure.internal.endpoint.ListenerReport;
import io.github.batchsqs.autoconfigure.listener.ListenerDefinition;
import io.github.batchsqs.autoconfigure.listener.ListenerFactory;
import io.github.batchsqs.autoconfigure.testkit.Contexts;
import io.github.batchsqs.autoconfigure.testkit.StartFailure;
import io.github.batchsqs.listener.ReceiveGate;
import io.github.batchsqs.listener.ReceiveGate.Permission;
import io.github.batchsqs.listener.ReceiveWait;
import io.github.batchsqs.receive.ListenerContainers;
import io.github.batchsqs.send.BatchSqsOperations;
import io.github.batchsqs.testkit.Progress;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.BeanCurrentlyInCreationException;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

class ReceiveGateBeansTests {

    private final AtomicBoolean open = new AtomicBoolean();
    private final Set<String> asked = ConcurrentHashMap.newKeySet();

    private final ReceiveGate gate = id -> {
        asked.add(id);
        return open.get() ? Permission.go() : Permission.waitFor(Duration.ofMillis(20), "maintenance");
    };

    private final ApplicationContextRunner contexts = Contexts.embedded()
            .withConfiguration(AutoConfigurations.of(BatchSqsEndpointAutoConfiguration.class))
            .withBean(Handler.class)
            .withBean(MeterRegistry.class, SimpleMeterRegistry::new)
            .withPropertyValues(
                    "management.endpoints.web.exposure.include=batchsqs",
                    "batchsqs.embedded.queues=orders,receipts,returns",
                    "batchsqs.listener.wait-time=1s");

    @Test
    void aGateKeepsTheListenersThatItNamesAndAllTheirQueuesWaiting() {
        contexts.withBean("maintenanceGate", ReceiveGate.class, () -> gate.forListeners("intake"))
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    var template = context.getBean(BatchSqsOperations.class);
                    for (String queue : List.of("orders", "returns", "receipts")) {
                        Progress.get(template.send(queue, queue));
                    }
                    Handler handler = context.getBean(Handler.class);
                    Progress.until(() -> handler.handled.equals(List.of("receipts")));
                    Progress.until(() -> asked.equals(Set.of("intake", "intake-returns")));
                    Progress.until(() -> wait(context, "intake-returns") != null);
                    assertThat(wait(context, "receipts")).isNull();
                    assertThat(report(context, "intake-returns").status().receiveWait())
                            .extracting(ReceiveWait::reason, ReceiveWait::detail)
                            .containsExactly("gate", "maintenanceGate: maintenance");
                    assertThat(report(context, "receipts").status().receiveWait())
                            .isNull();
                    Progress.until(() -> waitingSeconds(context, "intake-returns") > 0);
                    assertThat(waitingSeconds(context, "receipts")).isZero();

                    open.set(true);

                    Progress.until(() -> handler.handled.size() == 3);
                    Progress.until(() -> wait(context, "intake-returns") == null);
                    assertThat(waitingSeconds(context, "intake-returns")).isZero();
                });
    }

    @Test
    void aGateForNoListenerEndsTheStartUp() {
        contexts.withBean("gate", ReceiveGate.class, () -> gate.forListeners())
                .run(context -> assertThat(StartFailure.of(context)).contains("listeners must be ids of listeners"));
    }

    @Test
    void aGateWithoutNamesBesideAUserOfTheListenerFactoryKeepsAllWaitingUntilTheStop() {
        contexts.withUserConfiguration(UsesFactory.class).run(context -> {
            assertThat(context).hasNotFailed();
            for (String id : List.of("intake", "intake-returns", "receipts")) {
                Progress.until(() -> wait(context, id) != null);
            }
        });
    }

    @Test
    void aGateThatNeedsTheListenerWhichItKeepsWaitingEndsTheStartUp() {
        contexts.withUserConfiguration(Circle.class)
                .run(context -> assertThat(context.getStartupFailure())
                        .rootCause()
                        .isInstanceOf(BeanCurrentlyInCreationException.class));
    }

    /** Returns what keeps a listener waiting that no rest between two receives does. */
    private static @Nullable ReceiveWait wait(ApplicationContext context, String id) {
        ReceiveWait wait =
                context.getBean(ListenerContainers.class).get(id).status().receiveWait();
        return wait == null || !wait.reason().equals(ReceiveWait.GATE) ? null : wait;
    }

    private static ListenerReport report(ApplicationContext context, String id) {
        return (ListenerReport) context.getBean(BatchSqsEndpoint.class).listener(id);
    }

    private static double waitingSeconds(ApplicationContext context, String id) {
        return context.getBean(MeterRegistry.class)
                .get("batchsqs.listener.gate.waiting")
                .tag("listener", id)
                .gauge()
                .value();
    }

    @Configuration(proxyBeanMethods = false)
    static class UsesFactory {

        UsesFactory(ListenerFactory ignored) {}

        @Bean
        ReceiveGate maintenance() {
            return id -> Permission.waitFor(Duration.ofHours(1), "maintenance");
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Circle {

        Circle(ListenerFactory factory) {
            factory.create(ListenerDefinition.of("early", "orders", String.class, BatchListener.of(batch -> {})));
        }

        @Bean
        ReceiveGate maintenance() {
            return id -> Permission.go();
        }
    }

    static class Handler {

        final List<String> handled = new CopyOnWriteArrayList<>();

        @BatchSqsListener(
                id = "intake",
                queue = {"orders", "returns"})
        void intake(List<String> messages) {
            handled.addAll(messages);
        }

        @BatchSqsListener(queue = "receipts")
        void receipts(List<String> messages) {
            handled.addAll(messages);
        }
    }
}
