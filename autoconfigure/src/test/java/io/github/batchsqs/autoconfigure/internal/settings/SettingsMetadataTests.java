/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.settings;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.autoconfigure.testkit.Contexts;
import io.github.batchsqs.autoconfigure.testkit.OrdersHandler;
import io.github.batchsqs.listener.ListenerOptions;
import io.github.batchsqs.receive.ListenerContainers;
import io.github.batchsqs.send.SenderOptions;
import io.github.batchsqs.testkit.SettingsMetadata;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.context.SmartLifecycle;
import tools.jackson.databind.JsonNode;

/** What editors show of the settings, and whether it is true. */
class SettingsMetadataTests {

    /** Off, or the queue's own, if not set. */
    private static final List<String> WITHOUT_DEFAULT = List.of(
            "batchsqs.clients",
            "batchsqs.embedded.queues",
            "batchsqs.in-flight-bytes",
            "batchsqs.listener.failure.non-retryable",
            "batchsqs.listener.payload.type-header",
            "batchsqs.listener.payload.types",
            "batchsqs.listener.visibility.timeout",
            "batchsqs.listeners",
            "batchsqs.jdbc.data-source",
            "batchsqs.jdbc.transaction-manager",
            "batchsqs.listener.inbox.key",
            "batchsqs.s3.bucket",
            "batchsqs.s3.key-prefix",
            "batchsqs.s3.read-buckets",
            "batchsqs.sender.default-attributes",
            "batchsqs.sender.default-queue");

    private final List<JsonNode> properties = SettingsMetadata.properties().stream()
            .filter(property -> name(property).startsWith("batchsqs."))
            .toList();

    @Test
    void everyKeyHasATypeAndADescription() {
        assertThat(properties).hasSizeGreaterThan(40).allSatisfy(property -> {
            assertThat(property.path("type").asString("")).as(name(property)).isNotEmpty();
            assertThat(property.path("description").asString(""))
                    .as(name(property))
                    .endsWith(".");
        });
    }

    @Test
    void everyKeyShowsItsDefault() {
        assertThat(properties)
                .filteredOn(property -> !property.has("defaultValue") && !property.has("deprecation"))
                .extracting(SettingsMetadataTests::name)
                .containsExactlyInAnyOrderElementsOf(WITHOUT_DEFAULT);
    }

    @Test
    void theDefaultsAreThoseOfTheEngine() {
        var defaults = properties.stream()
                .filter(property -> property.has("defaultValue"))
                .filter(property -> !name(property).endsWith(".auto-startup"))
                .map(property ->
                        name(property) + "=" + property.get("defaultValue").asString())
                .toArray(String[]::new);

        Contexts.aws()
                .withBean(OrdersHandler.class)
                .withPropertyValues(defaults)
                .withPropertyValues("batchsqs.listener.auto-startup=false")
                .run(context -> {
                    assertThat(context.getBean(ListenerContainers.class)
                                    .get("orders")
                                    .options())
                            .isEqualTo(
                                    ListenerOptions.builder("orders", "orders").build());
                    assertThat(context.getBean(SenderOptions.class))
                            .usingRecursiveComparison()
                            .isEqualTo(SenderOptions.defaults());
                    assertThat(context.getBeansOfType(SmartLifecycle.class).values())
                            .extracting(SmartLifecycle::getPhase)
                            .contains(Integer.MAX_VALUE);
                });
    }

    private static String name(JsonNode property) {
        return property.get("name").asString();
    }
}
