/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.testkit;

import io.github.batchsqs.MessageAttribute;
import io.github.batchsqs.internal.client.SendEntry;
import io.github.batchsqs.internal.support.Utf8;
import io.github.batchsqs.model.sqs.Characters;
import io.github.batchsqs.model.sqs.Outgoing;
import io.github.batchsqs.model.sqs.Payload;
import io.github.batchsqs.model.sqs.Stored;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Map;

/** What a {@link SendEntry} carries, as the model of SQS takes it. */
record InMemoryPayload(SendEntry entry) implements Payload {

    static Outgoing<InMemoryPayload> outgoing(SendEntry entry) {
        Duration delay = entry.delay();
        return new Outgoing<>(
                new InMemoryPayload(entry),
                entry.groupId(),
                entry.deduplicationId(),
                delay == null
                        ? null
                        : Duration.ofSeconds(delay.plusNanos(999_999_999).toSeconds()));
    }

    static StoredMessage snapshot(Stored<InMemoryPayload> message) {
        SendEntry entry = message.payload().entry;
        return new StoredMessage(
                message.id(),
                entry.body(),
                entry.attributes(),
                message.group(),
                message.deduplicationId(),
                message.receiveCount());
    }

    @Override
    public long bytes() {
        long size = Utf8.length(entry.body());
        for (Map.Entry<String, MessageAttribute> attribute : entry.attributes().entrySet()) {
            size += attribute.getValue().sizeInBytes(attribute.getKey());
        }
        return size;
    }

    @Override
    public int attributeCount() {
        return entry.attributes().size();
    }

    @Override
    public boolean emptyBody() {
        return entry.body().isEmpty();
    }

    @Override
    public boolean acceptedCharacters() {
        return Characters.accepted(entry.body());
    }

    @Override
    public String contentHash() {
        try {
            byte[] body = entry.body().getBytes(StandardCharsets.UTF_8);
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(body));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
