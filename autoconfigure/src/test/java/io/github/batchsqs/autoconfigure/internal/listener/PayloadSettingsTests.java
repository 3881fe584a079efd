/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.listener;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.BatchListener;
import io.github.batchsqs.SnsNotification;
import io.github.batchsqs.annotation.BatchSqsListener;
import io.github.batchsqs.autoconfigure.listener.ListenerDefinition;
import io.github.batchsqs.autoconfigure.testkit.Contexts;
import io.github.batchsqs.autoconfigure.testkit.StartFailure;
import io.github.batchsqs.codec.JacksonPayloadCodec;
import io.github.batchsqs.codec.PayloadCodec;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import software.amazon.awssdk.services.sqs.model.Message;
import tools.jackson.databind.json.JsonMapper;

class PayloadSettingsTests {

    private final ApplicationContextRunner contexts =
            Contexts.aws().withPropertyValues("batchsqs.listener.auto-startup=false");

    @Test
    void anEnvelopeNeedsJackson() {
        ApplicationContextRunner without = contexts.withClassLoader(new FilteredClassLoader("tools.jackson"))
                .withBean(PayloadCodec.class, () -> new JacksonPayloadCodec(JsonMapper.shared()));
        assertFailure(
                without.withBean(Events.class).withPropertyValues("batchsqs.listener.payload.envelope=event-bridge"),
                "batchsqs.listener.payload.envelope must be none without Jackson 3, which reads envelopes and is not on"
                        + " the class path.",
                "Value: event-bridge",
                "spring-boot-starter-jackson");
        assertFailure(
                without.withBean(Notifications.class),
                "must be none without Jackson 3, which reads envelopes and is not on the class path.",
                "Value: sns");
        assertFailure(
                without.withBean(
                                ListenerDefinition.class,
                                () -> ListenerDefinition.of(
                                        "by-code", "orders", String.class, BatchListener.of(batch -> {})))
                        .withPropertyValues("batchsqs.listeners.by-code.payload.envelope=sns"),
                "batchsqs.listeners.by-code.payload.envelope must be none without Jackson 3",
                "Value: sns");
        without.withBean(PlacedEvents.class).run(context -> assertThat(context).hasNotFailed());
        without.withBean(Sdk.class)
                .withPropertyValues("batchsqs.listener.payload.envelope=sns")
                .run(context -> assertThat(context)
                        .as("with a method that takes no payload")
                        .hasNotFailed());
    }

    private static void assertFailure(ApplicationContextRunner contexts, String... texts) {
        contexts.run(context -> assertThat(StartFailure.of(context)).contains(texts));
    }

    interface Event {}

    record Placed(String id) implements Event {}

    static class Sdk {
        @BatchSqsListener(queue = "orders")
        void handle(List<Message> messages) {}
    }

    static class Notifications {
        @BatchSqsListener(queue = "orders")
        void handle(List<SnsNotification<String>> notifications) {}
    }

    static class PlacedEvents {
        @BatchSqsListener(queue = "events")
        void handle(List<Placed> events) {}
    }

    static class Events {
        @BatchSqsListener(queue = "events")
        void handle(List<Event> events) {}
    }
}
