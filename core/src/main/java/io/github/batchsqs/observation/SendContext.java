/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.observation;

import io.github.batchsqs.send.OutgoingMessage;
import io.micrometer.observation.transport.Kind;
import io.micrometer.observation.transport.SenderContext;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A message from its send to SQS's response, including its time in the buffer and its retries. */
public final class SendContext extends SenderContext<Map<String, String>> {

    private final OutgoingMessage message;
    private final String client;
    private final String queue;
    private final Map<String, String> headers = new LinkedHashMap<>();
    private volatile @Nullable String messageId;

    /**
     * Creates the context.
     *
     * @param message the message
     * @param client the name of the client that sends it
     * @param queue the queue's name
     */
    public SendContext(OutgoingMessage message, String client, String queue) {
        super(SendContext::put, Kind.PRODUCER);
        this.message = message;
        this.client = client;
        this.queue = queue;
        setCarrier(headers);
    }

    /** {@return the message} */
    public OutgoingMessage message() {
        return message;
    }

    /** Returns the name of the client that sends. */
    String client() {
        return client;
    }

    /** {@return the queue's name} */
    public String queue() {
        return queue;
    }

    /** {@return the id that SQS assigned to the message, or {@code null} as long as SQS has not accepted it} */
    public @Nullable String messageId() {
        return messageId;
    }

    /** {@return the headers that a tracer adds to the message} */
    public Map<String, String> headers() {
        return headers;
    }

    private static void put(@Nullable Map<String, String> carrier, String name, String value) {
        if (carrier != null) {
            String ignored = carrier.put(name, value);
        }
    }

    /**
     * SQS has accepted the message.
     *
     * @param id the id that SQS assigned to it
     */
    public void sent(String id) {
        messageId = id;
    }
}
