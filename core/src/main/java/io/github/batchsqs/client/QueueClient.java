/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.client;

import io.github.batchsqs.batch.EntryResult;
import java.util.List;

/**
 * The seam to SQS: everything above it knows nothing of the AWS SDK.
 *
 * <p>Every call blocks its (virtual) thread for one round trip, a receive for up to its wait as well, and ends early with
 * {@link InterruptedException} when the thread is interrupted. A call that failed as a whole throws
 * {@link QueueCallException}. Batch calls take 1 to 10 entries and answer in the order of the entries. Safe for use by
 * any number of threads.
 */
public interface QueueClient {

    /** Receives up to {@code maxMessages}; an empty list when the wait passed without one. */
    List<ReceivedMessage> receive(ReceiveCall call) throws InterruptedException;

    /** Deletes by receipt handle. */
    List<EntryResult<Void>> delete(Queue queue, List<String> receiptHandles) throws InterruptedException;

    /** Changes when messages become visible again. */
    List<EntryResult<Void>> changeVisibility(Queue queue, List<VisibilityChange> changes) throws InterruptedException;

    /** Sends. */
    List<EntryResult<SentMessage>> send(Queue queue, List<SendEntry> entries) throws InterruptedException;
}
