/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.simulator;

import java.util.Collections;
import java.util.SortedMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A message in a queue. Its body and digest are stored in the form of the response. */
final class StoredMessage {

    /** Real handles are about this long, and the client has to read and to write them. */
    private static final String HANDLE_TAIL = "B7q0JZ3rTn2kXwPdYc5mUeL9sVfA1gHo".repeat(4) + "Qx4=";

    private static final int NUMBER = 16;
    private static final String HANDLE_HEAD = "AQEB";

    final long sequence;
    final String id;
    final byte[] body;
    final String bodyDigest;
    final long sentAt;
    final @Nullable String group;
    final @Nullable String deduplicationId;
    final SortedMap<String, AttributeValue> attributes;
    final @Nullable String attributesDigest;
    final @Nullable String traceHeader;

    int receives;
    long firstReceivedAt;
    long visibleAt;
    boolean hidden;
    boolean gone;

    private StoredMessage(
            long sequence,
            byte[] body,
            String bodyDigest,
            long sentAt,
            @Nullable String group,
            @Nullable String deduplicationId,
            SortedMap<String, AttributeValue> attributes,
            @Nullable String traceHeader) {
        this.sequence = sequence;
        this.id = new UUID(mix(sequence), mix(~sequence)).toString();
        this.body = body;
        this.bodyDigest = bodyDigest;
        this.sentAt = sentAt;
        this.group = group;
        this.deduplicationId = deduplicationId;
        this.attributes = attributes;
        this.attributesDigest = attributes.isEmpty() ? null : Digests.md5(attributes);
        this.traceHeader = traceHeader;
    }

    /** As a sender wants it. */
    static StoredMessage of(long sequence, Entry entry, String bodyDigest, @Nullable String dedupId, long now) {
        AttributeValue trace = entry.systemAttributes.get("AWSTraceHeader");
        return new StoredMessage(
                sequence,
                entry.body,
                bodyDigest,
                now,
                entry.group,
                dedupId,
                entry.attributes,
                trace == null ? null : trace.value());
    }

    /** One that nobody sent. */
    static StoredMessage filled(long sequence, byte[] body, String digest, @Nullable String group, long now) {
        String dedupId = group == null ? null : Long.toHexString(mix(sequence));
        return new StoredMessage(sequence, body, digest, now, group, dedupId, Collections.emptySortedMap(), null);
    }

    /** The handle of the latest receive. */
    String receiptHandle() {
        return HANDLE_HEAD + padded(sequence) + padded(receives) + HANDLE_TAIL;
    }

    /** Which message a handle is of; -1 if it is none. */
    static long sequenceOf(String handle) {
        return number(handle, HANDLE_HEAD.length());
    }

    boolean isLatest(String handle) {
        return number(handle, HANDLE_HEAD.length() + NUMBER) == receives;
    }

    String sequenceNumber() {
        return "1888" + padded(sequence);
    }

    private static String padded(long number) {
        String digits = Long.toString(number);
        return "0".repeat(NUMBER - digits.length()) + digits;
    }

    private static long number(String handle, int from) {
        if (!handle.startsWith(HANDLE_HEAD) || handle.length() < from + NUMBER) {
            return -1;
        }
        try {
            return Long.parseLong(handle, from, from + NUMBER, 10);
        } catch (NumberFormatException e) {
            return -1;
        }
    }

    private static long mix(long value) {
        long z = (value + 0x9E3779B97F4A7C15L) * 0xBF58476D1CE4E5B9L;
        return (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    }
}
