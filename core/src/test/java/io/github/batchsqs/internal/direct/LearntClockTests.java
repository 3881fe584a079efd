/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.direct;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.client.Queue;
import io.github.batchsqs.testkit.LogCapture;
import io.github.batchsqs.testkit.ScriptedHttpServer;
import io.github.batchsqs.testkit.ScriptedHttpServer.Response;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.SdkGlobalTime;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.sqs.SqsClient;

@Isolated("the SDK keeps the offset of a wrong clock for the whole JVM")
class LearntClockTests {

    @AfterEach
    void resetTheOffset() {
        SdkGlobalTime.setGlobalTimeOffset(0);
    }

    @Test
    void signsTheFirstRequestWithTheOffsetThatTheSdkHasLearntAndReportsItOnce() throws Exception {
        List<String> signed = new CopyOnWriteArrayList<>();
        SdkGlobalTime.setGlobalTimeOffset((int) Duration.ofHours(1).toSeconds()); // as after a call of the SDK
        try (LogCapture log = LogCapture.warnings();
                ScriptedHttpServer server = new ScriptedHttpServer(request -> {
                    signed.add(request.headers().get("x-amz-date"));
                    return Response.of(200, List.of(), "{\"Successful\":[{\"Id\":\"0\"}]}".getBytes(UTF_8));
                });
                SdkHttpClient http = Apache5HttpClient.create();
                SqsClient sqs = SqsClient.builder()
                        .endpointOverride(server.endpoint())
                        .region(Region.US_EAST_1)
                        .credentialsProvider(
                                StaticCredentialsProvider.create(AwsBasicCredentials.create("test", "test")))
                        .build()) {
            Instant machine = Instant.parse("2026-11-22T13:00:00Z");
            DirectQueueClient client = new DirectQueueClient(sqs, http, () -> machine);
            Queue queue = new Queue("orders", server.endpoint() + "/000000000000/orders");
            for (int i = 0; i < 2; i++) {
                assertThat(client.delete(queue, List.of("h"))).hasSize(1);
            }
            assertThat(log.event()).contains("is 3600 s ahead of that of SQS");
        }
        assertThat(signed).containsExactly("20261122T120000Z", "20261122T120000Z");
    }
}
