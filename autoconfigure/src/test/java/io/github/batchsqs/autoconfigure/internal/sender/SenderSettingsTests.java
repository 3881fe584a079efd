/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.sender;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.MessageAttribute;
import io.github.batchsqs.autoconfigure.internal.settings.BatchSqsProperties;
import io.github.batchsqs.send.DeduplicationIds;
import io.github.batchsqs.send.SenderOptions;
import io.github.batchsqs.send.SenderOptions.Buffer;
import io.github.batchsqs.testkit.SettingsMetadata;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
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

    static Stream<Row> rows() {
        return Stream.of(
                new Row("linger", "20", options -> options.linger(Duration.ofMillis(20))),
                new Row(
                        "buffer-bytes",
                        "8MB",
                        options -> options.buffer(
                                new Buffer(8 << 20, DEFAULTS.buffer().maxBlock()))),
                new Row(
                        "max-block",
                        "3",
                        options -> options.buffer(new Buffer(DEFAULTS.buffer().bytes(), Duration.ofSeconds(3)))),
                new Row("delivery-timeout", "60", options -> options.deliveryTimeout(Duration.ofMinutes(1))),
                new Row("deduplication", "queue", options -> options.deduplication(DeduplicationIds.queue())),
                new Row("shutdown-timeout", "2", options -> options.shutdownTimeout(Duration.ofSeconds(2))),
                new Row("default-queue", "orders", options -> options.defaultQueue("orders")),
                new Row(
                        "default-attributes.source",
                        "web",
                        options -> options.defaultAttributes(Map.of("source", MessageAttribute.string("web")))));
    }

    @Test
    void everyKeyOfTheMetadataHasARow() {
        Stream<String> keys = rows().map(row -> row.key().replace(".source", ""));
        assertThat(Stream.concat(keys, Stream.of(TRANSACTIONAL)))
                .containsExactlyInAnyOrderElementsOf(SettingsMetadata.namesUnder(SENDER));
    }

    @ParameterizedTest
    @MethodSource("rows")
    void keyChangesItsOptionAndNoOther(Row row) {
        assertThat(options(Map.of(SENDER + row.key(), row.value())))
                .usingRecursiveComparison()
                .withStrictTypeChecking()
                .isEqualTo(row.change().apply(SenderOptions.builder()).build());
    }

    @Test
    void everyOptionHasAKeyButTheSizeAndTheNumberOfCalls() throws Exception {
        SenderOptions changed = options(rows().collect(Collectors.toMap(row -> SENDER + row.key(), Row::value)));
        List<String> unchanged = new ArrayList<>();
        for (Record[] pair : new Record[][] {{DEFAULTS, changed}, {DEFAULTS.buffer(), changed.buffer()}}) {
            for (RecordComponent each : pair[0].getClass().getRecordComponents()) {
                if (Objects.equals(
                        each.getAccessor().invoke(pair[0]), each.getAccessor().invoke(pair[1]))) {
                    unchanged.add(each.getName());
                }
            }
        }
        assertThat(unchanged).containsExactlyInAnyOrder("maxBatchBytes", "maxInFlight");
    }

    private static SenderOptions options(Map<String, String> properties) {
        var bound = new Binder(new MapConfigurationPropertySource(properties))
                .bindOrCreate("batchsqs", BatchSqsProperties.class);
        return SenderOptionsMapper.map(bound.sender(), null);
    }

    /**
     * A setting, a value that differs from the default, and what it does to the options.
     *
     * @param key the key without its prefix
     * @param value the value as it is written; a number without a unit means seconds, or milliseconds for {@code linger}
     */
    record Row(String key, String value, UnaryOperator<SenderOptions.Builder> change) {

        @Override
        public String toString() {
            return key;
        }
    }
}
