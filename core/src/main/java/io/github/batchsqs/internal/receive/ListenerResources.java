/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive;

import io.github.batchsqs.client.QueueResolver;
import io.github.batchsqs.events.ListenerEvents;
import io.github.batchsqs.internal.client.QueueClient;
import io.github.batchsqs.internal.receive.delivery.MessageMemory;
import io.github.batchsqs.internal.support.TimeSource;
import io.github.batchsqs.listener.ReceiveGate;
import io.github.batchsqs.payload.PayloadStore;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Collaborators that containers share.
 *
 * @param client the way to SQS; its connection pool must hold {@code pollers.max} receives beside the acknowledgements
 * @param resolver finds the queue at start
 * @param events records what happens; one per container; must not throw
 * @param time the clock
 * @param gates the gates that each receive asks, by their names in the log and the status
 * @param memory the memory for messages in flight, shared by the listeners of an application
 * @param payloads stores payloads outside of SQS, or {@code null} if all payloads are in the messages
 */
public record ListenerResources(
        QueueClient client,
        QueueResolver resolver,
        ListenerEvents events,
        TimeSource time,
        Map<String, ReceiveGate> gates,
        MessageMemory memory,
        @Nullable PayloadStore payloads) {

    /** Keeps a copy of the gates. */
    public ListenerResources {
        gates = Collections.unmodifiableMap(new LinkedHashMap<>(gates));
    }

    /**
     * Creates the collaborators of a listener without gates and without a limit of memory, whose payloads are all in the messages.
     *
     * @param client the way to SQS
     * @param resolver finds the queue at start
     * @param events records what happens
     * @param time the clock
     */
    public ListenerResources(QueueClient client, QueueResolver resolver, ListenerEvents events, TimeSource time) {
        this(client, resolver, events, time, Map.of(), MessageMemory.unlimited(), null);
    }
}
