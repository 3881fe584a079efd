/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.embedded;

import static software.amazon.awssdk.services.sqs.model.QueueAttributeName.FIFO_QUEUE;
import static software.amazon.awssdk.services.sqs.model.QueueAttributeName.QUEUE_ARN;
import static software.amazon.awssdk.services.sqs.model.QueueAttributeName.REDRIVE_POLICY;
import static software.amazon.awssdk.services.sqs.model.QueueAttributeName.VISIBILITY_TIMEOUT;

import io.github.batchsqs.autoconfigure.internal.settings.EmbeddedSettings;
import java.net.URI;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;

/** Creates the queues of the embedded server, each dead-letter queue before the queue that needs it. */
final class EmbeddedQueues {

    private final SqsClient sqs;
    private final Map<String, EmbeddedSettings.Queue> settings = new HashMap<>();
    private final List<String> created = new ArrayList<>();

    private EmbeddedQueues(SqsClient sqs, List<EmbeddedSettings.Queue> queues) {
        this.sqs = sqs;
        queues.forEach(queue -> settings.put(queue.name(), queue));
    }

    /** Creates them over a client of its own and returns their names, the dead-letter queues included. */
    static List<String> create(URI endpoint, List<EmbeddedSettings.Queue> queues) {
        if (queues.isEmpty()) {
            return List.of();
        }
        try (SqsClient sqs = SqsClient.builder()
                .endpointOverride(endpoint)
                .region(Region.of(EmbeddedEndpoint.REGION))
                .credentialsProvider(
                        StaticCredentialsProvider.create(AwsBasicCredentials.create("embedded", "embedded")))
                .httpClientBuilder(Apache5HttpClient.builder())
                .build()) {
            var all = new EmbeddedQueues(sqs, queues);
            queues.forEach(queue -> all.create(queue.name()));
            return List.copyOf(all.created);
        }
    }

    private void create(String name) {
        if (created.contains(name)) {
            return;
        }
        created.add(name); // first, so that two queues that are each other's dead-letter queue come to an end
        var queue = settings.getOrDefault(name, EmbeddedSettings.Queue.of(name));
        if (queue.deadLetterQueue() != null) {
            create(queue.deadLetterQueue());
        }
        sqs.createQueue(request -> request.queueName(name).attributes(attributes(queue)));
    }

    private Map<QueueAttributeName, String> attributes(EmbeddedSettings.Queue queue) {
        var attributes = new EnumMap<QueueAttributeName, String>(QueueAttributeName.class);
        if (queue.name().endsWith(".fifo")) {
            attributes.put(FIFO_QUEUE, "true");
        }
        if (queue.visibilityTimeout() != null) {
            attributes.put(
                    VISIBILITY_TIMEOUT, String.valueOf(queue.visibilityTimeout().toSeconds()));
        }
        if (queue.deadLetterQueue() != null) {
            attributes.put(
                    REDRIVE_POLICY,
                    "{\"deadLetterTargetArn\":\"%s\",\"maxReceiveCount\":\"%d\"}"
                            .formatted(arn(queue.deadLetterQueue()), queue.maxReceiveCountOrDefault()));
        }
        return attributes;
    }

    private String arn(String name) {
        String url = sqs.getQueueUrl(request -> request.queueName(name)).queueUrl();
        var attributes = sqs.getQueueAttributes(request -> request.queueUrl(url).attributeNames(QUEUE_ARN));
        return attributes.attributes().getOrDefault(QUEUE_ARN, "");
    }
}
