/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.direct;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;

class RequestSignerTests {

    private static final Instant NOW = Instant.parse("2020-11-22T12:00:00Z");

    private final RequestSigner signer = new RequestSigner(
            "us-east-1",
            "sqs",
            SdkHttpRequest.builder()
                    .method(SdkHttpMethod.POST)
                    .uri(URI.create("https://sqs.us-east-1.amazonaws.com/"))
                    .build(),
            Map.of("host", List.of("sqs.us-east-1.amazonaws.com")));

    @Test
    void aKeyWhoseSecretWasReplacedSignsWithTheNewOne() {
        assertThat(signed("first")).isEqualTo(signed("first")).isNotEqualTo(signed("second"));
    }

    private List<String> signed(String secret) {
        return signer.sign(AwsBasicCredentials.create("key", secret), NOW, "AmazonSQS.SendMessageBatch", JsonWriter.take())
                .matchingHeaders("authorization");
    }
}
