/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.observation;

import io.github.batchsqs.MessageAttribute;
import io.github.batchsqs.MessageBatch;
import io.github.batchsqs.SqsMessage;
import io.micrometer.observation.transport.Kind;
import io.micrometer.observation.transport.ReceiverContext;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The invocation of a handler with a batch.
 *
 * <p>If the batch is one message, the carrier is its attributes, so that the trace of its producer continues. A batch
 * of several messages starts its own trace, which a tracer may link to those of the producers.
 */
public final class ProcessContext extends ReceiverContext<Map<String, MessageAttribute>> {

    private final String listener;
    private final String client;
    private final MessageBatch<?> batch;

    /**
     * Creates the context.
     *
     * @param listener the listener's id
     * @param client the name of its client
     * @param batch the messages of the invocation
     */
    public ProcessContext(String listener, String client, MessageBatch<?> batch) {
        super(ProcessContext::header, Kind.CONSUMER);
        this.listener = listener;
        this.client = client;
        this.batch = batch;
        setCarrier(batch.size() == 1 ? batch.messages().getFirst().attributes() : Map.of());
    }

    /** {@return the listener's id} */
    public String listener() {
        return listener;
    }

    /** Returns the name of the listener's client. */
    String client() {
        return client;
    }

    /** {@return the messages of the invocation} */
    public MessageBatch<?> batch() {
        return batch;
    }

    /**
     * {@return a textual message attribute, or {@code null} if the message has none of that name}
     *
     * @param message the message
     * @param name the attribute's name
     */
    public static @Nullable String header(SqsMessage<?> message, String name) {
        return header(message.attributes(), name);
    }

    private static @Nullable String header(Map<String, MessageAttribute> attributes, String name) {
        MessageAttribute value = attributes.get(name);
        return value == null || value.isBinary() ? null : value.stringValue();
    }
}
