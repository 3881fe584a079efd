/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.testkit;

import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageSystemAttributeName;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;

/** Queues of one server, by their names, as the SDK's client sees them. Each test makes queues of its own. */
public record SqsQueues(SqsClient client) {

    public static final StaticCredentialsProvider CREDENTIALS =
            StaticCredentialsProvider.create(AwsBasicCredentials.create("key", "secret"));

    /** Returns the queues of a server that has the region us-east-1. */
    public static SqsQueues at(URI endpoint) {
        return new SqsQueues(SqsClient.builder()
                .endpointOverride(endpoint)
                .region(Region.US_EAST_1)
                .credentialsProvider(CREDENTIALS)
                .httpClientBuilder(Apache5HttpClient.builder().connectionTimeout(Duration.ofMinutes(1)))
                .build());
    }

    public String standard() {
        return create("", Map.of());
    }

    public String fifo() {
        return create(".fifo", Map.of());
    }

    /** A queue whose messages go to another queue after so many receives. */
    public String withDeadLetters(
            String deadLetters, int maxReceiveCount, Map<QueueAttributeName, String> moreAttributes) {
        String arn = client.getQueueAttributes(
                        request -> request.queueUrl(url(deadLetters)).attributeNames(QueueAttributeName.QUEUE_ARN))
                .attributes()
                .get(QueueAttributeName.QUEUE_ARN);
        Map<QueueAttributeName, String> attributes = new HashMap<>(moreAttributes);
        attributes.put(
                QueueAttributeName.REDRIVE_POLICY,
                "{\"deadLetterTargetArn\":\"" + arn + "\",\"maxReceiveCount\":\"" + maxReceiveCount + "\"}");
        return create("", attributes);
    }

    /** A queue with a name that no other test has; a FIFO queue if the name ends in {@code .fifo}. */
    public String create(String suffix, Map<QueueAttributeName, String> attributes) {
        String name = "test-" + UUID.randomUUID() + suffix;
        Map<QueueAttributeName, String> all = new HashMap<>(attributes);
        if (suffix.endsWith(".fifo")) {
            all.put(QueueAttributeName.FIFO_QUEUE, "true");
        }
        client.createQueue(request -> request.queueName(name).attributes(all));
        return name;
    }

    public String url(String queue) {
        return client.getQueueUrl(request -> request.queueName(queue)).queueUrl();
    }

    /** Receives what is there, up to ten messages. */
    public List<Message> receive(String queue) {
        return client.receiveMessage(request -> request.queueUrl(url(queue))
                        .maxNumberOfMessages(10)
                        .messageAttributeNames("All")
                        .messageSystemAttributeNames(MessageSystemAttributeName.MESSAGE_GROUP_ID))
                .messages();
    }

    /** Receives what is there, up to ten messages, and deletes it. */
    public List<Message> take(String queue) {
        List<Message> received = receive(queue);
        received.forEach(message ->
                client.deleteMessage(request -> request.queueUrl(url(queue)).receiptHandle(message.receiptHandle())));
        return received;
    }

    /** Returns how many messages a queue has, hidden and delayed ones included. */
    public int size(String queue) {
        return client
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
}
