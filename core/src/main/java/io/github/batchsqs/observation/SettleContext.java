/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.observation;

import io.micrometer.observation.transport.Kind;
import io.micrometer.observation.transport.SenderContext;
import java.util.Map;

/** A call that deletes up to ten messages, of one invocation or of several. It propagates no context to SQS. */
public final class SettleContext extends SenderContext<Map<String, String>> {

    private final String listener;
    private final String client;
    private final String queue;
    private final int messages;

    /**
     * Creates the context.
     *
     * @param listener the listener's id
     * @param client the name of its client
     * @param queue the queue's name
     * @param messages the number of messages that the call deletes
     */
    public SettleContext(String listener, String client, String queue, int messages) {
        super((carrier, key, value) -> {}, Kind.CLIENT);
        this.listener = listener;
        this.client = client;
        this.queue = queue;
        this.messages = messages;
        setCarrier(Map.of());
    }

    /** {@return the listener's id} */
    public String listener() {
        return listener;
    }

    /** Returns the name of the listener's client. */
    String client() {
        return client;
    }

    /** {@return the queue's name} */
    public String queue() {
        return queue;
    }

    /** {@return the number of messages that the call deletes, 1 to 10} */
    public int messages() {
        return messages;
    }
}
