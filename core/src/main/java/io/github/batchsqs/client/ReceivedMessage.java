/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.client;

import io.github.batchsqs.MessageAttribute;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A message as one receive brought it.
 *
 * <p>An interface rather than a record so that an implementation can wrap the client's own object: nothing is copied
 * until it is asked for.
 */
public interface ReceivedMessage {

    /** The id that SQS gave the message when it was sent. */
    String id();

    /** The handle of this receive. */
    String receiptHandle();

    /** The body. */
    String body();

    /** The sender's attributes. */
    Map<String, MessageAttribute> attributes();

    /** The system attributes, by SQS's names. */
    Map<String, String> systemAttributes();

    /** {@code ApproximateReceiveCount}, at least 1. */
    int receiveCount();

    /** {@code SentTimestamp}. */
    Instant sentAt();

    /** {@code MessageGroupId}. */
    @Nullable
    String groupId();

    /** The client library's own object ({@code software.amazon.awssdk.services.sqs.model.Message}), for handlers that ask for it. */
    Object nativeMessage();
}
