/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.model.sqs;

/** What a delete did; SQS's response does not tell these apart. */
public enum Deletion {
    /** The message is gone by this delete. */
    DELETED,
    /** The message was not in the queue any more. */
    GONE_BEFORE,
    /** The handle is one of an earlier receive; the message is still there. */
    KEPT
}
