/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.listener;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.Acknowledgement;
import io.github.batchsqs.SnsNotification;
import io.github.batchsqs.annotation.BatchSqsListener;
import io.github.batchsqs.annotation.SnsPayload;
import io.github.batchsqs.annotation.SnsSubject;
import io.github.batchsqs.autoconfigure.testkit.Contexts;
import io.github.batchsqs.autoconfigure.testkit.Queues;
import io.github.batchsqs.codec.PayloadCodec;
import io.github.batchsqs.testkit.Progress;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Positive;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.validation.autoconfigure.ValidationAutoConfiguration;
import org.springframework.messaging.MessageHeaders;
import org.springframework.messaging.handler.annotation.Header;
import org.springframework.messaging.handler.annotation.Headers;
import org.springframework.messaging.handler.annotation.Payload;
import software.amazon.awssdk.services.sqs.model.MessageAttributeValue;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.json.JsonMapper;

/** What handler methods can take, each shape with messages that went through a real server: the embedded one. */
class MethodShapesOnAServerTests {

    private final ApplicationContextRunner contexts = Contexts.embedded()
            .withConfiguration(AutoConfigurations.of(ValidationAutoConfiguration.class))
            .withPropertyValues("batchsqs.listener.wait-time=1s");

    @Test
    void headersOfAMessageAreArgumentsBesideItsPayload() {
        var handler = new Carriers();
        contexts.withBean(Carriers.class, () -> handler)
                .withPropertyValues("batchsqs.embedded.queues=header", "my.speed=standard")
                .run(context -> {
                    Queues.send(
                            context,
                            "header",
                            "{\"number\":7}",
                            Map.of("tenant", attribute("String", "acme"), "count", attribute("Number.int", "3")));
                    Queues.awaitEmpty(context, "header");

                    assertThat(handler.seen).containsExactly("7 acme 3 1 standard null header true true");
                });
    }

    @Test
    void notificationsOfSnsAreUnwrappedAndThoseThatCameRawToo() {
        var handler = new Topics();
        List<String> queues = List.of("notifications", "subject", "by-setting");
        contexts.withBean(Topics.class, () -> handler)
                .withPropertyValues(
                        "batchsqs.embedded.queues=" + String.join(",", queues),
                        "batchsqs.listeners.by-setting.payload.envelope=sns")
                .run(context -> {
                    for (String queue : queues) {
                        Queues.send(context, queue, notification("{\\\"number\\\":1}"), Map.of());
                        Queues.send(context, queue, "{\"number\":2}", Map.of("tenant", attribute("String", "raw")));
                    }
                    Progress.until(handler.seen::size, 6);

                    assertThat(handler.seen)
                            .containsExactlyInAnyOrder(
                                    "notifications 1 hello acme",
                                    "notifications 2 null raw",
                                    "subject 1 hello acme",
                                    "subject 2 null raw",
                                    "by-setting 1",
                                    "by-setting 2");
                });
    }

    @Test
    void theDetailOfAnEventIsUnwrappedAndWhatIsNoEventGoesToTheDeadLetterQueue() {
        var handler = new Events();
        contexts.withBean(Events.class, () -> handler)
                .withPropertyValues(
                        "batchsqs.embedded.queues[0].name=events",
                        "batchsqs.embedded.queues[0].dead-letter-queue=dead",
                        "batchsqs.listeners.events.payload.envelope=event-bridge",
                        "batchsqs.listeners.events.payload.type-header=detail-type",
                        "batchsqs.listeners.events.payload.types.OrderPlaced=" + Placed.class.getName(),
                        "batchsqs.listeners.events.payload.types.[order.cancelled]=" + Cancelled.class.getName())
                .run(context -> {
                    Queues.send(context, "events", event("OrderPlaced"), Map.of());
                    Queues.send(context, "events", event("order.cancelled"), Map.of());
                    Queues.send(context, "events", event(Placed.class.getName()), Map.of());
                    Queues.send(context, "events", "{\"number\":4}", Map.of());
                    Progress.until(
                            () -> handler.seen.size() == 2 && Queues.of(context).size("dead") == 2);

                    assertThat(handler.seen).containsExactlyInAnyOrder(new Placed(3), new Cancelled(3));
                    Queues.awaitEmpty(context, "events");
                });
    }

