/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.model.sqs;

import java.nio.charset.StandardCharsets;

/**
 * A body of text with attributes that only count.
 *
 * @param attributeBytes the size of all attributes together
 */
public record TextPayload(String body, int attributeCount, long attributeBytes) implements Payload {

    public TextPayload(String body) {
        this(body, 0, 0);
    }

    @Override
    public long bytes() {
        return body.getBytes(StandardCharsets.UTF_8).length + attributeBytes;
    }

    @Override
    public boolean emptyBody() {
        return body.isEmpty();
    }

    @Override
    public boolean acceptedCharacters() {
        return Characters.accepted(body);
    }

    /** The body itself: equal bodies have equal hashes, which is all that deduplication needs. */
    @Override
    public String contentHash() {
        return body;
    }
}
