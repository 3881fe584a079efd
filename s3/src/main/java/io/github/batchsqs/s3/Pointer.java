/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.s3;

import io.github.batchsqs.MessageAttribute;
import io.github.batchsqs.ReceivedMessage;
import io.github.batchsqs.internal.support.PayloadPointers;
import io.github.batchsqs.payload.PayloadStoreException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The body of a message whose payload is in S3, in the format of AWS's extended client library: an array of a class name and an
 * object with bucket and key. An attribute with the size of the payload marks such a message.
 *
 * @param bucket the bucket
 * @param key the key of the object
 */
record Pointer(String bucket, String key) {

    /** What version 2 of the library writes. On reading, any class name will do: version 1 has another. */
    private static final String TYPE = "software.amazon.payloadoffloading.PayloadS3Pointer";

    private static final JsonMapper JSON = JsonMapper.shared();

    /** Returns the attribute that marks a pointer, or {@code null} if the message has its payload itself. */
    static @Nullable MessageAttribute marker(Map<String, MessageAttribute> attributes) {
        if (attributes.isEmpty()) {
            return null;
        }
        MessageAttribute marker = attributes.get(PayloadPointers.MARKER);
        return marker != null ? marker : attributes.get(PayloadPointers.LEGACY_MARKER);
    }

    /** Returns the size of the payload that a marker claims; 0 if it claims none. */
    static long size(@Nullable MessageAttribute marker) {
        if (marker == null || marker.isBinary()) {
            return 0;
        }
        try {
            return Math.max(0, Long.parseLong(marker.stringValue()));
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    /**
     * Reads the pointer of a message that is marked.
     *
     * @throws PayloadStoreException if the body is no pointer; trying again is of no use
     */
    static Pointer of(ReceivedMessage message) {
        String bucket;
        String key;
        try {
            JsonNode named = JSON.readTree(message.body()).path(1);
            bucket = named.path(PayloadPointers.BUCKET).asString("");
            key = named.path(PayloadPointers.KEY).asString("");
        } catch (JacksonException e) {
            throw unreadable();
        }
        if (bucket.isEmpty() || key.isEmpty()) {
            throw unreadable();
        }
        return new Pointer(bucket, key);
    }

    /** Without the cause, which may quote the body. */
    private static PayloadStoreException unreadable() {
        return new PayloadStoreException(
                "The attribute " + PayloadPointers.MARKER + " or " + PayloadPointers.LEGACY_MARKER
                        + " marks a payload in S3, but the body is no pointer to"
                        + " one: send such messages with this library or an extended client, and no others with this attribute",
                false,
                null);
    }

    String toJson() {
        Map<String, String> named = new LinkedHashMap<>();
        named.put(PayloadPointers.BUCKET, bucket);
        named.put(PayloadPointers.KEY, key);
        return JSON.writeValueAsString(List.of(TYPE, named));
    }

    /** The object as errors name it. */
    @Override
    public String toString() {
        return "s3://" + bucket + "/" + key;
    }
}
