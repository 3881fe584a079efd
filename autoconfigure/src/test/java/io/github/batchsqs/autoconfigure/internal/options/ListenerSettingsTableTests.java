/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.options;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.annotation.BatchSqsListener;
import io.github.batchsqs.autoconfigure.internal.settings.BatchSqsProperties;
import io.github.batchsqs.autoconfigure.testkit.SettingsMetadata;
import io.github.batchsqs.listener.ListenerOptions;
import java.lang.reflect.Method;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.core.annotation.AnnotationUtils;

class ListenerSettingsTableTests {

    private static final String LISTENER = "batchsqs.listener.";

    /** Attributes that name the listener and its queues. */
    private static final List<String> NO_SETTINGS = List.of("id", "queue", "value");

    /** Settings that options do not contain. */
    private static final List<String> NO_OPTIONS = List.of(
            "auto-startup", "payload.envelope", "payload.type-header", "payload.types", "inbox.enabled", "inbox.key");

    private static final ListenerOptions DEFAULTS =
            ListenerOptions.builder("orders", "orders").build();

    @Test
    void textsHaveEveryKeyOfTheMetadataThatIsAnOption() {
        assertThat(ListenerSettingsTable.texts(DEFAULTS).keySet())
                .containsExactlyInAnyOrderElementsOf(SettingsMetadata.read()
                        .get("properties")
                        .valueStream()
                        .map(property -> property.get("name").asString())
                        .filter(name -> name.startsWith(LISTENER))
                        .map(name -> name.substring(LISTENER.length()))
                        .filter(name -> !NO_OPTIONS.contains(name))
                        .toList());
    }

    @Test
    void attributesAreThoseOfTheAnnotation() {
        assertThat(ListenerSettingsTable.ATTRIBUTES.keySet())
                .containsExactlyInAnyOrderElementsOf(Stream.of(BatchSqsListener.class.getDeclaredMethods())
                        .map(Method::getName)
                        .filter(name -> !NO_SETTINGS.contains(name))
                        .toList());
    }

    @ParameterizedTest
    @CsvSource({
        "batch-size, 11",
        "batch-linger, 1s",
        "concurrency, 7",
        "concurrency, auto:50",
        "pollers.min, 2",
        "pollers.max, 33",
        "pollers.min-interval, 1s",
        "wait-time, 10s",
        "prefetch, 7",
        "visibility.timeout, 45s",
        "visibility.max-extension, 30m",
        "acknowledge.mode, manual",
        "acknowledge.linger, 25ms",
        "failure.backoff.initial, 500ms",
        "failure.backoff.max, 150s",
        "failure.retry-individually, true",
        "failure.non-retryable, java.io.IOException",
        "failure.dead-letter, other",
        "rate-limit, 1.0",
        "fifo.batch-grouping, mixed",
        "fifo.retry, queue",
        "executor, platform",
        "client, other",
        "queue-not-found, create",
        "shutdown-timeout, 5s",
    })
    void aKeyChangesItsOptionAndNoOther(String key, String value) {
        ListenerOptions options = options(Map.of(LISTENER + key, value));

        Map<String, String> changed = ListenerSettingsTable.texts(options);
        changed.entrySet().removeAll(ListenerSettingsTable.texts(DEFAULTS).entrySet());
        assertThat(changed).containsExactly(Map.entry(key, value));
        assertThat(options.toBuilder().build()).isEqualTo(options);
    }

    @ParameterizedTest
    @CsvSource({
        "client, client, other",
        "batchSize, batch-size, 11",
        "batchLinger, batch-linger, 1s",
        "concurrency, concurrency, 7",
        "visibilityTimeout, visibility.timeout, 45s",
        "acknowledgeMode, acknowledge.mode, manual",
        "deadLetter, failure.dead-letter, other",
        "envelope, payload.envelope, sns",
        "fifoBatchGrouping, fifo.batch-grouping, mixed",
        "inbox, inbox.enabled, true",
        "inboxKey, inbox.key, payload.id",
        "executor, executor, platform",
        "autoStartup, auto-startup, false",
    })
    void anAttributeSetsItsSettingAndNoOther(String attribute, String key, String value) {
        Map<String, Object> attributes = new HashMap<>(Map.of(attribute, value, "queue", "orders", "value", "orders"));
        var annotation = AnnotationUtils.synthesizeAnnotation(attributes, BatchSqsListener.class, null);
        LayeredSettings.Layer layer =
                new AnnotationValues(annotation, "Orders.handle", new DefaultListableBeanFactory()).settings();

        assertThat(layer.values()).containsOnlyKeys(key);
        assertThat(SettingConversions.text(layer.values().get(key))).isEqualTo(value);
        assertThat(layer.name().apply(key)).isEqualTo("@BatchSqsListener(" + attribute + ") on Orders.handle");
    }

    private static ListenerOptions options(Map<String, String> properties) {
        Map<String, String> all = new HashMap<>(properties);
        all.put("batchsqs.clients.other.region", "eu-west-1");
        var bound =
                new Binder(new MapConfigurationPropertySource(all)).bindOrCreate("batchsqs", BatchSqsProperties.class);
        var source = new ListenerOptionsSource(
                bound,
                name -> new ListenerOptions.InvocationExecutor.Virtual(),
                ListenerSettingsTableTests.class.getClassLoader(),
                List.of(),
                false);
        return source.options("orders", "orders", source.settings(null, List.of("orders")), options -> options);
    }
}
