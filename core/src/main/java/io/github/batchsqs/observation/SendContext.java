/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.observation;

import io.github.batchsqs.send.OutgoingMessage;
import io.micrometer.observation.transport.Kind;
import io.micrometer.observation.transport.SenderContext;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A message from its send to SQS's answer, its time in the buffer and its retries included. */
public final class SendContext extends SenderContext<Map<String, String>> {

    private final OutgoingMessage message;
    private final String queue;
    private final Map<String, String> headers = new LinkedHashMap<>();
    private volatile @Nullable String messageId;

    SendContext(OutgoingMessage message, String queue) {
        super(SendContext::put, Kind.PRODUCER);
        this.message = message;
        this.queue = queue;
        setCarrier(headers);
    }

    /** The message. */
    public OutgoingMessage message() {
        return message;
    }

    /** The queue's name. */
    public String queue() {
        return queue;
    }

    /** The id that SQS gave the message; {@code null} until it did. */
    public @Nullable String messageId() {
        return messageId;
    }

    /** What a tracer gives the message to take along. */
    Map<String, String> headers() {
        return headers;
    }

    private static void put(@Nullable Map<String, String> carrier, String name, String value) {
        if (carrier != null) {
            String ignored = carrier.put(name, value);
        }
    }

    void sent(String id) {
        messageId = id;
    }
}
