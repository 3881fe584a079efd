/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.jdbc.reliability;

import java.io.BufferedReader;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.elasticmq.rest.sqs.SQSRestServerBuilder;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageSystemAttributeName;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchRequestEntry;

/** ElasticMQ in a process of its own, or the server at the system property {@code batchsqs.test.endpoint}; and its queues. */
final class SqsProcess implements AutoCloseable {

    private static final String GIVEN = System.getProperty("batchsqs.test.endpoint", "");
    private static final String STARTED = "endpoint ";
    private static final int BATCH = 10;
    private static final Duration LONGEST_DRAIN = Duration.ofMinutes(5);

    private final @Nullable Process process;
    private final URI endpoint;
    private final SqsClient sqs;

    SqsProcess(Path log) throws IOException {
        if (GIVEN.isEmpty()) {
            process = JavaProcess.builder(SqsProcess.class, "-Xmx768m", List.of())
                    .redirectError(Redirect.appendTo(log.toFile()))
                    .start();
            endpoint = URI.create(line(process.inputReader()));
        } else {
            process = null;
            endpoint = URI.create(GIVEN);
        }
        sqs = SqsClient.builder()
                .endpointOverride(endpoint)
                .region(Region.US_EAST_1)
                .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create("key", "secret")))
                .httpClientBuilder(Apache5HttpClient.builder())
                .build();
    }

    /** The server, which ends when its input does. */
    public static void main(String... arguments) throws IOException {
        int port = SQSRestServerBuilder.withInterface("127.0.0.1")
                .withDynamicPort()
                .withAWSRegion(Region.US_EAST_1.id())
                .start()
                .waitUntilStarted()
                .localAddress()
                .getPort();
        System.out.println(STARTED + "http://127.0.0.1:" + port);
        int unused = System.in.read();
        Runtime.getRuntime().halt(0);
    }

    private static String line(BufferedReader output) throws IOException {
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            if (line.startsWith(STARTED)) {
                Thread unused = Thread.ofVirtual().start(() -> output.lines().forEach(ignored -> {}));
                return line.substring(STARTED.length());
            }
        }
        throw new IOException("The SQS server did not start");
    }

    URI endpoint() {
        return endpoint;
    }

    String name() {
        return GIVEN.isEmpty() ? "ElasticMQ" : GIVEN;
    }

    String create(String suffix, Map<QueueAttributeName, String> attributes) {
        String name = "once-" + UUID.randomUUID() + suffix;
        Map<QueueAttributeName, String> all = new HashMap<>(attributes);
        if (suffix.endsWith(".fifo")) {
            all.put(QueueAttributeName.FIFO_QUEUE, "true");
        }
        var unused = sqs.createQueue(request -> request.queueName(name).attributes(all));
        return name;
    }

    /** A queue with leases of a few seconds, so that the messages of a killed process return soon. */
    String createWithDeadLetters(String deadLetters, int seconds) {
        String arn = sqs.getQueueAttributes(
                        request -> request.queueUrl(url(deadLetters)).attributeNames(QueueAttributeName.QUEUE_ARN))
                .attributes()
                .get(QueueAttributeName.QUEUE_ARN);
        return create(
                "",
                Map.of(
                        QueueAttributeName.VISIBILITY_TIMEOUT,
                        Integer.toString(seconds),
                        QueueAttributeName.REDRIVE_POLICY,
                        "{\"deadLetterTargetArn\":\"" + arn + "\",\"maxReceiveCount\":\"100\"}"));
    }

    private String url(String queue) {
        return sqs.getQueueUrl(request -> request.queueName(queue)).queueUrl();
    }

    void send(String queue, List<String> bodies) {
        String url = url(queue);
        for (int from = 0; from < bodies.size(); from += BATCH) {
            List<SendMessageBatchRequestEntry> entries = new ArrayList<>();
            for (String body : bodies.subList(from, Math.min(bodies.size(), from + BATCH))) {
                entries.add(SendMessageBatchRequestEntry.builder()
                        .id("m" + entries.size())
                        .messageBody(body)
                        .build());
            }
            var response = sqs.sendMessageBatch(request -> request.queueUrl(url).entries(entries));
            if (response.hasFailed() && !response.failed().isEmpty()) {
                throw new AssertionError("Not sent: " + response.failed());
            }
        }
    }

    /** Returns how many messages a queue has, hidden or not. */
    int size(String queue) {
        return sqs
                .getQueueAttributes(request -> request.queueUrl(url(queue))
                        .attributeNames(
                                QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES,
                                QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES_NOT_VISIBLE,
                                QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES_DELAYED))
                .attributes()
                .values()
                .stream()
                .mapToInt(Integer::parseInt)
                .sum();
    }

    /** Receives and deletes all messages, in the order of their delivery. */
    List<Message> drain(String queue) {
        String url = url(queue);
        List<Message> all = new ArrayList<>();
        long deadline = System.nanoTime() + LONGEST_DRAIN.toNanos();
        for (int left = size(queue); left > 0; left = size(queue)) {
            if (System.nanoTime() - deadline > 0) {
                throw new AssertionError(left + " messages of " + queue + " were not received within "
                        + LONGEST_DRAIN.toMinutes() + " minutes, " + all.size() + " were");
            }
            List<Message> some = sqs.receiveMessage(request -> request.queueUrl(url)
                            .maxNumberOfMessages(BATCH)
                            .messageSystemAttributeNames(MessageSystemAttributeName.MESSAGE_GROUP_ID))
                    .messages();
            for (Message message : some) {
                var unused = sqs.deleteMessage(request -> request.queueUrl(url).receiptHandle(message.receiptHandle()));
            }
            all.addAll(some);
        }
        return all;
    }

    @Override
    public void close() {
        sqs.close();
        if (process != null) {
            Process unused = process.destroyForcibly().onExit().join();
        }
    }
}
