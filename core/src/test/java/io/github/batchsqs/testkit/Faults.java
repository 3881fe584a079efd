/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.testkit;

import io.github.batchsqs.client.Queue;
import io.github.batchsqs.client.QueueCallException;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What goes wrong in an {@link InMemoryQueueClient}; nothing, unless a test overrides a method.
 *
 * <p>{@link #before} and {@link #after} run on the calling thread without the server's lock, so
 * a test may block in them, or call the server. The others run under the lock and only decide.
 */
public interface Faults {

    /** Nothing goes wrong. */
    Faults NONE = new Faults() {};

    /** All calls of an operation get no answer. */
    static Faults failing(Operation operation) {
        return failing(operation, Call::connectionFailed);
    }

    /** Calls of an operation fail with nothing done, unless there is no failure for them. */
    static Faults failing(Operation operation, Function<Call, @Nullable QueueCallException> failure) {
        return before(operation, call -> {
            QueueCallException thrown = failure.apply(call);
            if (thrown != null) {
                throw thrown;
            }
        });
    }

    /** Something happens before each call of an operation. */
    static Faults before(Operation operation, Action action) {
        return new Faults() {
            @Override
            public void before(Call call) throws InterruptedException {
                if (call.operation() == operation) {
                    action.run(call);
                }
            }
        };
    }

    /** Something happens behind each call of an operation. */
    static Faults after(Operation operation, Action action) {
        return new Faults() {
            @Override
            public void after(Call call) throws InterruptedException {
                if (call.operation() == operation) {
                    action.run(call);
                }
            }
        };
    }

    /** Entries are refused, unless there is no refusal for their subject. */
    static Faults refusing(BiFunction<Call, String, @Nullable Rejection> refusal) {
        return new Faults() {
            @Override
            public @Nullable Rejection reject(Call call, int index, String subject) {
                return refusal.apply(call, subject);
            }
        };
    }

    /** What happens at a call; what it throws fails the call. */
    interface Action {
        void run(Call call) throws InterruptedException;
    }

    /**
     * A call as the server sees it.
     *
     * @param number counts the calls of this operation, over all queues, from 1
     * @param entries the entries that it carries; 0 for those without
     */
    record Call(Operation operation, @Nullable Queue queue, long number, int entries) {

        /** To be thrown from {@link #before} or {@link #after}: the call got no answer, and may be tried again. */
        public QueueCallException connectionFailed() {
            return failed("ConnectionFailed", true);
        }

        /** To be thrown from {@link #before}: throttled. */
        public QueueCallException throttled() {
            return failed("RequestThrottled", true);
        }

        /** To be thrown: this operation failed with this code. */
        public QueueCallException failed(String code, boolean retryable) {
            return new QueueCallException(
                    operation.sqsName(),
                    code,
                    operation.sqsName() + " failed by a test's wish: " + code,
                    retryable,
                    null);
        }
    }

    /** An entry that is refused in an answer that is otherwise fine: nothing is done for it. */
    record Rejection(String code, boolean retryable) {

        /** The server could not; nothing was done; it may be tried again. */
        public static final Rejection INTERNAL_ERROR = new Rejection("InternalError", true);

        /** The sender's fault: nothing was done, and trying again does not help. */
        public static final Rejection INVALID = new Rejection("InvalidParameterValue", false);
    }

    /** Before the server acts. What this throws fails the call with nothing done. */
    default void before(Call call) throws InterruptedException {}

    /** After the server acted. What this throws drops the answer: the caller cannot know what was done. */
    default void after(Call call) throws InterruptedException {}

    /**
     * Asked for each entry of a batch call.
     *
     * @param index the entry's place in the call
     * @param subject the message id for deletes and visibility changes (the handle, if it is none of the queue's), the
     *     body for sends
     * @return how the entry is refused, or {@code null}
     */
    default @Nullable Rejection reject(Call call, int index, String subject) {
        return null;
    }

    /** Asked for each message in flight: whether this receive delivers it once more, ahead of all others. */
    default boolean deliverAgain(Call call, String messageId) {
        return false;
    }

    /** Asked for each message that this receive takes: whether it appears in the answer a second time. */
    default boolean deliverTwice(Call call, String messageId) {
        return false;
    }
}
