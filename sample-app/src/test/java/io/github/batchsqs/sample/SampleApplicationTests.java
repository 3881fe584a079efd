/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.sample;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.testkit.Progress;
import java.net.URI;
import java.util.Map;
import org.elasticmq.rest.sqs.SQSRestServer;
import org.elasticmq.rest.sqs.SQSRestServerBuilder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;

/** The sample as a process of its own, on a server that lives in this one. */
@Tag("evidence")
class SampleApplicationTests {

    private static final int ORDERS = 10_000;
    private static final int SOME = 3_000;

    /** What ElasticMQ puts into a poll that was aborted comes back after this. */
    private static final Map<QueueAttributeName, String> SOON_VISIBLE =
            Map.of(QueueAttributeName.VISIBILITY_TIMEOUT, "5");

    private SQSRestServer server;
    private URI endpoint;
    private SqsClient sqs;
    private String queueUrl;

    @BeforeEach
    void startServer() {
        server = SQSRestServerBuilder.withInterface("127.0.0.1")
                .withDynamicPort()
                .withAWSRegion("us-east-1")
                .start();
        endpoint = URI.create(
                "http://127.0.0.1:" + server.waitUntilStarted().localAddress().getPort());
        sqs = SqsClient.builder()
                .endpointOverride(endpoint)
                .region(Region.US_EAST_1)
                .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create("test", "test")))
                .httpClientBuilder(Apache5HttpClient.builder())
                .build();
        queueUrl = sqs.createQueue(request -> request.queueName("orders").attributes(SOON_VISIBLE))
                .queueUrl();
        sqs.createQueue(request ->
                request.queueName("shipments.fifo").attributes(Map.of(QueueAttributeName.FIFO_QUEUE, "true")));
        sqs.createQueue(request -> request.queueName("stock"));
    }

    @AfterEach
    void stopServer() {
        sqs.close();
        server.stopAndWait();
    }

    @Test
    void drainsTheFirstOrdersWithAFifthOfACallPerMessage() throws Exception {
        try (SampleProcess sample = SampleProcess.start(endpoint, ORDERS)) {
            var drained = sample.await("Drained ([\\d,]+) messages .* (\\d\\.\\d+) calls per message");
            assertThat(drained.group(1)).isEqualTo("10,000");
            assertThat(Double.parseDouble(drained.group(2))).isLessThanOrEqualTo(0.21);
            sample.terminate();
            assertThat(sample.handledInAll()).isEqualTo(ORDERS);
        }
        assertThat(left()).isZero();
    }

    @Test
    void logsTheAddressOfThePageBeforeTheDrainAndEndsItsStopWithoutAnError() throws Exception {
        try (SampleProcess sample = SampleProcess.start(endpoint, 100)) {
            sample.await("Open http://localhost:[1-9]\\d*$");
            sample.await("Drained 100 messages");
            sample.terminate();
            assertThat(sample.handledInAll()).isEqualTo(100);
            assertThat(sample.exitCode()).isZero();
        }
    }

    @Test
    void losesNothingWhenItIsStoppedInTheMiddleOfADrainAndStartedAgain() throws Exception {
        long handled = 0;
        // A slow drain, so that the stop comes in the middle of it
        try (SampleProcess first = SampleProcess.start(endpoint, SOME, "--batchsqs.listener.rate-limit=200")) {
            first.await("Listener orders: reads");
            awaitLeftBelow(SOME * 3 / 4);
            first.terminate();
            handled += first.handledInAll();
        }
        assertThat(handled).isBetween(1L, SOME - 1L);
        assertThat(handled + left()).isEqualTo(SOME);

        try (SampleProcess second = SampleProcess.start(endpoint, 0)) {
            second.await("Listener orders: reads");
            awaitLeftBelow(1);
            second.terminate();
            handled += second.handledInAll();
        }
        assertThat(handled).isEqualTo(SOME);
        assertThat(left()).isZero();
    }

    @Test
    @DisabledIfSystemProperty(
            named = "spring-boot.aot.skip",
            matches = "true",
            disabledReason = "Ahead-of-time processing was left out; .ci/page/run has it")
    void runsWhatAheadOfTimeProcessingMade() throws Exception {
        try (SampleProcess sample = SampleProcess.startAheadOfTime(endpoint, 100)) {
            sample.await("Starting AOT-processed SampleApplication");
            sample.await("Drained 100 messages");
            sample.terminate();
            assertThat(sample.handledInAll()).isEqualTo(100);
        }
    }

    private void awaitLeftBelow(int messages) {
        Progress.until(() -> left() < messages);
    }

    private int left() {
        Map<QueueAttributeName, String> attributes = sqs.getQueueAttributes(request -> request.queueUrl(queueUrl)
                        .attributeNames(
                                QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES,
                                QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES_NOT_VISIBLE))
                .attributes();
        return attributes.values().stream().mapToInt(Integer::parseInt).sum();
    }
}
