/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.simulator;

import io.github.batchsqs.model.sqs.QueueSettings;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The attributes of a queue as they were given. */
record QueueAttributes(Map<String, String> given) {

    QueueAttributes {
        given = Map.copyOf(given);
    }

    QueueAttributes with(Map<String, String> changes) {
        Map<String, String> all = new HashMap<>(given);
        all.putAll(changes);
        return new QueueAttributes(all);
    }

    /** Whether the quota of calls counts for each partition. */
    boolean highThroughput() {
        return "perMessageGroupId".equals(given.get("FifoThroughputLimit"));
    }

    /** What they mean to the model. */
    QueueSettings settings(int maxInFlight) {
        QueueSettings usual = QueueSettings.DEFAULT;
        return new QueueSettings(
                seconds("VisibilityTimeout", usual.visibilityTimeout()),
                seconds("DelaySeconds", usual.delay()),
                seconds("ReceiveMessageWaitTimeSeconds", usual.waitTime()),
                seconds("MessageRetentionPeriod", usual.retention()),
                redrive(given.get("RedrivePolicy")),
                Boolean.parseBoolean(given.get("ContentBasedDeduplication")),
                "messageGroup".equals(given.get("DeduplicationScope")),
                Integer.parseInt(
                        given.getOrDefault("MaximumMessageSize", Integer.toString(usual.maximumMessageSize()))),
                maxInFlight,
                false);
    }

    private Duration seconds(String name, Duration otherwise) {
        String value = given.get(name);
        return value == null ? otherwise : Duration.ofSeconds(Integer.parseInt(value));
    }

    private static QueueSettings.@Nullable Redrive redrive(@Nullable String policy) {
        if (policy == null || policy.isEmpty()) {
            return null;
        }
        String[] target = {""};
        int[] count = {1};
        JsonScanner json = new JsonScanner(JsonText.utf8(policy));
        json.object(name -> {
            switch (name) {
                case "deadLetterTargetArn" -> target[0] = json.string();
                case "maxReceiveCount" -> count[0] = json.integer();
                default -> json.skip();
            }
        });
        return new QueueSettings.Redrive(target[0].substring(target[0].lastIndexOf(':') + 1), count[0]);
    }
}
