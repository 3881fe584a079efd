/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.model.sqs;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The rules of every batch call; one that breaks them fails as a whole. */
public final class Batches {

    public static final int MAX_ENTRIES = 10;

    /** Of all messages of a call together. */
    public static final long MAX_BYTES = 1 << 20;

    private static final int MAX_ID = 80;

    private Batches() {}

    /** Fails a call with no entry or more than ten. */
    public static void checkSize(int entries) {
        if (entries == 0) {
            throw new SqsFailure(
                    ErrorCode.EMPTY_BATCH_REQUEST,
                    "There should be at least one entry in the request, but there is none.");
        }
        if (entries > MAX_ENTRIES) {
            throw new SqsFailure(
                    ErrorCode.TOO_MANY_ENTRIES_IN_BATCH_REQUEST,
                    "Maximum number of entries per request are 10. You have sent " + entries + ".");
        }
    }

    /** Fails a call by its number of entries, or if an id is malformed or there twice. */
    public static void check(List<String> ids) {
        checkSize(ids.size());
        Set<String> distinct = new HashSet<>();
        for (String id : ids) {
            if (malformed(id)) {
                throw new SqsFailure(
                        ErrorCode.INVALID_BATCH_ENTRY_ID,
                        "A batch entry id can only contain alphanumeric characters, hyphens and underscores."
                                + " It can be at most 80 letters long.");
            }
            if (!distinct.add(id)) {
                throw new SqsFailure(ErrorCode.BATCH_ENTRY_IDS_NOT_DISTINCT, "Id " + id + " repeated.");
            }
        }
    }

    private static boolean malformed(String id) {
        for (int i = 0; i < id.length(); i++) {
            char c = id.charAt(i);
            if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_')) {
                return true;
            }
        }
        return id.isEmpty() || id.length() > MAX_ID;
    }
}
