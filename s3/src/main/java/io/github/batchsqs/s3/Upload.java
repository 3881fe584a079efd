/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.s3;

import io.github.batchsqs.MessageAttribute;
import io.github.batchsqs.payload.OffloadedPayload;
import java.util.Map;

/** A payload on its way to S3. Holds it as bytes, so that no further copy is made for the upload. */
final class Upload implements OffloadedPayload {

    private final Pointer pointer;
    private final String body;
    private final Map<String, MessageAttribute> attributes;
    private final byte[] content;

    Upload(Pointer pointer, Map<String, MessageAttribute> attributes, byte[] content) {
        this.pointer = pointer;
        this.body = pointer.toJson();
        this.attributes = attributes;
        this.content = content;
    }

    Pointer pointer() {
        return pointer;
    }

    byte[] content() {
        return content;
    }

    @Override
    public String body() {
        return body;
    }

    @Override
    public Map<String, MessageAttribute> attributes() {
        return attributes;
    }

    @Override
    public long bytes() {
        return content.length;
    }
}
