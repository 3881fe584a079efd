/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.sender;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.MessageAttribute;
import io.github.batchsqs.autoconfigure.internal.settings.BatchSqsProperties;
import io.github.batchsqs.autoconfigure.testkit.SettingsMetadata;
import io.github.batchsqs.send.DeduplicationIds;
import io.github.batchsqs.send.OutgoingMessage;
import io.github.batchsqs.send.SenderOptions;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

/**
 * Every sender setting reaches its option: a setting that is forgotten in the properties, the mapper or the rows below fails
 * here. {@code SettingsReferenceTests} and {@code SettingsMetadataTests} check {@code docs/settings.md} and the defaults.
 */
class SenderSettingsTests {

    private static final SenderOptions DEFAULTS = SenderOptions.defaults();

    private static final String SENDER = "batchsqs.sender.";

    /** The template's binding to transactions, which is no option; see {@code SenderTests.WithinATransaction}. */
    private static final String TRANSACTIONAL = "transactional";

    private static final List<Row> ROWS = List.of(
            new Row("linger", "20ms", Duration.ofMillis(20), SenderOptions::linger),
            new Row("buffer-bytes", "8MB", 8L << 20, options -> options.buffer().bytes()),
            new Row(
                    "max-block",
                    "3s",
                    Duration.ofSeconds(3),
                    options -> options.buffer().maxBlock()),
            new Row("delivery-timeout", "1m", Duration.ofMinutes(1), SenderOptions::deliveryTimeout),
            new Row("deduplication", "queue", null, SenderSettingsTests::deduplicationId),
            new Row("shutdown-timeout", "2s", Duration.ofSeconds(2), SenderOptions::shutdownTimeout),
            new Row("default-queue", "orders", "orders", options -> options.defaultQueue()),
            new Row(
                    "default-attributes",
                    "web",
                    Map.of("source", MessageAttribute.string("web")),
                    options -> options.defaultAttributes()));

    @Test
    void everyKeyOfTheMetadataHasARow() {
        assertThat(Stream.concat(ROWS.stream().map(Row::key), Stream.of(TRANSACTIONAL)))
                .containsExactlyInAnyOrderElementsOf(SettingsMetadata.read()
                        .get("properties")
                        .valueStream()
                        .map(property -> property.get("name").asString())
                        .filter(name -> name.startsWith(SENDER))
                        .map(name -> name.substring(SENDER.length()))
                        .toList());
    }

    @ParameterizedTest
    @MethodSource("rows")
    void keyChangesItsOptionAndNoOther(Row row) {
        SenderOptions options = options(row.properties());
        Object fallback = row.option().apply(DEFAULTS);

        assertThat(row.option().apply(options)).isEqualTo(row.expected()).isNotEqualTo(fallback);
        assertThat(changed(options)).hasSize(1);
    }

    @Test
    void everyOptionHasAKeyButTheSizeAndTheNumberOfCalls() {
        Map<String, String> all = new HashMap<>();
        rows().forEach(row -> all.putAll(row.properties()));
        Set<String> options = new HashSet<>(values(DEFAULTS).keySet());
        options.removeAll(Set.of("maxBatchBytes", "maxInFlight"));

        assertThat(changed(options(all))).containsExactlyInAnyOrderElementsOf(options);
    }

    static Stream<Row> rows() {
        return ROWS.stream();
    }

    private static SenderOptions options(Map<String, String> properties) {
        var bound = new Binder(new MapConfigurationPropertySource(properties))
                .bindOrCreate("batchsqs", BatchSqsProperties.class);
        return SenderOptionsMapper.map(bound.sender(), null);
    }

    /** Returns the names of the options that differ from the defaults. */
    private static List<String> changed(SenderOptions options) {
        Map<String, @Nullable Object> defaults = values(DEFAULTS);
        List<String> changed = new ArrayList<>();
        values(options).forEach((name, value) -> {
            if (!Objects.equals(value, defaults.get(name))) {
                changed.add(name);
            }
        });
        return changed;
    }

    /** Returns the components of a record by name, and instead of a component that is a record, its components. */
    private static Map<String, @Nullable Object> values(Record record) {
        Map<String, @Nullable Object> values = new HashMap<>();
        for (RecordComponent component : record.getClass().getRecordComponents()) {
            Object value = valueOf(component, record);
            if (value instanceof Record inner) {
                values(inner).forEach((name, each) -> values.put(component.getName() + "." + name, each));
            } else {
                // Sources of deduplication ids do not define equals.
                values.put(component.getName(), value instanceof DeduplicationIds ids ? ids.getClass() : value);
            }
        }
        return values;
    }

    private static @Nullable Object valueOf(RecordComponent component, Record record) {
        try {
            return component.getAccessor().invoke(record);
        } catch (ReflectiveOperationException unreadable) {
            throw new LinkageError("The component " + component + " cannot be read", unreadable);
        }
    }

    private static @Nullable String deduplicationId(SenderOptions options) {
        OutgoingMessage message =
                OutgoingMessage.builder("orders.fifo", "text").groupId("g").build();
        return options.deduplication().idOf(message, "text");
    }

    /**
     * A setting, a value that differs from the default, and the option that it sets.
     *
     * @param key the key without its prefix
     * @param value the value as it is written
     * @param expected the value of the option
     * @param option reads the option
     */
    record Row(String key, String value, @Nullable Object expected, Function<SenderOptions, @Nullable Object> option) {

        Map<String, String> properties() {
            return switch (key) {
                case "default-attributes" -> Map.of(SENDER + key + ".source", value);
                default -> Map.of(SENDER + key, value);
            };
        }

        @Override
        public String toString() {
            return key;
        }
    }
}
