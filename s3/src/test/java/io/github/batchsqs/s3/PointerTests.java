/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.github.batchsqs.MessageAttribute;
import io.github.batchsqs.ReceivedMessage;
import io.github.batchsqs.payload.PayloadStoreException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.payloadoffloading.PayloadS3Pointer;

class PointerTests {

    @ParameterizedTest
    @ValueSource(strings = {"key", "orders/4711", "a \"quoted\" \\ key", "ümläut/✓"})
    void writesAndReadsWhatTheLibraryWrites(String key) {
        String json = new PayloadS3Pointer("bucket", key).toJson();
        assertThat(new Pointer("bucket", key).toJson()).isEqualTo(json);
        assertThat(Pointer.of(message(json))).isEqualTo(new Pointer("bucket", key));
    }

    @Test
    void readsThePointersOfVersionOne() {
        assertThat(Pointer.of(message("[\"com.amazon.sqs.javamessaging.MessageS3Pointer\","
                        + "{\"s3BucketName\":\"bucket\",\"s3Key\":\"key\"}]")))
                .isEqualTo(new Pointer("bucket", "key"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "an order",
                "{}",
                "[]",
                "[\"a\"]",
                "[\"a\",{}]",
                "[\"a\",{\"s3BucketName\":\"b\"}]",
                "[\"a\",{\"s3BucketName\":\"\",\"s3Key\":\"k\"}]",
                "[\"a\",{\"s3BucketName\":[1],\"s3Key\":{}}]",
                ""
            })
    void aBodyThatIsNoPointerIsUnreadableAndNotQuoted(String body) {
        assertThatExceptionOfType(PayloadStoreException.class)
                .isThrownBy(() -> Pointer.of(message(body)))
                .withMessageContaining("ExtendedPayloadSize")
                .withMessageNotContaining("an order")
                .matches(e -> !e.retryable());
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1", "", "1.5", "many", "99999999999999999999"})
    void aSizeThatIsNoNumberIsNotKnown(String size) {
        assertThat(Pointer.size(MessageAttribute.text("Number", size))).isZero();
        assertThat(Pointer.size(MessageAttribute.binary(new byte[] {1}))).isZero();
        assertThat(Pointer.size(null)).isZero();
    }

    private static ReceivedMessage message(String body) {
        ReceivedMessage message = mock();
        when(message.body()).thenReturn(body);
        return message;
    }
}
