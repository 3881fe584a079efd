/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.options;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.annotation.BatchSqsListener;
import io.github.batchsqs.autoconfigure.internal.settings.BatchSqsProperties;
import io.github.batchsqs.autoconfigure.internal.settings.ListenerSettings;
import io.github.batchsqs.autoconfigure.testkit.SettingsMetadata;
import io.github.batchsqs.listener.ListenerOptions;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.core.env.StandardEnvironment;

/** Every setting is in the table, and every row is complete: a setting that is forgotten somewhere fails here. */
class ListenerSettingsTableTests {

    private static final String LISTENER = "batchsqs.listener.";

    /** Attributes that name the listener and its queues. */
    private static final List<String> NO_SETTINGS = List.of("id", "queue", "value");

    private static final ListenerOptions DEFAULTS =
            ListenerOptions.builder("orders", "orders").build();

    private final Map<Map<String, Object>, ListenerSettings> known = new HashMap<>();

    @Test
    void holdsEveryKeyOfTheMetadataOnce() {
        assertThat(ListenerSettingsTable.rows())
                .extracting(ListenerSetting::key)
                .containsExactlyInAnyOrderElementsOf(SettingsMetadata.read()
                        .get("properties")
                        .valueStream()
                        .map(property -> property.get("name").asString())
                        .filter(name -> name.startsWith(LISTENER))
                        .map(name -> name.substring(LISTENER.length()))
                        .toList());
    }

    @Test
    void holdsEveryAttributeOfTheAnnotationOnce() {
        assertThat(ListenerSettingsTable.rows().stream().flatMap(row -> Stream.ofNullable(row.attribute())))
                .containsExactlyInAnyOrderElementsOf(Stream.of(BatchSqsListener.class.getDeclaredMethods())
                        .map(Method::getName)
                        .filter(name -> !NO_SETTINGS.contains(name))
                        .toList());
    }

    @ParameterizedTest
    @MethodSource("rowsOfOptions")
    void keyChangesItsOptionAndNoOther(ListenerSetting<?> row) {
        ListenerOptions options = options(Map.of(LISTENER + row.key(), sample(row)));

        assertThat(changed(options)).containsExactly(Map.entry(row.key(), sample(row)));
        assertThat(options.toBuilder().build()).isEqualTo(options);
    }

    @ParameterizedTest
    @MethodSource("rowsWithAttribute")
    void attributeSetsItsSettingAndNoOther(ListenerSetting<?> row) {
        var settings = annotated("Orders.handle", Map.of(Objects.requireNonNull(row.attribute()), sample(row)));

        assertThat(ListenerSettingsTable.rows().stream()
                        .filter(each -> each.bound().apply(settings.settings()) != null))
                .containsExactly(row);
        assertThat(SettingConversions.text(row.bound().apply(settings.settings())))
                .isEqualTo(sample(row));
    }

    @Test
    void bindsAnnotationsWithTheSameAttributesOnce() {
        SettingsLayer first = annotated("Orders.handle", Map.of("concurrency", "7"));
        SettingsLayer second = annotated("Returns.handle", Map.of("concurrency", "${n:7}"));
        SettingsLayer third = annotated("Claims.handle", Map.of("concurrency", "8"));

        assertThat(second.settings()).isSameAs(first.settings());
        assertThat(second.key().apply("concurrency")).isEqualTo("@BatchSqsListener(concurrency) on Returns.handle");
        assertThat(third.settings().concurrency()).isEqualTo("8");
    }

    private SettingsLayer annotated(String method, Map<String, String> settings) {
        Map<String, Object> attributes = new HashMap<>(settings);
        attributes.put("queue", "orders");
        attributes.put("value", "orders");
        var annotation = AnnotationUtils.synthesizeAnnotation(attributes, BatchSqsListener.class, null);
        var beans = new DefaultListableBeanFactory();
        beans.addEmbeddedValueResolver(new StandardEnvironment()::resolvePlaceholders);
        return new AnnotationValues(annotation, method, beans, known).settings();
    }

    static Stream<ListenerSetting<?>> rowsOfOptions() {
        return ListenerSettingsTable.rows().stream().filter(row -> row.option() != null);
    }

    static Stream<ListenerSetting<?>> rowsWithAttribute() {
        return ListenerSettingsTable.rows().stream().filter(row -> row.attribute() != null);
    }

    /** Returns a value that differs from the default and is allowed. */
    private static String sample(ListenerSetting<?> row) {
        Object standard = row.option() == null ? null : row.option().apply(DEFAULTS);
        return switch (row.key()) {
            case "concurrency", "prefetch" -> "7";
            case "executor" -> "platform";
            case "auto-startup" -> "false";
            case "payload.envelope" -> "sns";
            case "inbox.enabled" -> "true";
            case "inbox.key" -> "payload.orderId";
            case "failure.non-retryable" -> "java.io.IOException";
            case "visibility.timeout" -> "45s";
            default ->
                switch (Objects.requireNonNull(standard, row.key())) {
                    case Integer number -> String.valueOf(number + 1);
                    case Double number -> String.valueOf(number + 1);
                    case Boolean bool -> String.valueOf(!bool);
                    case Duration duration ->
                        SettingConversions.text(duration.isZero() ? Duration.ofSeconds(1) : duration.dividedBy(2));
                    case Enum<?> constant ->
                        SettingConversions.text(
                                Stream.of(constant.getDeclaringClass().getEnumConstants())
                                        .filter(other -> other != constant)
                                        .findFirst()
                                        .orElseThrow());
                    default -> "other";
                };
        };
    }

    private static ListenerOptions options(Map<String, String> properties) {
        Map<String, String> all = new HashMap<>(properties);
        all.put("batchsqs.clients.other.region", "eu-west-1");
        var bound =
                new Binder(new MapConfigurationPropertySource(all)).bindOrCreate("batchsqs", BatchSqsProperties.class);
        var source = new ListenerOptionsSource(
                bound, name -> new ListenerOptions.InvocationExecutor.Virtual(), classLoader(), List.of(), false);
        return source.options("orders", "orders", source.settings(null, List.of("orders")), options -> options);
    }

    private static ClassLoader classLoader() {
        return ListenerSettingsTableTests.class.getClassLoader();
    }

    /** Returns the settings of the options that are not the default, as they are written. */
    private static Map<String, String> changed(ListenerOptions options) {
        Map<String, String> texts = SettingsRecord.texts(options);
        texts.entrySet().removeAll(SettingsRecord.texts(DEFAULTS).entrySet());
        return texts;
    }
}
