/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.testkit;

import io.github.batchsqs.MessageAttribute;
import io.github.batchsqs.ReceivedMessage;
import io.github.batchsqs.internal.client.SendEntry;
import io.github.batchsqs.model.sqs.Received;
import io.github.batchsqs.model.sqs.Stored;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A message that an {@link InMemoryQueueClient} delivered. */
record InMemoryMessage(
        String id,
        String receiptHandle,
        String body,
        Map<String, MessageAttribute> attributes,
        Map<String, String> systemAttributes,
        int receiveCount,
        Instant sentAt,
        @Nullable String groupId)
        implements ReceivedMessage {

    static InMemoryMessage of(Received<InMemoryPayload> received) {
        Stored<InMemoryPayload> message = received.message();
        SendEntry sent = message.payload().entry();
        Map<String, String> system = new TreeMap<>();
        system.put("SenderId", "AIDATEST");
        system.put("SentTimestamp", millis(message.sentAt()));
        system.put("ApproximateReceiveCount", Integer.toString(received.receiveCount()));
        system.put("ApproximateFirstReceiveTimestamp", millis(message.firstReceivedAt()));
        put(system, "MessageGroupId", message.group());
        put(system, "MessageDeduplicationId", message.deduplicationId());
        put(system, "SequenceNumber", message.deduplicationId() == null ? null : message.sequenceNumber());
        String source = message.deadLetterSource();
        put(system, "DeadLetterQueueSourceArn", source == null ? null : "arn:aws:sqs:us-east-1:000000000000:" + source);
        return new InMemoryMessage(
                message.id(),
                received.receiptHandle(),
                sent.body(),
                sent.attributes(),
                Map.copyOf(system),
                received.receiveCount(),
                Instant.ofEpochSecond(0, message.sentAt()),
                message.group());
    }

    private static String millis(long nanos) {
        return Long.toString(TimeUnit.NANOSECONDS.toMillis(nanos));
    }

    private static void put(Map<String, String> system, String name, @Nullable String value) {
        if (value != null) {
            system.put(name, value);
        }
    }

    @Override
    public Object nativeMessage() {
        return this;
    }
}
