/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.payload;

import io.github.batchsqs.MessageAttribute;
import java.util.Map;

/** A payload that a {@link PayloadStore} is to store, and what its message has instead. Compared by identity. */
public interface OffloadedPayload {

    /** {@return the body of the message, which points to the payload} */
    String body();

    /** {@return the attributes of the message: those of the sender, and those that mark the pointer} */
    Map<String, MessageAttribute> attributes();

    /** {@return the size of the payload, which is in memory until SQS has accepted the message} */
    long bytes();
}
