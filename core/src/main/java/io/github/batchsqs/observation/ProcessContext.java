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
 * <p>The carrier is the attributes of the message where there is just one, so that its producer's trace goes on. A batch
 * of several begins a trace of its own, which a tracer may link to those of the producers.
 */
public final class ProcessContext extends ReceiverContext<Map<String, MessageAttribute>> {

    private final String listener;
    private final MessageBatch<?> batch;

    ProcessContext(String listener, MessageBatch<?> batch) {
        super(ProcessContext::header, Kind.CONSUMER);
        this.listener = listener;
        this.batch = batch;
        setCarrier(batch.size() == 1 ? batch.messages().getFirst().attributes() : Map.of());
    }

    /** The listener's id. */
    public String listener() {
        return listener;
    }

    /** The messages. */
    public MessageBatch<?> batch() {
        return batch;
    }

    /** A header of a message, or {@code null} if there is none of that name that is text. */
    public static @Nullable String header(SqsMessage<?> message, String name) {
        return header(message.attributes(), name);
    }

    private static @Nullable String header(Map<String, MessageAttribute> attributes, String name) {
        MessageAttribute value = attributes.get(name);
        return value == null || value.isBinary() ? null : value.stringValue();
    }
}
