/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.annotation.BatchSqsListener;
import io.github.batchsqs.autoconfigure.internal.endpoint.BatchSqsEndpoint;
import io.github.batchsqs.autoconfigure.internal.endpoint.BatchSqsEndpointAutoConfiguration;
import io.github.batchsqs.autoconfigure.internal.health.BatchSqsHealthAutoConfiguration;
import io.github.batchsqs.autoconfigure.testkit.Contexts;
import io.github.batchsqs.autoconfigure.testkit.StartFailure;
import io.github.batchsqs.send.BatchSqsOperations;
import io.github.batchsqs.testkit.Progress;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.elasticmq.rest.sqs.SQSRestServer;
import org.elasticmq.rest.sqs.SQSRestServerBuilder;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.CompositeHealthContributor;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** One application, two servers over HTTP, which have queues of the same names. */
class TwoServersTests {

    private static final int MESSAGES = 25;

    // Of each test its own: a poll that a stop aborted may swallow a later message
    @AutoClose("stopAndWait")
    private final SQSRestServer near = server();

    @AutoClose("stopAndWait")
    private final SQSRestServer far = server();

    private final Orders orders = new Orders();
    private ApplicationContextRunner contexts = Contexts.aws();

    private static SQSRestServer server() {
        return SQSRestServerBuilder.withInterface("127.0.0.1")
                .withDynamicPort()
                .withAWSRegion("eu-central-1")
                .start();
    }

    @BeforeEach
    void configure() {
        contexts = Contexts.aws()
                .withConfiguration(AutoConfigurations.of(
                        BatchSqsEndpointAutoConfiguration.class, BatchSqsHealthAutoConfiguration.class))
                .withBean(PrometheusMeterRegistry.class, () -> new PrometheusMeterRegistry(PrometheusConfig.DEFAULT))
                .withBean(Orders.class, () -> orders)
                .withPropertyValues(
                        "spring.cloud.aws.sqs.endpoint=" + url(near),
                        "batchsqs.clients.far.endpoint=" + url(far),
                        "batchsqs.clients.far.region=us-west-2",
                        "batchsqs.clients.far.credentials.access-key=far",
                        "batchsqs.clients.far.credentials.secret-key=secret",
                        "batchsqs.listener.queue-not-found=create",
                        "batchsqs.listener.wait-time=1s",
                        "management.endpoints.web.exposure.include=batchsqs");
    }

    private static String url(SQSRestServer server) {
        return "http://127.0.0.1:" + server.waitUntilStarted().localAddress().getPort();
    }

    @Test
    void eachListenerAndSenderCallsItsOwnServer() {
        contexts.run(context -> {
            var template = context.getBean(BatchSqsOperations.class);
            var near = template.sendAll("orders", numbered("near"));
            var far = template.client("far").sendAll("orders", numbered("far"));

            assertThat(List.of(near.successful(), far.successful())).allMatch(each -> each.size() == MESSAGES);
            Progress.until(() -> orders.near.size() + orders.far.size(), 2 * MESSAGES);
            assertThat(orders.near).hasSize(MESSAGES).allMatch(each -> each.startsWith("near"));
            assertThat(orders.far).hasSize(MESSAGES).allMatch(each -> each.startsWith("far"));
            assertThat(sent(context)).containsExactlyInAnyOrder("default 25.0", "far 25.0");
        });
    }

    @Test
    void healthEndpointAndMetersNameTheClient() {
        contexts.run(context -> {
            var health = context.getBean(CompositeHealthContributor.class);
            assertThat(Stream.of("near", "far")
                            .map(health::getContributor)
                            .map(each -> ((HealthIndicator) Objects.requireNonNull(each)).health())
                            .map(each ->
                                    Objects.requireNonNull(each).getDetails().get("client")))
                    .containsExactly("default", "far");
            assertThat(context.getBean(BatchSqsEndpoint.class).listeners().values().stream()
                            .flatMap(reports -> reports.values().stream())
                            .map(report -> report.id() + " " + report.client() + " "
                                    + Objects.requireNonNull(report.settings().get("client"))
                                            .from()))
                    .containsExactlyInAnyOrder(
                            "near default default",
                            "far far @BatchSqsListener(client) on " + Orders.class.getName() + ".far");
            assertThat(context.getBean(PrometheusMeterRegistry.class).scrape())
                    .contains("batchsqs_listener_received_total{client=\"default\",listener=\"near\",queue=\"orders\"}")
                    .contains("batchsqs_listener_received_total{client=\"far\",listener=\"far\",queue=\"orders\"}");
        });
    }

    @Test
    void aMissingQueueIsReportedWithTheServerOfTheClient() {
        contexts.withPropertyValues("batchsqs.listener.queue-not-found=fail", "batchsqs.listeners.far.client=other")
                .withPropertyValues(
                        "batchsqs.clients.other.endpoint=" + url(far), "batchsqs.clients.other.region=ap-east-1")
                .withBean(Absent.class)
                .run(context -> assertThat(StartFailure.of(context))
                        .contains("'absent', which does not exist in the region us-west-2 (" + url(far) + ")"));
    }

    private static List<String> numbered(String prefix) {
        return IntStream.range(0, MESSAGES).mapToObj(i -> prefix + " " + i).toList();
    }

    private static List<String> sent(AssertableApplicationContext context) {
        return context.getBean(MeterRegistry.class).find("batchsqs.sender.sent").counters().stream()
                .map(each -> each.getId().getTag("client") + " " + each.count())
                .toList();
    }

    static class Orders {
        final Queue<String> near = new ConcurrentLinkedQueue<>();
        final Queue<String> far = new ConcurrentLinkedQueue<>();

        @BatchSqsListener(id = "near", queue = "orders")
        void near(List<String> orders) {
            near.addAll(orders);
        }

        @BatchSqsListener(id = "far", queue = "orders", client = "far")
        void far(List<String> orders) {
            far.addAll(orders);
        }
    }

    static class Absent {
        @BatchSqsListener(queue = "absent", client = "far")
        void absent(List<String> absent) {}
    }
}
