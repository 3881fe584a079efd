/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.client;

import io.github.batchsqs.batch.EntryResult;
import io.github.batchsqs.batch.EntryResult.Accepted;
import io.github.batchsqs.batch.EntryResult.Rejected;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.sqs.model.BatchResultErrorEntry;

/**
 * Puts what SQS answered for the entries of a batch call into the order of the entries.
 *
 * <p>An entry that is not in the answer counts as rejected, and may be tried again: nobody knows what became of it. An id
 * that no entry has is passed over. An entry that is in the answer as both counts as rejected.
 */
final class BatchAnswer<R> {

    @SuppressWarnings("NullAway") // Void has no value
    static final EntryResult<Void> ACCEPTED = new Accepted<>(null);

    private final List<EntryResult<R>> results;

    BatchAnswer(int entries) {
        results = new ArrayList<>(Collections.nCopies(
                entries,
                new Rejected<>("MissingInAnswer", "SQS's answer named the entry neither successful nor failed", true)));
    }

    void accepted(@Nullable String id, EntryResult<R> result) {
        int place = place(id);
        if (place >= 0) {
            results.set(place, result);
        }
    }

    BatchAnswer<R> rejected(List<BatchResultErrorEntry> failed) {
        for (BatchResultErrorEntry error : failed) {
            rejected(error.id(), error.code(), error.message(), Boolean.TRUE.equals(error.senderFault()));
        }
        return this;
    }

    void rejected(@Nullable String id, @Nullable String code, @Nullable String message, boolean senderFault) {
        int place = place(id);
        if (place >= 0) {
            String plain = CallFailures.plain(code);
            String words = message == null ? "" : message;
            results.set(place, new Rejected<>(plain, words, CallFailures.passes(plain, senderFault)));
        }
    }

    List<EntryResult<R>> inOrder() {
        return results;
    }

    private int place(@Nullable String id) {
        int place = id != null && id.length() == 1 ? id.charAt(0) - '0' : -1;
        return place < results.size() ? place : -1;
    }
}
