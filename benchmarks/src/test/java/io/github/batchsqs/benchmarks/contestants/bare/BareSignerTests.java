/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.contestants.bare;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.http.ContentStreamProvider;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4HttpSigner;
import software.amazon.awssdk.http.auth.spi.signer.HttpSigner;
import software.amazon.awssdk.identity.spi.AwsCredentialsIdentity;

/** The signature is the one of the SDK's signer. */
class BareSignerTests {

    private static final String TARGET = "AmazonSQS.ReceiveMessage";

    @ParameterizedTest
    @ValueSource(strings = {"2026-01-01T00:00:00Z", "2026-01-01T00:00:01.5Z", "2026-12-31T23:59:59Z"})
    void signsAsTheSdkDoes(String time) throws GeneralSecurityException {
        BareSigner signer = new BareSigner("127.0.0.1:9324", "test", "secret");
        String before = signer.headers(TARGET, bytes("{}"), Instant.parse("2025-12-31T23:59:59Z"));
        Instant now = Instant.parse(time);
        byte[] body = bytes("{\"QueueUrl\":\"ü\"}");

        assertThat(signer.headers(TARGET, body, now))
                .isNotEqualTo(before)
                .contains("Authorization: " + ofTheSdk(body, now) + "\r\n");
    }

    private static String ofTheSdk(byte[] body, Instant now) {
        SdkHttpRequest request = SdkHttpRequest.builder()
                .method(SdkHttpMethod.POST)
                .uri(URI.create("http://127.0.0.1:9324/"))
                .putHeader("Host", "127.0.0.1:9324")
                .putHeader("Content-Type", BareSigner.CONTENT_TYPE)
                .putHeader("X-Amz-Target", TARGET)
                .build();
        List<String> signatures = AwsV4HttpSigner.create()
                .sign(sign -> sign.identity(AwsCredentialsIdentity.create("test", "secret"))
                        .request(request)
                        .payload(ContentStreamProvider.fromByteArray(body))
                        .putProperty(AwsV4HttpSigner.SERVICE_SIGNING_NAME, "sqs")
                        .putProperty(AwsV4HttpSigner.REGION_NAME, "us-east-1")
                        .putProperty(HttpSigner.SIGNING_CLOCK, Clock.fixed(now, ZoneOffset.UTC)))
                .request()
                .matchingHeaders("Authorization");
        return signatures.getFirst();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
