/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.SplittableRandom;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** RFC 8785 by its own examples. */
class CanonicalJsonTests {

    private static final Pattern NUMBER =
            Pattern.compile("-?(0|0\\.\\d*[1-9]|[1-9]\\d*(\\.\\d*[1-9])?)(e[+-][1-9]\\d*)?");

    private static final JsonMapper MAPPER = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .build();

    @Test
    void writesTheExampleOfSection322() {
        String canonical = canonical("""
                {
                  "numbers": [333333333.33333329, 1E30, 4.50,
                              2e-3, 0.000000000000000000000000001],
                  "string": "\\u20ac$\\u000F\\u000aA'\\u0042\\u0022\\u005c\\\\\\"\\/",
                  "literals": [null, true, false]
                }
                """);
        assertThat(canonical)
                .isEqualTo("{\"literals\":[null,true,false],\"numbers\":[333333333.3333333,1e+30,4.5,0.002,1e-27],"
                        + "\"string\":\"€$\\u000f\\nA'B\\\"\\\\\\\\\\\"/\"}");
    }

    @Test
    void hasTheBytesOfSection324() {
        String canonical = canonical("""
                {"numbers":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001],
                 "string":"\\u20ac$\\u000F\\u000aA'\\u0042\\u0022\\u005c\\\\\\"\\/","literals":[null,true,false]}
                """);
        String published = """
                7b 22 6c 69 74 65 72 61 6c 73 22 3a 5b 6e 75 6c 6c 2c 74 72 75 65 2c 66 61 6c 73 65 5d 2c 22 6e
                75 6d 62 65 72 73 22 3a 5b 33 33 33 33 33 33 33 33 33 2e 33 33 33 33 33 33 33 2c 31 65 2b 33 30
                2c 34 2e 35 2c 30 2e 30 30 32 2c 31 65 2d 32 37 5d 2c 22 73 74 72 69 6e 67 22 3a 22 e2 82 ac 24
                5c 75 30 30 30 66 5c 6e 41 27 42 5c 22 5c 5c 5c 5c 5c 22 2f 22 7d
                """;
        assertThat(HexFormat.of().formatHex(canonical.getBytes(StandardCharsets.UTF_8)))
                .isEqualTo(published.replaceAll("\\s", ""));
    }

    @Test
    void sortsTheExampleOfSection323ByUtf16() {
        String canonical = canonical("""
                {
                  "\\u20ac": "Euro Sign",
                  "\\r": "Carriage Return",
                  "\\ufb33": "Hebrew Letter Dalet With Dagesh",
                  "1": "One",
                  "\\ud83d\\ude00": "Emoji: Grinning Face",
                  "\\u0080": "Control",
                  "\\u00f6": "Latin Small Letter O With Diaeresis"
                }
                """);
        assertThat(canonical)
                .isEqualTo("{\"\\r\":\"Carriage Return\",\"1\":\"One\",\"\u0080\":\"Control\","
                        + "\"ö\":\"Latin Small Letter O With Diaeresis\",\"€\":\"Euro Sign\","
                        + "\"\ud83d\ude00\":\"Emoji: Grinning Face\","
                        + "\"\ufb33\":\"Hebrew Letter Dalet With Dagesh\"}");
    }

    @ParameterizedTest
    @CsvSource({
        "0000000000000000, 0",
        "8000000000000000, 0",
        "0000000000000001, 5e-324",
        "8000000000000001, -5e-324",
        "7fefffffffffffff, 1.7976931348623157e+308",
        "ffefffffffffffff, -1.7976931348623157e+308",
        "4340000000000000, 9007199254740992",
        "c340000000000000, -9007199254740992",
        "4430000000000000, 295147905179352830000",
        "44b52d02c7e14af5, 9.999999999999997e+22",
        "44b52d02c7e14af6, 1e+23",
        "44b52d02c7e14af7, 1.0000000000000001e+23",
        "444b1ae4d6e2ef4e, 999999999999999700000",
        "444b1ae4d6e2ef4f, 999999999999999900000",
        "444b1ae4d6e2ef50, 1e+21",
        "3eb0c6f7a0b5ed8c, 9.999999999999997e-7",
        "3eb0c6f7a0b5ed8d, 0.000001",
        "41b3de4355555553, 333333333.3333332",
        "41b3de4355555554, 333333333.33333325",
        "41b3de4355555555, 333333333.3333333",
        "41b3de4355555556, 333333333.3333334",
        "41b3de4355555557, 333333333.33333343",
        "becbf647612f3696, -0.0000033333333333333333",
        "43143ff3c1cb0959, 1424953923781206.2"
    })
    void writesTheNumbersOfAppendixB(String bits, String expected) {
        assertThat(EcmaNumbers.write(Double.longBitsToDouble(Long.parseUnsignedLong(bits, 16))))
                .isEqualTo(expected);
    }

    @Test
    void writesNumbersThatReadBackAsTheSame() {
        SplittableRandom random = new SplittableRandom(8785);
        for (int i = 0; i < 100_000; i++) {
            double value = Double.longBitsToDouble(random.nextLong());
            if (Double.isFinite(value)) {
                String written = EcmaNumbers.write(value);
                if (Double.parseDouble(written) != value
                        || !NUMBER.matcher(written).matches()) {
                    throw new AssertionError(Double.toHexString(value) + " was written as " + written);
                }
            }
        }
    }

    @Test
    void keepsArraysInOrderAndEmptyOnesEmpty() {
        assertThat(canonical("[56, {\"d\": true, \"10\": null, \"1\": [ ], \"\": { }}]"))
                .isEqualTo("[56,{\"\":{},\"1\":[],\"10\":null,\"d\":true}]");
    }

    @Test
    void doesNotNormalizeUnicode() {
        assertThat(canonical("[\"A\\u030a\", \"\\u00c5\"]")).isEqualTo("[\"A\u030a\",\"\u00c5\"]");
    }

    @ParameterizedTest
    @ValueSource(strings = {"[\"\\udead\"]", "[\"\\ud83d\"]", "[\"\\ude00\\ud83d\"]", "{\"\\ud83dx\": 1}", "[1e400]"})
    void refusesWhatIsNotIJson(String json) {
        assertThatThrownBy(() -> canonical(json)).isInstanceOf(CanonicalJson.NotCanonicalException.class);
    }

    @Test
    void keepsTheDigitsThatADoubleLoses() {
        CanonicalJson json = CanonicalJson.of(MAPPER.readTree(
                "{\"b\": 9007199254740993, \"a\": 12345678901234567.890, \"c\": 0.1, \"d\": 1e5, \"e\": 1.50}"));
        assertThat(json.text())
                .isEqualTo("{\"a\":12345678901234568,\"b\":9007199254740992,\"c\":0.1,\"d\":100000,\"e\":1.5}");
        assertThat(json.exactNumbers()).isEqualTo("0=12345678901234567.89,1=9007199254740993,");
        assertThat(new BigDecimal("9007199254740993").doubleValue()).isEqualTo(9007199254740992.0);
    }

    private static String canonical(String json) {
        JsonNode root = MAPPER.readTree(json);
        return CanonicalJson.of(root).text();
    }
}
