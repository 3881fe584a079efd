/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.simulator;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What a queue's attributes say.
 *
 * @param attributes as they were given
 * @param visibilityMillis of a receive that names none
 * @param delayMillis of a message that names none
 * @param waitSeconds of a receive that names none
 * @param maximumBytes of a message
 * @param contentBased whether the body's digest stands for a missing deduplication id
 * @param perGroup whether deduplication ids count within their group only
 * @param highThroughput whether the quota of calls counts for each partition
 * @param redrive where messages go that were received too often, or {@code null}
 */
record QueueSettings(
        Map<String, String> attributes,
        long visibilityMillis,
        long delayMillis,
        int waitSeconds,
        int maximumBytes,
        boolean contentBased,
        boolean perGroup,
        boolean highThroughput,
        @Nullable Redrive redrive) {

    static final int MAX_BYTES = 1 << 20;

    /** A dead-letter queue and after how many receives a message goes there. */
    record Redrive(SimulatedQueue deadLetters, int maxReceiveCount) {}

    static QueueSettings of(Map<String, String> attributes, Function<String, SimulatedQueue> byName) {
        return new QueueSettings(
                Map.copyOf(attributes),
                number(attributes, "VisibilityTimeout", 30) * 1000L,
                number(attributes, "DelaySeconds", 0) * 1000L,
                number(attributes, "ReceiveMessageWaitTimeSeconds", 0),
                number(attributes, "MaximumMessageSize", MAX_BYTES),
                Boolean.parseBoolean(attributes.get("ContentBasedDeduplication")),
                "messageGroup".equals(attributes.get("DeduplicationScope")),
                "perMessageGroupId".equals(attributes.get("FifoThroughputLimit")),
                redrive(attributes.get("RedrivePolicy"), byName));
    }

    QueueSettings with(Map<String, String> changes, Function<String, SimulatedQueue> byName) {
        Map<String, String> all = new HashMap<>(attributes);
        all.putAll(changes);
        return of(all, byName);
    }

    private static int number(Map<String, String> attributes, String name, int otherwise) {
        String value = attributes.get(name);
        return value == null ? otherwise : Integer.parseInt(value);
    }

    private static @Nullable Redrive redrive(@Nullable String policy, Function<String, SimulatedQueue> byName) {
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
        String queue = target[0].substring(target[0].lastIndexOf(':') + 1);
        return new Redrive(byName.apply(queue), count[0]);
    }
}
