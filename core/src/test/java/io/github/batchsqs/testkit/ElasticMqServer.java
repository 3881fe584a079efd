/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.testkit;

import io.github.batchsqs.client.HttpClientOptions;
import io.github.batchsqs.client.Queue;
import io.github.batchsqs.internal.client.QueueClient;
import io.github.batchsqs.internal.direct.DirectQueueClient;
import io.github.batchsqs.internal.http.PooledHttpClient;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.elasticmq.rest.sqs.SQSRestServer;
import org.elasticmq.rest.sqs.SQSRestServerBuilder;
import org.testcontainers.localstack.LocalStackContainer;
import org.testcontainers.utility.DockerImageName;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.retries.api.RetryStrategy;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;

/**
 * A real SQS server for tests: ElasticMQ in this JVM, one for all tests, or whatever answers at the system property
 * {@code batchsqs.test.endpoint} ({@code docker} for LocalStack in Docker; region by {@code batchsqs.test.region}, default us-east-1).
 *
 * <p>Each test makes queues of its own. Server and client end with the JVM.
 */
public final class ElasticMqServer {

    /** The endpoint that stands for LocalStack, started in Docker by the first test that asks. */
    static final String DOCKER = "docker";

    private static final int LOOKS_AT_AN_EMPTY_QUEUE = 3;
    private static final Duration READ_TIMEOUT = Duration.ofSeconds(30);

    /** Two or five seconds are not enough on a machine that stalls. */
    private static final Duration CONNECT_TIMEOUT = Duration.ofMinutes(1);

    private static final String LOCALSTACK_IMAGE = "localstack/localstack:4.14.0";

    private final URI endpoint;
    private final Region region;
    private final boolean elasticMq;
    private final SqsClient client;
    private final QueueClient queueClient;

    private ElasticMqServer(URI endpoint, Region region, boolean elasticMq) {
        this.endpoint = endpoint;
        this.region = region;
        this.elasticMq = elasticMq;
        this.client = newClient(endpoint, region);
        this.queueClient = newQueueClient(client);
    }

    /** The server that all tests of this JVM share; started by the first that asks. */
    public static ElasticMqServer shared() {
        return Shared.INSTANCE;
    }

    public URI endpoint() {
        return endpoint;
    }

    public Region region() {
        return region;
    }

    /** Whether ElasticMQ answers, for the few assertions where servers differ. */
    public boolean elasticMq() {
        return elasticMq;
    }

    /**
     * Whether it withholds later messages of a group while an earlier one is in flight, those given back included. SQS and
     * ElasticMQ do; on LocalStack a message that was given back overtakes one that is still in flight.
     */
    public boolean keepsOrderOfWhatIsGivenBack() {
        return elasticMq || endpoint.getHost().endsWith(".amazonaws.com");
    }

    /** The shared client. */
    public SqsClient client() {
        return client;
    }

    /** The shared client for messages, as the library makes it unless told otherwise. */
    public QueueClient queueClient() {
        return queueClient;
    }

    /** A further client as the library recommends it; the caller closes it. */
    public SqsClient newClient() {
        return newClient(endpoint, region);
    }

    /** A standard queue with a name that no other test has. */
    public Queue createQueue(Map<QueueAttributeName, String> attributes) {
        return create(randomName(), attributes);
    }

    /** A FIFO queue with a name that no other test has. */
    public Queue createFifoQueue(Map<QueueAttributeName, String> attributes) {
        Map<QueueAttributeName, String> all = new HashMap<>(attributes);
        all.put(QueueAttributeName.FIFO_QUEUE, "true");
        return create(randomName() + ".fifo", all);
    }

    /**
     * All messages of a queue, hidden or not. LocalStack counts the visible ones first and the hidden ones after that, and a
     * message whose timeout ends between the two counts is in neither: a queue is empty if several looks say so.
     */
    public int size(Queue queue) {
        int size = sizeAtOneLook(queue);
        for (int look = 1; size == 0 && look < LOOKS_AT_AN_EMPTY_QUEUE; look++) {
            size = sizeAtOneLook(queue);
        }
        return size;
    }

