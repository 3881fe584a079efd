/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.send;

import io.github.batchsqs.MessageAttribute;
import java.util.LinkedHashMap;
import java.util.Map;

/** Adds headers to the attributes of a message, as far as SQS's rules leave room and allow their characters. Pure. */
final class AddedHeaders {

    private AddedHeaders() {}

    /**
     * The attributes to send.
     *
     * @param room how many bytes they may add
     * @param maxAttributes how many attributes there may be in all
     */
    static Map<String, MessageAttribute> to(
            Map<String, MessageAttribute> attributes, Map<String, String> headers, long room, int maxAttributes) {
        if (headers.isEmpty()) {
            return attributes;
        }
        Map<String, MessageAttribute> all = new LinkedHashMap<>(attributes);
        long left = room;
        for (Map.Entry<String, String> header : headers.entrySet()) {
            String name = header.getKey();
            if (header.getValue().isEmpty()
                    || MessageRules.characters(header.getValue()) != null
                    || all.containsKey(name)
                    || all.size() >= maxAttributes) {
                continue;
            }
            MessageAttribute value = MessageAttribute.string(header.getValue());
            long bytes = value.sizeInBytes(name);
            if (bytes <= left) {
                all.put(name, value);
                left -= bytes;
            }
        }
        return all;
    }
}
