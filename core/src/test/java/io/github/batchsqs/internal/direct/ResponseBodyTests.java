/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.direct;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.http.AbortableInputStream;
import software.amazon.awssdk.http.HttpExecuteResponse;
import software.amazon.awssdk.http.SdkHttpFullResponse;

/** How much memory the body of a response takes. */
class ResponseBodyTests {

    private static final int LARGE = 5 << 20;

    @Test
    void aLargeBodyTakesWhatItClaims() {
        try (ResponseBody body = read(LARGE, Long.toString(LARGE))) {
            assertThat(body.length()).isEqualTo(LARGE);
            assertThat(body.bytes()).hasSize(LARGE + 1);
        }
    }

    @Test
    void aLargeBodyWithoutALengthTakesAtMostTwiceItsSize() {
        try (ResponseBody body = read(LARGE, null)) {
            assertThat(body.length()).isEqualTo(LARGE);
            assertThat(body.bytes()).hasSizeLessThanOrEqualTo(2 * LARGE);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {Long.MAX_VALUE, Integer.MAX_VALUE, ResponseBody.LARGEST})
    void aClaimFarBeyondWhatHasComeIsNotBelieved(long claimed) {
        try (ResponseBody body = read(100_000, Long.toString(claimed))) {
            assertThat(body.length()).isEqualTo(100_000);
            assertThat(body.bytes()).hasSizeLessThan(2 << 20);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"-9223372036854775808", "-2", "0", "1", "many", ""})
    void aClaimBelowWhatComesIsNoLimit(String claimed) {
        try (ResponseBody body = read(LARGE, claimed)) {
            assertThat(body.length()).isEqualTo(LARGE);
            assertThat(body.cut()).isNull();
        }
    }

    private static ResponseBody read(int length, @Nullable String claimed) {
        byte[] content = new byte[length];
        Arrays.fill(content, (byte) 'x');
        SdkHttpFullResponse.Builder response = SdkHttpFullResponse.builder().statusCode(200);
        if (claimed != null) {
            response.putHeader("Content-Length", claimed);
        }
        return ResponseBody.read(HttpExecuteResponse.builder()
                .response(response.build())
                .responseBody(AbortableInputStream.create(new ByteArrayInputStream(content)))
                .build());
    }
}
