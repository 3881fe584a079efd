/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.support;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Recognizes messages whose payloads are in S3, as the extended client library of AWS and the module {@code batchsqs-spring-boot-s3}
 * send them: an attribute marks them, and the body names bucket and key. Pure.
 */
public final class PayloadPointers {

    /** The attribute that marks a pointer. It has the size of the payload. */
    public static final String MARKER = "ExtendedPayloadSize";

    /** The attribute of versions before 2 of the library. */
    public static final String LEGACY_MARKER = "SQSLargePayloadSize";

    /** The field of the body that names the bucket. */
    public static final String BUCKET = "s3BucketName";

    /** The field of the body that names the key. */
    public static final String KEY = "s3Key";

    /** Why such a message cannot be read without a store, and the remedy. */
    public static final String NO_STORE = "The payload is in S3, and the body is only a pointer to it: add"
            + " io.github.batchsqs:batchsqs-spring-boot-s3 and set batchsqs.s3.bucket, or define a bean of type PayloadStore";

    /** A key has 1,024 bytes at most, each of which may be escaped, and a bucket is short. */
    private static final int MAX_LENGTH = 16 << 10;

    private PayloadPointers() {}

    /**
     * Returns whether a message is such a pointer; a message that has only the attribute, or only such a body, is none.
     *
     * @param attributes the message attributes; asked for only if the body may be a pointer
     */
    public static boolean isPointer(String body, Supplier<? extends Map<String, ?>> attributes) {
        if (body.length() > MAX_LENGTH
                || !body.stripLeading().startsWith("[")
                || !names(body, BUCKET)
                || !names(body, KEY)) {
            return false;
        }
        return isMarked(attributes.get());
    }

    /** Returns whether the attributes mark a payload that is stored elsewhere. */
    public static boolean isMarked(Map<String, ?> attributes) {
        return attributes.containsKey(MARKER) || attributes.containsKey(LEGACY_MARKER);
    }

    /** Returns the attributes without those that mark a pointer. */
    public static <V> Map<String, V> withoutMarkers(Map<String, V> attributes) {
        if (!isMarked(attributes)) {
            return attributes;
        }
        Map<String, V> others = new LinkedHashMap<>(attributes);
        others.remove(MARKER);
        others.remove(LEGACY_MARKER);
        return Collections.unmodifiableMap(others);
    }

    private static boolean names(String body, String field) {
        return body.contains('"' + field + '"');
    }
}
