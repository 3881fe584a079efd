/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.histories;

import io.github.batchsqs.MessageAttribute;
import io.github.batchsqs.ReceivedMessage;
import io.github.batchsqs.model.sqs.Received;
import io.github.batchsqs.model.sqs.TextPayload;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A received message of the model. */
public final class SimulatedMessage implements ReceivedMessage {

    private final Received<TextPayload> received;
    private final Map<String, String> systemAttributes = new HashMap<>();

    public SimulatedMessage(Received<TextPayload> received) {
        this.received = received;
        systemAttributes.put("ApproximateReceiveCount", String.valueOf(received.receiveCount()));
        systemAttributes.put(
                "SentTimestamp",
                String.valueOf(TimeUnit.NANOSECONDS.toMillis(received.message().sentAt())));
        String group = received.message().group();
        if (group != null) {
            systemAttributes.put("MessageGroupId", group);
            systemAttributes.put("SequenceNumber", received.message().sequenceNumber());
            systemAttributes.put("MessageDeduplicationId", body());
        }
    }

    @Override
    public String id() {
        return received.message().id();
    }

    @Override
    public String receiptHandle() {
        return received.receiptHandle();
    }

    @Override
    public String body() {
        return received.message().payload().body();
    }

    @Override
    public Map<String, MessageAttribute> attributes() {
        return Map.of();
    }

    @Override
    public Map<String, String> systemAttributes() {
        return systemAttributes;
    }

    @Override
    public Object nativeMessage() {
        return received;
    }
}