    /** Both counts come from one call: between two calls, a message might change from hidden to visible. */
    private int sizeAtOneLook(Queue queue) {
        return client
                .getQueueAttributes(request -> request.queueUrl(queue.url())
                        .attributeNames(
                                QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES,
                                QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES_NOT_VISIBLE))
                .attributes()
                .values()
                .stream()
                .mapToInt(Integer::parseInt)
                .sum();
    }

    /** A name that no queue has. */
    public static String randomName() {
        return "test-" + UUID.randomUUID();
    }

    /** A client as the library recommends it, for any endpoint. */
    public static SqsClient newClient(URI endpoint, Region region) {
        return newClient(endpoint, region, AwsRetryStrategy.standardRetryStrategy());
    }

    /** A client with these credentials, that does not retry by itself. */
    public static SqsClient newClient(URI endpoint, Region region, AwsCredentialsProvider credentials) {
        return newClient(endpoint, region, AwsRetryStrategy.doNotRetry(), credentials);
    }

    static SqsClient newClient(URI endpoint, Region region, RetryStrategy retries) {
        return newClient(
                endpoint,
                region,
                retries,
                StaticCredentialsProvider.create(AwsBasicCredentials.create("test", "test")));
    }

    private static SqsClient newClient(
            URI endpoint, Region region, RetryStrategy retries, AwsCredentialsProvider credentials) {
        return SqsClient.builder()
                .endpointOverride(endpoint)
                .region(region)
                .credentialsProvider(credentials)
                .httpClientBuilder(Apache5HttpClient.builder()
                        .maxConnections(200)
                        .connectionTimeout(CONNECT_TIMEOUT)
                        .connectionAcquisitionTimeout(CONNECT_TIMEOUT)
                        .socketTimeout(READ_TIMEOUT))
                .overrideConfiguration(override -> override.retryStrategy(retries))
                .build();
    }

    /** Calls with what the client is set up with, as the library makes them unless told otherwise; ends with the JVM. */
    public static QueueClient newQueueClient(SqsClient sqs) {
        return new DirectQueueClient(sqs, newHttpClient(READ_TIMEOUT));
    }

    /** The library's HTTP client, whose calls of the SDK may last so long. */
    public static SdkHttpClient newHttpClient(Duration longestSilence) {
        return new PooledHttpClient(
                HttpClientOptions.defaults().withMaxConnections(200).withConnectTimeout(CONNECT_TIMEOUT),
                longestSilence);
    }

    private Queue create(String name, Map<QueueAttributeName, String> attributes) {
        String url = client.createQueue(request -> request.queueName(name).attributes(attributes))
                .queueUrl();
        return new Queue(name, url);
    }

    private static ElasticMqServer start() {
        String given = endpointProperty();
        if (given.equals(DOCKER)) {
            return startInDocker();
        }
        if (!given.isEmpty()) {
            Region region = Region.of(System.getProperty("batchsqs.test.region", "us-east-1"));
            return new ElasticMqServer(URI.create(given), region, false);
        }
        SQSRestServer server = SQSRestServerBuilder.withInterface("127.0.0.1")
                .withDynamicPort()
                .withAWSRegion("us-east-1")
                .start();
        int port = server.waitUntilStarted().localAddress().getPort();
        return new ElasticMqServer(URI.create("http://127.0.0.1:" + port), Region.US_EAST_1, true);
    }

    /** Ends with the JVM: Testcontainers sees to it. */
    @SuppressWarnings("resource")
    private static ElasticMqServer startInDocker() {
        LocalStackContainer container =
                new LocalStackContainer(DockerImageName.parse(LOCALSTACK_IMAGE)).withServices("sqs");
        container.start();
        return new ElasticMqServer(container.getEndpoint(), Region.of(container.getRegion()), false);
    }

    /** What the system property says; empty for ElasticMQ in this JVM. */
    static String endpointProperty() {
        return System.getProperty("batchsqs.test.endpoint", "");
    }

    private static final class Shared {
        static final ElasticMqServer INSTANCE = start();
    }
}
