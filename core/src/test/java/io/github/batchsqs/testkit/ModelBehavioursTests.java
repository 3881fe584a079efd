/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.testkit;

import io.github.batchsqs.client.Queue;
import io.github.batchsqs.internal.client.QueueClient;
import io.github.batchsqs.internal.support.TimeSource;
import io.github.batchsqs.model.sqs.QueueSettings;
import java.time.Duration;
import java.util.Map;

/** The model of SQS, in the time of this machine. */
class ModelBehavioursTests extends SqsBehaviours {

    private static final String ARN = "arn:aws:sqs:us-east-1:000000000000:";

    private final InMemoryQueueClient sqs = new InMemoryQueueClient(TimeSource.system());

    @Override
    protected Server server() {
        return Server.MODEL;
    }

    @Override
    protected QueueClient client() {
        sqs.longPolling(true);
        return sqs;
    }

    @Override
    protected Queue create(String name, Map<String, String> attributes) {
        QueueSettings settings = QueueSettings.DEFAULT;
        for (Map.Entry<String, String> attribute : attributes.entrySet()) {
            String value = attribute.getValue();
            settings = switch (attribute.getKey()) {
                case "VisibilityTimeout" -> settings.withVisibilityTimeout(Duration.ofSeconds(Long.parseLong(value)));
                case "MaximumMessageSize" -> settings.withMaximumMessageSize(Integer.parseInt(value));
                case "ContentBasedDeduplication" -> settings.withContentBasedDeduplication();
                case "DeduplicationScope" -> settings.withDeduplicationPerGroup();
                case "RedrivePolicy" ->
                    settings.withRedrive(value.replaceFirst(".*" + ARN, "").replaceFirst("\".*", ""), 1);
                case "FifoQueue", "FifoThroughputLimit" -> settings;
                default -> throw new IllegalArgumentException(attribute.getKey());
            };
        }
        return sqs.createQueue(name, settings);
    }

    @Override
    protected String arn(Queue queue) {
        return ARN + queue.name();
    }
}
