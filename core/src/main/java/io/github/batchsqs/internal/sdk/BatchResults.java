/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.sdk;

import io.github.batchsqs.internal.client.EntryResult;
import io.github.batchsqs.internal.client.EntryResult.Accepted;
import io.github.batchsqs.internal.client.EntryResult.Rejected;
import io.github.batchsqs.internal.support.SqsErrors;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.sqs.model.BatchResultErrorEntry;

/**
 * Collects the results of a batch call in the order of its entries.
 *
 * <p>An entry that the response omits counts as rejected and retryable, because its fate is not known. An id that no entry has
 * is ignored. An entry that the response has as both successful and failed counts as rejected.
 */
public final class BatchResults<R> {

    @SuppressWarnings("NullAway") // Void has no value
    public static final EntryResult<Void> ACCEPTED = new Accepted<>(null);

    private final Rejected<R> missing = new Rejected<>(
            "MissingInResponse", "SQS's response has the entry neither as successful nor as failed", true, true);

    private final List<EntryResult<R>> results;
    private final boolean repeated;

    /** Collects the results of a call that was one attempt. */
    public BatchResults(int entries) {
        this(entries, false);
    }

    /**
     * Collects the results of a call.
     *
     * @param repeated whether there may have been attempts before the one that got the response: SQS may have accepted an entry
     *     then that it refuses now
     */
    public BatchResults(int entries, boolean repeated) {
        this.repeated = repeated;
        results = new ArrayList<>(Collections.nCopies(entries, missing));
    }

    @SuppressWarnings("ReferenceEquality") // an equal one may be of SQS
    public void accepted(@Nullable String id, EntryResult<R> result) {
        int place = place(id);
        if (place >= 0 && results.get(place) == missing) {
            results.set(place, result);
        }
    }

    public BatchResults<R> rejected(List<BatchResultErrorEntry> failed) {
        for (BatchResultErrorEntry error : failed) {
            if (error != null) {
                rejected(error.id(), error.code(), error.message(), Boolean.TRUE.equals(error.senderFault()));
            }
        }
        return this;
    }

    public void rejected(@Nullable String id, @Nullable String code, @Nullable String message, boolean senderFault) {
        int place = place(id);
        if (place >= 0) {
            String plain = SqsErrors.plain(code);
            String words = message == null ? "" : message;
            results.set(place, new Rejected<>(plain, words, SqsErrors.passes(plain, senderFault), repeated));
        }
    }

    public List<EntryResult<R>> inOrder() {
        return results;
    }

    /** Returns the place of the entry with that id, or -1 if no entry has it. */
    private int place(@Nullable String id) {
        int place = id != null && id.length() == 1 ? id.charAt(0) - '0' : -1;
        return place < results.size() ? place : -1;
    }
}
