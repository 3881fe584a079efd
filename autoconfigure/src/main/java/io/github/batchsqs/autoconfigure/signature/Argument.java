/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.signature;

import io.github.batchsqs.MessageBatch;
import java.lang.reflect.Type;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One argument of a handler method, decided at start.
 *
 * @param value takes it from an invocation
 * @param takes what it takes of the batch
 * @param payload the payload type that it asks for, or {@code null} if it asks for none
 */
record Argument(Value value, Takes takes, @Nullable Type payload) {

    /** What an argument takes of a batch. */
    enum Takes {
        /** All messages, with their payloads. */
        BATCH,
        /** The one message of a batch of one, with its payload. */
        MESSAGE,
        /** All messages as the SDK has them. */
        SDK_BATCH,
        /** The one message as the SDK has it. */
        SDK_MESSAGE,
        /** Something about the one message. */
        DETAIL,
        /** To settle the messages, however many there are. */
        ACKNOWLEDGEMENT;

        /** Whether it makes sense only for one message at a time. */
        boolean single() {
            return this == MESSAGE || this == SDK_MESSAGE || this == DETAIL;
        }

        /** Whether it makes sense only for batches. */
        boolean batch() {
            return this == BATCH || this == SDK_BATCH;
        }

        /** Whether it says which type the payload has. */
        boolean payload() {
            return this == BATCH || this == MESSAGE;
        }
    }

    /** Takes an argument from an invocation, on its thread. */
    @FunctionalInterface
    interface Value {
        @Nullable
        Object of(Invocation invocation) throws Exception;
    }

    /** An argument that is in the batch already. */
    static Argument of(Takes takes, @Nullable Type payload, Function<MessageBatch<Object>, Object> value) {
        return new Argument(invocation -> value.apply(invocation.batch()), takes, payload);
    }
}
