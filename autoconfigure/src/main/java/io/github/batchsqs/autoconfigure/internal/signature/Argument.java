/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.signature;

import io.github.batchsqs.MessageBatch;
import java.lang.reflect.Type;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One argument of a handler method, decided at start.
 *
 * @param value computes the argument from an invocation
 * @param takes the part of the batch that the argument needs
 * @param payload the payload type of the parameter, or {@code null} if it has no payload
 */
record Argument(Value value, Takes takes, @Nullable Type payload) {

    /** The part of a batch that an argument needs. */
    enum Takes {
        /** All messages, with their payloads. */
        BATCH,
        /** The one message of a batch of one, with its payload. */
        MESSAGE,
        /** All messages as the SDK's objects. */
        SDK_BATCH,
        /** The one message as the SDK's object. */
        SDK_MESSAGE,
        /** A detail of the one message. */
        DETAIL,
        /** The manual acknowledgement, for any number of messages. */
        ACKNOWLEDGEMENT,
        /** The visibility, for any number of messages. */
        VISIBILITY;

        /** Returns whether the argument requires one message at a time. */
        boolean single() {
            return this == MESSAGE || this == SDK_MESSAGE || this == DETAIL;
        }

        /** Returns whether the argument requires batches. */
        boolean batch() {
            return this == BATCH || this == SDK_BATCH;
        }

        /** Returns whether the argument determines the payload type. */
        boolean payload() {
            return this == BATCH || this == MESSAGE;
        }
    }

    /** Computes an argument from an invocation, on the thread of the invocation. */
    @FunctionalInterface
    interface Value {
        @Nullable
        Object of(Invocation invocation) throws Exception;
    }

    /** Creates an argument that the batch already contains. */
    static Argument of(Takes takes, @Nullable Type payload, Function<MessageBatch<Object>, Object> value) {
        return new Argument(invocation -> value.apply(invocation.batch()), takes, payload);
    }
}
