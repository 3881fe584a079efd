/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.s3;

import io.github.batchsqs.testkit.SqsQueues;
import java.net.URI;
import java.time.Duration;
import org.elasticmq.rest.sqs.SQSRestServer;
import org.elasticmq.rest.sqs.SQSRestServerBuilder;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;

/**
 * ElasticMQ in this JVM, which all tests share, or the server at the system property {@code batchsqs.test.endpoint}, which has S3 as
 * well. Server and client end with the JVM.
 */
final class Queues {

    private static final String GIVEN = System.getProperty("batchsqs.test.endpoint", "");

    static final URI ENDPOINT = GIVEN.isEmpty() ? start() : URI.create(GIVEN);

    static final SqsQueues SQS = SqsQueues.at(ENDPOINT);

    private Queues() {}

    /** Returns whether the server has S3 as well. */
    static boolean withS3() {
        return !GIVEN.isEmpty();
    }

    private static URI start() {
        SQSRestServer server = SQSRestServerBuilder.withInterface("127.0.0.1")
                .withDynamicPort()
                .withAWSRegion("us-east-1")
                .start();
        int port = server.waitUntilStarted().localAddress().getPort();
        return URI.create("http://127.0.0.1:" + port);
    }

    /** A client as an application has it. */
    static S3Client s3(URI endpoint) {
        return S3Client.builder()
                .endpointOverride(endpoint)
                .region(Region.US_EAST_1)
                .credentialsProvider(SqsQueues.CREDENTIALS)
                .forcePathStyle(true)
                .httpClientBuilder(Apache5HttpClient.builder().connectionTimeout(Duration.ofMinutes(1)))
                .build();
    }
}
