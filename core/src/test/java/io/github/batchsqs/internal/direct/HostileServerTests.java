/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.direct;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.github.batchsqs.client.HttpClientOptions;
import io.github.batchsqs.client.Queue;
import io.github.batchsqs.client.QueueCallException;
import io.github.batchsqs.internal.client.QueueClient;
import io.github.batchsqs.internal.http.PooledHttpClient;
import io.github.batchsqs.testkit.ConnectionServer;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.sqs.SqsClient;

/** A server that sends more than any response of SQS has. */
class HostileServerTests {

    private static final byte[] MEGABYTE = " ".repeat(1 << 20).getBytes(US_ASCII);

    @Test
    void anEndlessBodyEndsAtTheLimit() throws Exception {
        assertTooLarge(new ConnectionServer(socket -> {
            socket.getOutputStream().write("HTTP/1.1 200 OK\r\n\r\n".getBytes(US_ASCII));
            while (true) {
                socket.getOutputStream().write(MEGABYTE);
            }
        }));
    }

    private static void assertTooLarge(ConnectionServer hostile) throws IOException {
        URI endpoint = URI.create("http://127.0.0.1:" + hostile.port());
        try (hostile;
                PooledHttpClient http = new PooledHttpClient(HttpClientOptions.defaults(), Duration.ofSeconds(30));
                SqsClient sqs = SqsClient.builder()
                        .endpointOverride(endpoint)
                        .region(Region.US_EAST_1)
                        .credentialsProvider(
                                StaticCredentialsProvider.create(AwsBasicCredentials.create("key", "secret")))
                        .overrideConfiguration(override -> override.retryStrategy(AwsRetryStrategy.doNotRetry()))
                        .build()) {
            QueueClient client = new DirectQueueClient(sqs, http);
            Queue queue = new Queue("orders", endpoint + "/000000000000/orders");
            QueueCallException failure =
                    catchThrowableOfType(QueueCallException.class, () -> client.delete(queue, List.of("h")));
            assertThat(failure).hasMessageContaining("larger than " + ResponseBody.LARGEST + " bytes");
            assertThat(failure.code()).isEqualTo("UnreadableResponse");
            assertThat(failure.retryable()).isTrue();
        }
    }
}
