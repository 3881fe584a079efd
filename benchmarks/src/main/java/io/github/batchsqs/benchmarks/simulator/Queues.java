/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.simulator;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/** All queues. */
final class Queues {

    private static final String REGION = "us-east-1";
    private static final String ACCOUNT = "000000000000";

    private final Map<String, SimulatedQueue> byName = new HashMap<>();
    private long lastSequence = 1;

    /** They apply to all queues. */
    Quotas quotas = Quotas.USUAL;

    SimulatedQueue create(String name, Map<String, String> attributes) {
        if (name.endsWith(".fifo") != Boolean.parseBoolean(attributes.get("FifoQueue"))) {
            throw SqsError.invalidParameter("The name of a FIFO queue, and of no other, ends in .fifo");
        }
        SimulatedQueue existing = byName.get(name);
        if (existing != null) {
            for (Map.Entry<String, String> asked : attributes.entrySet()) {
                if (!asked.getValue().equals(existing.settings().attributes().get(asked.getKey()))) {
                    throw SqsError.sender(
                            "QueueAlreadyExists",
                            "A queue already exists with the same name and a different value for attribute "
                                    + asked.getKey());
                }
            }
            return existing;
        }
        SimulatedQueue queue = new SimulatedQueue(
                name, QueueSettings.of(attributes, this::require), () -> ++lastSequence, () -> quotas);
        byName.put(name, queue);
        return queue;
    }

    SimulatedQueue require(String name) {
        SimulatedQueue queue = byName.get(name);
        if (queue == null) {
            throw SqsError.sender("AWS.SimpleQueueService.NonExistentQueue", "The specified queue does not exist.");
        }
        return queue;
    }

    void delete(String name) {
        byName.remove(require(name).name());
    }

    Collection<SimulatedQueue> all() {
        return byName.values();
    }

    void tick(long now) {
        for (SimulatedQueue queue : new ArrayList<>(byName.values())) {
            if (queue.hasPolls()) {
                queue.tick(now);
            }
        }
    }

    static String url(String address, SimulatedQueue queue) {
        return address + "/" + ACCOUNT + "/" + queue.name();
    }

    static String arn(SimulatedQueue queue) {
        return "arn:aws:sqs:" + REGION + ":" + ACCOUNT + ":" + queue.name();
    }
}
