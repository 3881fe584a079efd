/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.signature;

import io.github.batchsqs.MessageBatch;
import java.lang.reflect.Type;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One argument of a handler method, decided at start.
 *
 * @param value takes it from a batch, at each invocation
 * @param takes what it takes of the batch
 * @param payload the payload type that it asks for, or {@code null} if it asks for none
 */
record Argument(
        Function<MessageBatch<Object>, Object> value,
        Takes takes,
        @Nullable Type payload) {

    /** What an argument takes of a batch. */
    enum Takes {
        /** All messages. */
        BATCH,
        /** The one message of a batch of one. */
        MESSAGE,
        /** Something beside the messages. */
        CONTEXT
    }
}
