/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.batchsqs.annotation.BatchSqsListener;
import io.github.batchsqs.autoconfigure.internal.settings.BatchSqsProperties;
import io.github.batchsqs.autoconfigure.options.ListenerOptionsCustomizer;
import io.github.batchsqs.errors.InvalidOptionException;
import io.github.batchsqs.listener.ListenerOptions;
import io.github.batchsqs.testkit.SettingsMetadata;
import java.lang.reflect.Method;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
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
                .containsExactlyInAnyOrderElementsOf(SettingsMetadata.namesUnder(LISTENER).stream()
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

    /** Boot would read each as milliseconds. */
    @ParameterizedTest
    @CsvSource({
        "shutdown-timeout, 30, 30s",
        "visibility.timeout, 45, 45s",
        "visibility.max-extension, 60, 1m",
        "wait-time, 10, 10s",
        "failure.backoff.initial, 2, 2s",
        "failure.backoff.max, 120, 2m",
        "batch-linger, 200, 200ms",
        "acknowledge.linger, 20, 20ms",
        "pollers.min-interval, 30, 30ms"
    })
    void numbersWithoutAUnitAreSecondsExceptForTheTimesThatMessagesGather(String key, String number, String text) {
        assertThat(ListenerSettingsTable.texts(options(Map.of(LISTENER + key, number))))
                .containsEntry(key, text);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            batch-size=0 | must be between 1 and 10000, but is 0; set a value in that range
            batch-size=10001 | must be between 1 and 10000, but is 10001; set a value in that range
            batch-linger=-1ms | must be between 0s and 12h, but is -1ms; set a value in that range, for example 12h
            batch-linger=1d | must be between 0s and 12h, but is 24h; set a value in that range, for example 12h
            concurrency=0 | must be at least 1, but is 0; set 1 or more
            concurrency=auto:0 | must have a maximum of at least 1 with auto, but is auto:0; set auto:1 or more, or auto
            pollers.min=0 | must be at least 1, but is 0; set 1 or more
            pollers.max=4; pollers.min=5 | must be at least pollers.min (5), but is 4; raise it
            pollers.max=1001 | must be between 1 and 1000, but is 1001; set a value in that range
            pollers.min-interval=61s | must be between 0s and 1m, but is 61s; set a value in that range, for example 1m
            wait-time=21s | must be between 0s and 20s, but is 21s; set a value in that range, for example 20s
            wait-time=1500ms | must be whole seconds, as SQS counts it, but is 1500ms; set a value such as 20s
            prefetch=41; pollers.max=4 | must be between 0 and 40, but is 41; set a value in that range
            visibility.timeout=999ms | must be between 1s and 12h, but is 999ms; set a value in that range, for example 1s
            visibility.max-extension=1d | must be between 0s and 12h, but is 24h; set a value in that range, for example 12h
            acknowledge.linger=11s | must be between 0s and 10s, but is 11s; set a value in that range, for example 10s
            failure.backoff.initial=0s | must be positive, but is 0s; set a value such as 1s
            failure.backoff.max=1ms | must be at least backoff.initial (1s), but is 1ms; raise backoff.max or lower backoff.initial
            failure.backoff.max=1d | must be between 0s and 12h, but is 24h; set a value in that range, for example 12h
            ~failure.dead-letter= ~ | must be redrive-policy, none, or a queue, but is  ; remove the key for redrive-policy
            failure.non-retryable=java.lang.String | must name exceptions on the class path, but is java.lang.String;
            failure.non-retryable=IOException | must name exceptions on the class path, but is IOException;
            rate-limit=-1 | must be a positive number of messages per second, or 0 for none, but is -1.0; set a positive number or remove the key
            rate-limit=NaN | must be a positive number of messages per second, or 0 for none, but is NaN; set a positive number or remove the key
            shutdown-timeout=0s | must be positive and at most 12h, because SQS keeps no message in flight for longer, but is 0s; set a value below the grace period of the platform, such as 25s
            shutdown-timeout=43201s | must be positive and at most 12h, because SQS keeps no message in flight for longer, but is 43201s; set a value below the grace period of the platform, such as 25s
            shutdown-timeout=9223372036854775807s | must be positive and at most 12h, because SQS keeps no message in flight for longer, but is 9223372036854775807s; set a value below the grace period of the platform, such as 25s
            """)
    void aBadValueNamesTheKeyTheRuleTheValueAndTheRemedy(String settings, String text) {
        Map<String, String> properties = Stream.of(settings.split("; ", -1))
                .map(setting -> setting.split("=", 2))
                .collect(Collectors.toMap(setting -> LISTENER + setting[0], setting -> setting[1]));
        assertThatExceptionOfType(InvalidOptionException.class)
                .isThrownBy(() -> options(properties))
                .withMessageStartingWith(LISTENER + settings.replaceFirst("=.*", "") + " " + text);
    }

    private static ListenerOptions options(Map<String, String> properties) {
        Map<String, String> all = new HashMap<>(properties);
        all.put("batchsqs.clients.other.region", "eu-west-1");
        var bound =
                new Binder(new MapConfigurationPropertySource(all)).bindOrCreate("batchsqs", BatchSqsProperties.class);
        var beans = new DefaultListableBeanFactory();
        var source = new ListenerOptionsSource(bound, beans, beans.getBeanProvider(ListenerOptionsCustomizer.class));
        LayeredSettings settings = source.settings(null, List.of("orders"));
        return settings.naming(
                "orders", () -> source.options("orders", "orders", settings, List.of(), options -> options));
    }
}