    @Test
    void anInvalidPayloadGoesToTheDeadLetterQueueAndItsNeighboursReachTheHandler() {
        var handler = new Valids();
        contexts.withBean(Valids.class, () -> handler)
                .withPropertyValues(
                        "batchsqs.embedded.queues[0].name=batch",
                        "batchsqs.embedded.queues[0].dead-letter-queue=dead",
                        "batchsqs.embedded.queues[1].name=one",
                        "batchsqs.embedded.queues[1].dead-letter-queue=dead")
                .run(context -> {
                    for (String queue : List.of("batch", "one")) {
                        Queues.send(context, queue, "{\"number\":1}", Map.of());
                        Queues.send(context, queue, "{\"number\":-2}", Map.of());
                        Queues.send(context, queue, "{\"number\":3}", Map.of());
                    }
                    Progress.until(
                            () -> handler.seen.size() == 4 && Queues.of(context).size("dead") == 2);

                    assertThat(handler.seen).containsExactlyInAnyOrder("batch 1", "batch 3", "one 1", "one 3");
                    var dead = Queues.of(context).receive("dead").getFirst();
                    assertThat(Objects.requireNonNull(dead.messageAttributes().get("BatchSqsErrorMessage"))
                                    .stringValue())
                            .isEqualTo("The payload breaks the rules of " + Order.class.getName()
                                    + ": number must be greater than 0");
                });
    }

    @Test
    void payloadsAreReadByTheJsonMapperOfTheApplication() {
        Contexts.aws()
                .withBean(
                        JsonMapper.class,
                        () -> JsonMapper.builder()
                                .propertyNamingStrategy(PropertyNamingStrategies.UPPER_CAMEL_CASE)
                                .build())
                .run(context -> {
                    Order order = context.getBean(PayloadCodec.class).read("{\"Number\":7}", Order.class);
                    assertThat(order).isEqualTo(new Order(7));
                });
    }

    private static String notification(String message) {
        return """
                {"Type":"Notification","MessageId":"id","TopicArn":"arn:aws:sns:us-east-1:000000000000:topic",
                 "Subject":"hello","Message":"%s","Timestamp":"2026-01-02T03:04:05.678Z",
                 "MessageAttributes":{"tenant":{"Type":"String","Value":"acme"}}}""".formatted(message);
    }

    private static String event(String type) {
        return """
                {"version":"0","id":"id","detail-type":"%s","source":"shop","account":"000000000000",
                 "time":"2026-01-02T03:04:05Z","region":"us-east-1","resources":[],"detail":{"number":3}}""".formatted(type);
    }

    private static MessageAttributeValue attribute(String type, String value) {
        return MessageAttributeValue.builder().dataType(type).stringValue(value).build();
    }

    record Order(@Positive int number) {}

    interface Event {}

    record Placed(int number) implements Event {}

    record Cancelled(int number) implements Event {}

    static class Carriers {
        final Collection<Object> seen = new LinkedBlockingQueue<>();

        @BatchSqsListener(queue = "header", acknowledgeMode = "manual")
        @SuppressWarnings("FutureReturnValueIgnored") // what matters is that it was asked for
        void header(
                @Payload Order order,
                @Header String tenant,
                @Header("count") long count,
                @Header("Sqs_Msa_ApproximateReceiveCount") int receives,
                @Header(name = "speed", defaultValue = "${my.speed}") String speed,
                @Header(name = "speed", required = false) @Nullable String absent,
                @Header("Sqs_QueueName") String queue,
                @Headers Map<String, Object> map,
                MessageHeaders headers,
                Acknowledgement acknowledgement) {
            seen.add(order.number() + " " + tenant + " " + count + " " + receives + " " + speed + " " + absent + " "
                    + queue + " " + (headers.getId() != null) + " " + map.equals(headers));
            acknowledgement.acknowledge();
        }
    }

    static class Topics {
        final Collection<Object> seen = new LinkedBlockingQueue<>();

        @BatchSqsListener(queue = "notifications")
        void notifications(List<SnsNotification<Order>> orders) {
            orders.forEach(order -> seen.add("notifications " + order.payload().number() + " " + order.subject() + " "
                    + Objects.requireNonNull(order.attributes().get("tenant")).stringValue()));
        }

        @BatchSqsListener(queue = "subject")
        void subject(@SnsPayload Order order, @SnsSubject @Nullable String subject, @Header("tenant") String tenant) {
            seen.add("subject " + order.number() + " " + subject + " " + tenant);
        }

        @BatchSqsListener(queue = "by-setting")
        void bySetting(Order order) {
            seen.add("by-setting " + order.number());
        }
    }

    static class Events {
        final Collection<Object> seen = new LinkedBlockingQueue<>();

        @BatchSqsListener(queue = "events")
        void handle(List<Event> events) {
            seen.addAll(events);
        }
    }

    static class Valids {
        final Collection<Object> seen = new LinkedBlockingQueue<>();

        @BatchSqsListener(queue = "batch", batchSize = "3", batchLinger = "50ms")
        void batch(List<@Valid Order> orders) {
            orders.forEach(order -> seen.add("batch " + order.number()));
        }

        @BatchSqsListener(queue = "one")
        void one(@Valid @Payload Order order) {
            seen.add("one " + order.number());
        }
    }
}
