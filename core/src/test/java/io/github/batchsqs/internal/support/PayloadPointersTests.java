/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.support;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PayloadPointersTests {

    private static final String POINTER = "[\"software.amazon.payloadoffloading.PayloadS3Pointer\","
            + "{\"s3BucketName\":\"payloads\",\"s3Key\":\"orders/1\"}]";

    @ParameterizedTest
    @ValueSource(strings = {"ExtendedPayloadSize", "SQSLargePayloadSize"})
    void anAttributeAndABodyTogetherMakeAPointer(String marker) {
        assertThat(PayloadPointers.isPointer(POINTER, () -> Map.of(marker, 9))).isTrue();
        assertThat(PayloadPointers.isPointer("\n " + POINTER, () -> Map.of(marker, 9)))
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "an order",
                "[]",
                "{\"s3BucketName\":\"payloads\",\"s3Key\":\"orders/1\"}",
                "[\"a\",{\"s3BucketName\":\"payloads\"}]",
                "[\"a\",{\"s3Key\":\"orders/1\"}]"
            })
    void aBodyThatNamesNoBucketAndKeyIsNoPointer(String body) {
        assertThat(PayloadPointers.isPointer(body, () -> Map.of("ExtendedPayloadSize", 9)))
                .isFalse();
    }

    @Test
    void aBodyWithoutTheAttributeIsNoPointer() {
        assertThat(PayloadPointers.isPointer(POINTER, () -> Map.of("Other", 9))).isFalse();
    }

    @Test
    void aLargeBodyIsNotSearched() {
        assertThat(PayloadPointers.isPointer(POINTER + " ".repeat(20_000), () -> {
                    throw new AssertionError("was asked for its attributes");
                }))
                .isFalse();
    }
}
