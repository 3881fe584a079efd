/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.sample.stock;

import io.github.batchsqs.sample.settings.SampleProperties;
import io.github.batchsqs.send.BatchSqsOperations;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import org.springframework.stereotype.Component;
import tools.jackson.databind.json.JsonMapper;

/**
 * Stands in for a topic of Amazon SNS, which the embedded server does not have: puts into the queue what SNS would put
 * there, a notification with the payload as text inside.
 */
@Component
public class ArrivalTopic {

    private final BatchSqsOperations sqs;
    private final JsonMapper json;
    private final String queue;

    ArrivalTopic(BatchSqsOperations sqs, JsonMapper json, SampleProperties properties) {
        this.sqs = sqs;
        this.json = json;
        this.queue = properties.queues().stock();
    }

    /** Publishes, and waits until SQS has accepted it. */
    public void publish(Arrival arrival) {
        sqs.send(queue, notification(arrival)).join();
    }

    private Map<String, String> notification(Arrival arrival) {
        Map<String, String> notification = new LinkedHashMap<>();
        notification.put("Type", "Notification");
        notification.put("MessageId", UUID.randomUUID().toString());
        notification.put("TopicArn", "arn:aws:sns:us-east-1:000000000000:arrivals");
        notification.put("Subject", "Goods have arrived");
        notification.put("Message", json.writeValueAsString(arrival));
        notification.put("Timestamp", Instant.now().toString());
        return notification;
    }
}
