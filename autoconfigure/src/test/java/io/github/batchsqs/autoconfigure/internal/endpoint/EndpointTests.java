/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.endpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import io.github.batchsqs.annotation.BatchSqsListener;
import io.github.batchsqs.autoconfigure.options.ListenerOptionsCustomizer;
import io.github.batchsqs.autoconfigure.testkit.Contexts;
import io.github.batchsqs.autoconfigure.testkit.Queues;
import io.github.batchsqs.errors.BatchSqsException;
import io.github.batchsqs.listener.ContainerState;
import io.github.batchsqs.listener.ListenerOptions.Pollers;
import io.github.batchsqs.receive.ListenerContainer;
import io.github.batchsqs.receive.ListenerContainers;
import io.github.batchsqs.testkit.Progress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.mockito.ArgumentCaptor;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import software.amazon.awssdk.services.sqs.model.ListMessageMoveTasksResultEntry;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class EndpointTests {

    @Nested
    class Conditions {

        private final ApplicationContextRunner contexts = Contexts.aws()
                .withConfiguration(AutoConfigurations.of(BatchSqsEndpointAutoConfiguration.class))
                .withPropertyValues("batchsqs.listener.auto-startup=false");

        @Test
        void thereIsNoEndpointUnlessItIsExposed() {
            contexts.run(context -> assertThat(context).doesNotHaveBean(BatchSqsEndpoint.class));
            contexts.withPropertyValues("management.endpoints.web.exposure.include=health,batchsqs")
                    .run(context -> assertThat(context).hasSingleBean(BatchSqsEndpoint.class));
            contexts.withPropertyValues(
                            "management.endpoints.web.exposure.include=*", "management.endpoint.batchsqs.access=NONE")
                    .run(context -> assertThat(context).doesNotHaveBean(BatchSqsEndpoint.class));
        }

        @Test
        void withoutTheActuatorThereIsNone() {
            contexts.withPropertyValues("management.endpoints.web.exposure.include=*")
                    .withClassLoader(new FilteredClassLoader(Endpoint.class))
                    .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean("batchSqsEndpoint"));
        }
    }

    @Nested
    @TestInstance(TestInstance.Lifecycle.PER_CLASS)
    class OverHttp {

        private final Application application = new Application();

        @BeforeAll
        void start() {
            application.start("management.endpoint.batchsqs.access=unrestricted");
        }

        @AfterAll
        void stop() {
            application.close();
        }

        @Test
        void readsEveryListenerWithItsCounts() throws Exception {
            var answer = application.get("");
            assertThat(answer.statusCode()).isEqualTo(200);
            JsonNode orders = json(answer).get("listeners").get("orders");
            assertThat(orders.get("queue").asString()).isEqualTo("orders");
            assertThat(orders.get("client").asString()).isEqualTo("default");
            assertThat(orders.get("status").get("inFlightLimit").asInt()).isPositive();
            assertThat(orders.get("status").get("receiveFailingFor").asString()).isEqualTo("PT0S");
            assertThat(json(answer).get("listeners").propertyNames()).contains("orders", "spare");
        }

        @Test
        void saysWhereEachSettingCameFrom() throws Exception {
            JsonNode settings = json(application.get("/spare")).get("settings");
            assertSetting(settings, "batch-size", "7", "@BatchSqsListener(batchSize) on " + Handler.class.getName());
            assertSetting(settings, "wait-time", "1s", "batchsqs.listener.wait-time");
            assertSetting(settings, "acknowledge.linger", "20ms", "batchsqs.listeners.spare.acknowledge.linger");
            assertSetting(settings, "concurrency", "5", "customizer ");
            assertSetting(settings, "visibility.timeout", "the queue's own", "default");

            application.post("/spare/pollers", "{\"max\": 4}");
            assertSetting(json(application.get("/spare")).get("settings"), "pollers.max", "4", "changed at run time");
        }

        @Test
        void pausesResumesStopsAndStarts() throws Exception {
            for (var step : List.of(
                    List.of("pause", "PAUSED"),
                    List.of("resume", "RUNNING"),
                    List.of("stop", "STOPPED"),
                    List.of("start", "RUNNING"))) {
                var answer = application.post("/orders/" + step.get(0), "{}");
                assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
                assertThat(json(answer).get("status").get("state").asString()).isEqualTo(step.get(1));
            }
            assertThat(application.containers().get("orders").state()).isEqualTo(ContainerState.RUNNING);
        }

        @Test
        void changesConcurrencyAndPollersLive() throws Exception {
            application.post("/orders/concurrency", "{\"concurrency\": 3}");
            application.post("/orders/pollers", "{\"min\": 2, \"max\": 9}");
            var options = application.containers().get("orders").options();
            assertThat(options.concurrency()).isEqualTo(3);
            assertThat(options.pollers().min()).isEqualTo(2);
            assertThat(options.pollers().max()).isEqualTo(9);
        }

        @Test
        void switchesAnAutomaticConcurrencyOnAndOff() throws Exception {
            application.post("/orders/concurrency", "{\"concurrency\": \"auto\"}");
            assertThat(application.get("/orders").body())
                    .contains("\"concurrency\":16,", "\"concurrency\":{\"value\":\"auto\",");
            application.post("/orders/concurrency", "{\"concurrency\": 3}");
            assertThat(application.get("/orders").body())
                    .contains("\"concurrency\":3,", "\"concurrency\":{\"value\":\"3\",");
        }

        @Test
        void badInputIsRefusedWithTheRuleTheValueAndTheRemedy() throws Exception {
            assertRefused(
                    "/orders/concurrency", "{\"concurrency\": 0}", "concurrency must be at least 1, but is 0; set");
            assertRefused("/orders/concurrency", "{}", "concurrency must be set, but is missing; send");
            assertRefused("/orders/concurrency", "{\"concurrency\": \"x\"}", "must be a whole number, but is x;");
            assertRefused("/orders/concurrency", "{\"concurrency\": -1}", "concurrency must be at least 1, but is -1;");
            assertRefused("/orders/pollers", "{}", "pollers must have min, max or both");
            assertRefused("/orders/explode", "{}", "operation must be one of pause, resume,");
            assertRefused("/orders/redrive", "{\"messagesPerSecond\": 501}", "between 1 and 500, but is 501;");
            application.post("/idle/stop", "{}");
            assertRefused("/idle/pause", "{}", "'idle' must be RUNNING to pause, but is STOPPED; start it first");
        }

        @Test
        void anUnknownListenerIsNotFound() throws Exception {
            for (var answer : List.of(application.get("/nobody"), application.post("/nobody/pause", "{}"))) {
                assertThat(answer.statusCode()).isEqualTo(404);
                assertThat(answer.body()).contains("There is no listener with the id 'nobody'; the ids are [");
            }
        }

        @Test
        void redrivesTheDeadLetterQueueIntoTheQueueOfTheListener() throws Exception {
            Queues.send(application.context(), "orders-dlq", "lamp", Map.of());
            JsonNode started = json(application.post("/orders/redrive", "{\"messagesPerSecond\": 50}"));
            assertThat(started.get("deadLetterQueue").asString()).isEqualTo("orders-dlq");

            var task = application.task("orders-dlq");
            assertThat(started.get("taskHandle").asString()).isEqualTo(task.taskHandle());
            assertThat(task.destinationArn()).endsWith(":orders");
            assertThat(task.maxNumberOfMessagesPerSecond()).isEqualTo(50);
            assertThat(Progress.take(application.context().getBean(Handler.class).handled))
                    .containsExactly("lamp");
        }

        @Test
        void aDeadLetterQueueOfSeveralQueuesNeedsADestination() throws Exception {
            String other = Queues.of(application.context()).withDeadLetters("spare-dlq", 3, Map.of());
            assertRefused("/spare/redrive", "{}", "other queues too (", other, "), but is missing; name a queue");
            assertThat(application
                            .post("/spare/redrive", "{\"destination\": \"source\"}")
                            .statusCode())
                    .isEqualTo(200);
            assertThat(application.task("spare-dlq").destinationArn()).isNull();
        }

        @Test
        void redrivesTheQueueThatTheListenerNamesAheadOfThatOfThePolicy() throws Exception {
            JsonNode started = json(application.post("/idle/redrive", "{}"));
            assertThat(started.get("deadLetterQueue").asString()).isEqualTo("parked");
            assertThat(application.task("parked").destinationArn()).endsWith(":idle");
        }

        private void assertRefused(String path, String body, String... words) throws Exception {
            var answer = application.post(path, body);
            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(400);
            assertThat(json(answer).get("error").asString()).contains(words);
        }

        private static void assertSetting(JsonNode settings, String option, String value, String from) {
            assertThat(settings.get(option).get("value").asString()).isEqualTo(value);
            assertThat(settings.get(option).get("from").asString()).startsWith(from);
        }
    }

    @Test
    void byDefaultNothingCanBeChanged() throws Exception {
        try (var application = new Application()) {
            application.start("spring.main.banner-mode=off");
            assertThat(application.get("/orders").statusCode()).isEqualTo(200);
            assertThat(application.post("/orders/stop", "{}").statusCode()).isEqualTo(404);
            assertThat(application.containers().get("orders").state()).isEqualTo(ContainerState.RUNNING);
        }
    }

    /** Another change may come in between: the bounds are made from those of that moment. */
    @ParameterizedTest
    @CsvSource({"2,, 2, 500", ", 9, 1, 9"})
    void aChangeOfOneBoundOfThePollersLeavesTheOtherAsItIsThen(
            @Nullable String min, @Nullable String max, int newMin, int newMax) {
        ListenerContainer container = mock();
        ListenerContainers containers = mock();
        when(containers.find("idle")).thenReturn(Optional.of(container));
        when(container.status()).thenThrow(new BatchSqsException("no report"));
        ArgumentCaptor<UnaryOperator<Pollers>> change = ArgumentCaptor.captor();

        Object unused = new BatchSqsEndpoint(containers, mock(), new ListenerRedrive(mock()))
                .steer("idle", "pollers", null, min, max, null, null);

        verify(container).changePollers(change.capture());
        assertThat(change.getValue().apply(new Pollers(1, 500, Duration.ZERO)))
                .isEqualTo(new Pollers(newMin, newMax, Duration.ZERO));
    }

    private static JsonNode json(HttpResponse<String> answer) {
        return JsonMapper.shared().readTree(answer.body());
    }

    /** An application with the endpoint exposed, on the embedded server. */
    private static final class Application implements AutoCloseable {

        private final HttpClient http = HttpClient.newHttpClient();
        private @Nullable ConfigurableApplicationContext context;

        void start(String property) {
            context = new SpringApplicationBuilder(Setup.class)
                    .web(WebApplicationType.SERVLET)
                    .properties(
                            property,
                            "server.port=0",
                            "management.endpoints.web.exposure.include=batchsqs",
                            "batchsqs.embedded.enabled=true",
                            "batchsqs.embedded.queues[0].name=orders",
                            "batchsqs.embedded.queues[0].dead-letter-queue=orders-dlq",
                            "batchsqs.embedded.queues[1].name=spare",
                            "batchsqs.embedded.queues[1].dead-letter-queue=spare-dlq",
                            "batchsqs.embedded.queues[2].name=idle",
                            "batchsqs.embedded.queues[2].dead-letter-queue=idle-dlq",
                            "batchsqs.embedded.queues[3].name=parked",
                            "batchsqs.listeners.idle.failure.dead-letter=parked",
                            "batchsqs.listener.wait-time=1s",
                            "batchsqs.listeners.spare.acknowledge.linger=20ms",
                            "batchsqs.listeners.spare.concurrency=3") // the customizer comes last
                    .run();
        }

        ListenerContainers containers() {
            return context().getBean(ListenerContainers.class);
        }

        /** The task that SQS started last. */
        ListMessageMoveTasksResultEntry task(String deadLetterQueue) {
            String arn = Queues.attributes(context(), deadLetterQueue).get(QueueAttributeName.QUEUE_ARN);
            return Queues.of(context())
                    .client()
                    .listMessageMoveTasks(request -> request.sourceArn(arn))
                    .results()
                    .getFirst();
        }

        HttpResponse<String> get(String path) throws Exception {
            return send(request(path).GET());
        }

        HttpResponse<String> post(String path, String body) throws Exception {
            return send(request(path).header("Content-Type", "application/json").POST(BodyPublishers.ofString(body)));
        }

        private HttpRequest.Builder request(String path) {
            String port = context().getEnvironment().getRequiredProperty("local.server.port");
            return HttpRequest.newBuilder(URI.create("http://localhost:" + port + "/actuator/batchsqs" + path));
        }

        private HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
            return http.send(request.build(), BodyHandlers.ofString());
        }

        private ConfigurableApplicationContext context() {
            return Objects.requireNonNull(context);
        }

        @Override
        public void close() {
            context().close();
            http.close();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration(
            excludeName = { // they are on the class path of the tests, without a database
                "org.springframework.modulith.events.config.EventExternalizationAutoConfiguration",
                "org.springframework.modulith.events.config.EventPublicationAutoConfiguration"
            })
    static class Setup {

        @Bean
        Handler handler() {
            return new Handler();
        }

        @Bean
        ListenerOptionsCustomizer customizer() {
            return options -> options.id().equals("spare")
                    ? options.toBuilder().concurrency(5).build()
                    : options;
        }
    }

    static class Handler {
        final BlockingQueue<List<String>> handled = new LinkedBlockingQueue<>();

        @BatchSqsListener(queue = "orders")
        void orders(List<String> orders) {
            handled.add(orders);
        }

        @BatchSqsListener(queue = "spare", batchSize = "7")
        void spare(List<String> spare) {}

        @BatchSqsListener(queue = "idle")
        void idle(List<String> idle) {}
    }
}
