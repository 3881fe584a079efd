/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.sdk;

import io.github.batchsqs.ReceivedMessage;
import io.github.batchsqs.internal.support.SqsLimits;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A response is none of SQS: it lacks a part that SQS always sends, or has too many. */
@SuppressWarnings("serial")
public final class UnexpectedResponseException extends RuntimeException {

    public UnexpectedResponseException(String message) {
        super(message);
    }

    /** Returns the messages of a receive; throws if a batch call could not settle all of them. */
    public static List<ReceivedMessage> settleable(List<ReceivedMessage> messages) {
        if (messages.size() > SqsLimits.MAX_PER_CALL) {
            throw new UnexpectedResponseException("The response has " + messages.size()
                    + " messages, but SQS sends at most " + SqsLimits.MAX_PER_CALL);
        }
        return messages;
    }

    /** Returns the value; throws if the response has none. */
    public static String required(String name, @Nullable String value) {
        if (value == null) {
            throw new UnexpectedResponseException("The response has no " + name + " where SQS always has one");
        }
        return value;
    }
}
