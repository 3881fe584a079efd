/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.sender;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.autoconfigure.internal.settings.BatchSqsProperties;
import io.github.batchsqs.send.DeduplicationIds;
import io.github.batchsqs.send.OutgoingMessage;
import io.github.batchsqs.send.SenderOptions;
import io.github.batchsqs.send.SenderOptions.Buffer;
import io.github.batchsqs.testkit.SettingsMetadata;
import java.lang.reflect.RecordComponent;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.util.ReflectionUtils;

/**
 * Every sender setting reaches its option: a setting that is forgotten in the properties, the mapper or the rows below fails
 * here. {@code SettingsReferenceTests} and {@code SettingsMetadataTests} check {@code docs/settings.md} and the defaults.
 */
class SenderSettingsTests {

    private static final String SENDER = "batchsqs.sender.";

    /** The template's binding to transactions, which is no option; see {@code SenderTests.WithinATransaction}. */
    private static final String TRANSACTIONAL = "transactional";

    /** Keys, values that differ from the defaults, and what they change; a number without a unit means seconds, or milliseconds for linger. */
    private static final String ROWS = """
            linger | 20 | linger=PT0.02S
            buffer-bytes | 8MB | bytes=8388608
            max-block | 3 | maxBlock=PT3S
            delivery-timeout | 60 | deliveryTimeout=PT1M
            deduplication | queue | deduplication=null
            shutdown-timeout | 2 | shutdownTimeout=PT2S
            default-queue | orders | defaultQueue=orders
            default-attributes.source | web | defaultAttributes={source=String[3 bytes]}
            """;

    @Test
    void everyKeyOfTheMetadataHasARow() {
        assertThat(Stream.concat(rows().map(row -> row[0].replace(".source", "")), Stream.of(TRANSACTIONAL)))
                .containsExactlyInAnyOrderElementsOf(SettingsMetadata.namesUnder(SENDER));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = ROWS)
    void keyChangesItsOptionAndNoOther(String key, String value, String changed) {
        Map<String, String> options = options(Map.of(SENDER + key, value));
        options.entrySet().removeAll(texts(SenderOptions.defaults()).entrySet());
        assertThat(options).hasToString("{" + changed + "}");
    }

    @Test
    void everyOptionHasAKeyButTheNumberOfCalls() {
        Map<String, String> options = options(rows().collect(Collectors.toMap(row -> SENDER + row[0], row -> row[1])));
        options.entrySet().retainAll(texts(SenderOptions.defaults()).entrySet());
        assertThat(options).containsOnlyKeys("maxInFlight");
    }

    private static Stream<String[]> rows() {
        return ROWS.lines().map(row -> row.split(" \\| "));
    }

    private static Map<String, String> options(Map<String, String> properties) {
        var bound = new Binder(new MapConfigurationPropertySource(properties))
                .bindOrCreate("batchsqs", BatchSqsProperties.class);
        return texts(SenderOptionsMapper.map(bound.sender(), null));
    }

    private static Map<String, String> texts(Record options) {
        Map<String, String> texts = new TreeMap<>();
        for (RecordComponent each : options.getClass().getRecordComponents()) {
            Object value = ReflectionUtils.invokeMethod(each.getAccessor(), options);
            switch (value) {
                case Buffer buffer -> texts.putAll(texts(buffer));
                case DeduplicationIds ids ->
                    texts.put(each.getName(), "" + ids.idOf(OutgoingMessage.of("q", "text"), "text"));
                case null, default -> texts.put(each.getName(), String.valueOf(value));
            }
        }
        return texts;
    }
}
