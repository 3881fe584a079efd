/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.delivery;

import io.github.batchsqs.MessageAttribute;
import io.github.batchsqs.client.ReceivedMessage;
import io.github.batchsqs.internal.support.ForeignCode;
import java.util.Map;

/** The size of a message as it counts against the memory: the characters of its body, and its attributes. */
final class MessageBytes {

    private MessageBytes() {}

    /** Returns the size; 0 if the message cannot be read, because whoever else reads it fails with that. */
    static int of(ReceivedMessage message) {
        Integer size = ForeignCode.<Integer>call(() -> {
                    Map<String, MessageAttribute> attributes = message.attributes();
                    int body = message.body().length();
                    return attributes.isEmpty() ? body : body + of(attributes);
                })
                .value();
        return size == null ? 0 : size;
    }

    private static int of(Map<String, MessageAttribute> attributes) {
        int bytes = 0;
        for (Map.Entry<String, MessageAttribute> attribute : attributes.entrySet()) {
            bytes += attribute.getValue().sizeInBytes(attribute.getKey());
        }
        return bytes;
    }
}
