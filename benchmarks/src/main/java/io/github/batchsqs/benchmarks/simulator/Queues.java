/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.simulator;

import io.github.batchsqs.model.sqs.ModelQueue;
import io.github.batchsqs.model.sqs.QueueSettings;
import io.github.batchsqs.model.sqs.SqsModel;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** All queues. */
final class Queues {

    private static final String REGION = "us-east-1";
    private static final String ACCOUNT = "000000000000";

    private final SqsModel<Content> sqs = new SqsModel<>();
    private final Map<String, SimulatedQueue> byName = new HashMap<>();
    private Quotas quotas = Quotas.USUAL;

    /** The time for the model: nanoseconds since 1970. */
    static long now() {
        return TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis());
    }

    Quotas quotas() {
        return quotas;
    }

    /** Applies to all queues. */
    void quotas(Quotas newQuotas) {
        quotas = newQuotas;
        sqs.queues().forEach(queue -> queue.settings(queue.settings().withMaxInFlight(newQuotas.inFlight())));
    }

    SimulatedQueue create(String name, Map<String, String> attributes) {
        if (name.endsWith(".fifo") != Boolean.parseBoolean(attributes.get("FifoQueue"))) {
            throw SqsError.invalidParameter("The name of a FIFO queue, and of no other, ends in .fifo");
        }
        SimulatedQueue existing = byName.get(name);
        if (existing != null) {
            for (Map.Entry<String, String> asked : attributes.entrySet()) {
                if (!asked.getValue().equals(existing.attributes().given().get(asked.getKey()))) {
                    throw SqsError.sender(
                            "QueueAlreadyExists",
                            "A queue already exists with the same name and a different value for attribute "
                                    + asked.getKey());
                }
            }
            return existing;
        }
        QueueAttributes given = new QueueAttributes(attributes);
        ModelQueue<Content> created = sqs.create(name, settings(given));
        SimulatedQueue queue = new SimulatedQueue(created, given);
        byName.put(name, queue);
        return queue;
    }

    void change(SimulatedQueue queue, Map<String, String> changes) {
        QueueAttributes all = queue.attributes().with(changes);
        queue.change(all, settings(all));
    }

    private QueueSettings settings(QueueAttributes attributes) {
        QueueSettings settings = attributes.settings(quotas.inFlight());
        if (settings.redrive() != null) {
            require(settings.redrive().deadLetterQueue());
        }
        return settings;
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
        sqs.delete(name);
    }

    void tick(long now) {
        for (SimulatedQueue queue : new ArrayList<>(byName.values())) {
            if (queue.hasReceives()) {
                queue.tick(now);
            }
        }
    }

    static String url(String address, SimulatedQueue queue) {
        return address + "/" + ACCOUNT + "/" + queue.name();
    }

    static String arn(String queue) {
        return "arn:aws:sqs:" + REGION + ":" + ACCOUNT + ":" + queue;
    }
}
