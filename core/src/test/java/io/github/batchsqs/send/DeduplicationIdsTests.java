/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.send;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.batchsqs.codec.JacksonPayloadCodec;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.json.JsonMapper;

class DeduplicationIdsTests {

    private final JacksonPayloadCodec codec = new JacksonPayloadCodec(JsonMapper.shared());
    private final DeduplicationIds content = DeduplicationIds.content();

    record Line(String sku, int count) {}

    record Order(String id, double total, List<Line> lines) {}

    @Test
    void areEqualForAMapAndARecordOfEqualContent() {
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("count", 2L);
        line.put("sku", "ä");
        Map<String, Object> order = new LinkedHashMap<>();
        order.put("total", new BigDecimal("10.50"));
        order.put("lines", List.of(line));
        order.put("id", "o1");
        assertThat(id("g", order)).isEqualTo(id("g", new Order("o1", 10.5, List.of(new Line("ä", 2)))));
    }

    @Test
    void differByGroup() {
        assertThat(id("g", "{}")).isNotEqualTo(id("h", "{}"));
        assertThat(id("g", "1text")).isNotEqualTo(id("g1", "text"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {"a":"1:b"} | {"a":[1,"b"]}
            {"a":"\\ud800"} | {"a":"?"}
            ["\\ud800"] | ["\\ud801"]
            [1,2] | [12]
            [1,2] | [2,1]
            ["1"] | [1]
            [true] | ["true"]
            [null] | []
            {} | []
            [[],1] | [[1]]
            {"a":1} | {"a":2}
            {"a":{},"b":1} | {"a":{"b":1}}
            {"a":1} | {1:a#1;}
            {"id":9007199254740993} | {"id":9007199254740992}
            {"a":9007199254740993,"b":9007199254740992} | {"a":9007199254740992,"b":9007199254740993}
            [1e400] | [1e401]
            {"a":100e2147483647} | {"a":1000e2147483647}
            # no JSON object or array
            text | 'text '
            1.0 | 1
            {"a":1,"a":2} | {"a":2}
            {"a": | {"b":
            {} {} | {}
            """)
    void differByEveryPartOfTheContent(String one, String other) {
        assertThat(id("g", one)).isNotEqualTo(id("g", other));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            [100] | [1e2]
            [1.0] | [1.00]
            [1.00] | [1e0]
            [10000000000000000000000] | [1e22]
            [0] | [-0.00]
            [0.10] | [1E-1]
            ["\\u0041"] | [ "A" ]
            { "b" : 1.0, "a" : "\\u00e4" } | {"a":"ä","b":1}
            """)
    void areEqualForEqualValues(String one, String other) {
        assertThat(id("g", one)).isEqualTo(id("g", other)).matches("[0-9a-f]{64}");
    }

    @Test
    void stayTheSameOverReleases() {
        assertThat(id("g", "{\"b\":[1.50,\"ä/\\n\\u001f\"],\"a\":null}"))
                .isEqualTo("2bf96642887dce642e743c78bf880af4585e953a85d659f4ab31f4f3163f9e7b");
    }

    /** Written with all of its digits, each of the numbers would take 10,000 characters. */
    @Test
    void takeTheSpaceOfTheirContentWhateverItsNumbersAre() {
        String numbers = "1e9999,".repeat(36_000);
        assertThat(id("g", "[" + numbers + "1]"))
                .isEqualTo(id("g", "[" + numbers + "1.0]"))
                .isNotEqualTo(id("g", "[" + numbers + "2]"));
    }

    @Test
    void takeNumbersBeyondAllBoundsAsTheyStand() {
        assertThat(id("g", "[1e-2147483648]")).isNotEqualTo(id("g", "[1e-2147483648 ]"));
    }

    @Test
    void takeWhatIsNestedTooDeeplyAsItStands() {
        assertThat(id("g", "[".repeat(5_000))).isNotEqualTo(id("g", "[".repeat(5_001)));
        assertThat(id("g", "[".repeat(5_000) + "]".repeat(5_000))).matches("[0-9a-f]{64}");
    }

    @Test
    void comeFromABusinessKey() {
        DeduplicationIds key =
                DeduplicationIds.key(message -> message.attributes().containsKey("key")
                        ? message.attributes().get("key").stringValue()
                        : null);
        assertThat(key.idOf(
                        OutgoingMessage.builder("q", "text")
                                .attribute("key", "k1")
                                .build(),
                        "text"))
                .isEqualTo("k1");
        assertThatThrownBy(() -> key.idOf(OutgoingMessage.of("q", "text"), "text"))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void areLeftToTheQueue() {
        assertThat(DeduplicationIds.queue().idOf(OutgoingMessage.of("q", "text"), "text"))
                .isNull();
    }

    private @Nullable String id(String group, Object payload) {
        OutgoingMessage message =
                OutgoingMessage.builder("q.fifo", payload).groupId(group).build();
        return content.idOf(message, codec.write(payload));
    }
}
