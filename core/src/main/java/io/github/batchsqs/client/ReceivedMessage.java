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

    /** {@return the id that SQS assigned to the message when it was sent} */
    String id();

    /** {@return the receipt handle of this receive} */
    String receiptHandle();

    /** {@return the body} */
    String body();

    /** {@return the message attributes that the sender set} */
    Map<String, MessageAttribute> attributes();

    /** {@return the system attributes by SQS's names} */
    Map<String, String> systemAttributes();

    /** {@return how often SQS has delivered the message ({@code ApproximateReceiveCount}); at least 1} */
    int receiveCount();

    /** {@return the time at which SQS accepted the message ({@code SentTimestamp})} */
    Instant sentAt();

    /** {@return the message group ({@code MessageGroupId}), or {@code null} if it has none} */
    @Nullable
    String groupId();

    /**
     * {@return the client library's own object, for handlers that ask for it
     * ({@code software.amazon.awssdk.services.sqs.model.Message})}
     */
    Object nativeMessage();
}
