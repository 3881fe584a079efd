/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.simulator;

import io.github.batchsqs.model.sqs.Characters;
import io.github.batchsqs.model.sqs.Payload;
import java.util.Collections;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * A message's body and attributes in the form of the response, with their digests. Many messages may share one.
 *
 * @param body as it stands in JSON, escapes included
 * @param attributesDigest {@code null} without attributes
 */
@SuppressWarnings("ArrayRecordComponent") // shared, and never changed
record Content(
        byte[] body,
        String bodyDigest,
        long bytes,
        boolean acceptedCharacters,
        SortedMap<String, AttributeValue> attributes,
        @Nullable String attributesDigest,
        @Nullable String traceHeader)
        implements Payload {

    static Content of(Entry entry) {
        AttributeValue trace = entry.systemAttributes.get("AWSTraceHeader");
        return of(entry.body, entry.attributes, trace == null ? null : trace.value());
    }

    /** One without attributes. */
    static Content of(byte[] body) {
        return of(body, Collections.emptySortedMap(), null);
    }

    private static Content of(byte[] body, SortedMap<String, AttributeValue> attributes, @Nullable String traceHeader) {
        byte[] utf8 = JsonScanner.unescape(body);
        long bytes = utf8.length;
        for (var attribute : attributes.entrySet()) {
            AttributeValue value = attribute.getValue();
            bytes += attribute.getKey().length()
                    + value.dataType().length()
                    + value.value().length();
        }
        return new Content(
                body,
                Digests.md5(utf8),
                bytes,
                Characters.accepted(utf8),
                attributes,
                attributes.isEmpty() ? null : Digests.md5(attributes),
                traceHeader);
    }

    @Override
    public int attributeCount() {
        return attributes.size();
    }

    @Override
    public boolean emptyBody() {
        return body.length == 0;
    }

    @Override
    public String contentHash() {
        return Digests.sha256(JsonScanner.unescape(body));
    }
}
