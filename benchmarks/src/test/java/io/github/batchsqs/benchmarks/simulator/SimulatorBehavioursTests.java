/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.simulator;

import io.github.batchsqs.client.Queue;
import io.github.batchsqs.internal.client.QueueClient;
import io.github.batchsqs.internal.sdk.AwsQueueClient;
import io.github.batchsqs.testkit.SqsBehaviours;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.sqs.SqsClient;

/** The model behind HTTP. */
class SimulatorBehavioursTests extends SqsBehaviours {

    private static Simulator simulator;
    private static SqsClient sqs;

    @BeforeAll
    static void start() throws InterruptedException {
        simulator = Simulator.start(0);
        sqs = SqsClient.builder()
                .endpointOverride(simulator.endpoint())
                .region(Region.US_EAST_1)
                .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create("test", "test")))
                .httpClientBuilder(Apache5HttpClient.builder())
                .build();
    }

    @AfterAll
    static void stop() {
        sqs.close();
        simulator.close();
    }

    @Override
    protected Server server() {
        return Server.SIMULATOR;
    }

    @Override
    protected QueueClient client() {
        return new AwsQueueClient(sqs);
    }

    @Override
    protected Queue create(String name, Map<String, String> attributes) {
        String url = sqs.createQueue(request -> request.queueName(name).attributesWithStrings(attributes))
                .queueUrl();
        return new Queue(name, url);
    }

    @Override
    protected String arn(Queue queue) {
        return Queues.arn(queue.name());
    }
}
