/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.sdk;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.security.MessageDigest;
import java.util.HexFormat;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DigestsTests {

    @ParameterizedTest
    @ValueSource(strings = {"", "ascii", "then \u00fc and \ud83d\ude00 and ascii", "\u20ac first", "\ud800"})
    void areThoseOfTheBytesOfABodyOfAnyLength(String end) throws Exception {
        for (int before : new int[] {0, 1, 4_095, 4_096, 4_097}) {
            String body = "a".repeat(before) + end;
            String expected =
                    HexFormat.of().formatHex(MessageDigest.getInstance("MD5").digest(body.getBytes(UTF_8)));
            assertThat(Digests.ofBody(body)).isEqualTo(expected);
            assertThat(Digests.isOfBody(body, expected)).isTrue();
            assertThat(Digests.isOfBody(body + "x", expected)).isFalse();
        }
    }
}
