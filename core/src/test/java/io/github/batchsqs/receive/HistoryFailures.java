/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive;

import io.github.batchsqs.testkit.EventMethods;
import io.github.batchsqs.BatchOutcome;
import io.github.batchsqs.MessageBatch;
import io.github.batchsqs.client.ReceivedMessage;
import io.github.batchsqs.listener.BatchInterceptor;
import io.github.batchsqs.listener.ErrorHook;
import io.github.batchsqs.listener.ListenerOptions;
import java.time.Duration;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * What is thrown in a history, which is anything, and the parts of an application that throw it: interceptor, error hook and
 * events. What the engine reports as unexpected must be one of these.
 */
final class HistoryFailures implements BatchInterceptor, ErrorHook, EventMethods {

    private final History history;
    private final SplittableRandom random;
    private final HistoryPlan plan;
    private final HistoryBooks books;
    private final Set<Throwable> known = Collections.newSetFromMap(new IdentityHashMap<>());

    HistoryFailures(History history) {
        this.history = history;
        this.random = history.random;
        this.plan = history.plan;
        this.books = history.books;
    }

    /** An exception whose methods throw. */
    private static final class Indescribable extends RuntimeException {

        private static final long serialVersionUID = 1L;

        Indescribable() {
            super(null, null, false, false);
        }

        @Override
        public @Nullable String getMessage() {
            throw new IllegalStateException("no message");
        }

        @Override
        public String toString() {
            throw new IllegalStateException("no text");
        }
    }

    /** An error of user code. */
    private static final class Fatal extends Error {

        private static final long serialVersionUID = 1L;

        Fatal() {
            super("generated", null, false, false);
        }
    }

    /** A checked exception where none is declared. */
    private static final class Checked extends Exception {

        private static final long serialVersionUID = 1L;

        Checked() {
            super("generated", null, false, false);
        }
    }

    /** Returns any throwable. */
    Throwable any() {
        Throwable failure = switch (random.nextInt(5)) {
            case 0 -> new Indescribable();
            case 1 -> new Fatal();
            case 2 -> new Checked();
            case 3 -> new RejectedExecutionException("generated");
            default -> new IllegalStateException("generated");
        };
        known.add(failure);
        return failure;
    }

    /** Throws anything, once in so many calls, if the plan has parts that throw. */
    void throwOnceIn(int calls, String where) {
        if (plan.throwing() && random.nextInt(calls) == 0) {
            doThrow(where);
        }
    }

    void doThrow(String where) {
        history.note(where + " throws");
        HistoryFailures.<RuntimeException>sneak(any());
    }

    @SuppressWarnings("unchecked") // nobody declares what is thrown here
    private static <T extends Throwable> void sneak(Throwable failure) throws T {
        throw (T) failure;
    }

    private boolean isKnown(Throwable failure) {
        if (failure instanceof Strands.Crash || known.contains(failure)) {
            return true;
        }
        for (Throwable suppressed : failure.getSuppressed()) {
            if (known.contains(suppressed)) {
                return true;
            }
        }
        return failure.getCause() != null && isKnown(failure.getCause());
    }

    // ---- the interceptor

    @Override
    public void before(MessageBatch<?> batch) {
        if (history.handlersFail() && plan.options().acknowledge().mode() != ListenerOptions.AcknowledgeMode.ALWAYS) {
            throwOnceIn(40, "the interceptor before a batch");
        }
    }

    @Override
    public void after(MessageBatch<?> batch, @Nullable BatchOutcome outcome, @Nullable Throwable failure) {
        throwOnceIn(10, "the interceptor after a batch");
    }

    // ---- the error hook

    @Override
    public void failed(String queue, ReceivedMessage message, Throwable cause) {
        throwOnceIn(5, "the error hook");
    }

    // ---- the events

    @Override
    public void apiCall(String operation, int entries, Duration took, @Nullable String errorCode) {
        throwOnceIn(40, "the event of a call");
    }

    @Override
    public void received(int messages) {
        throwOnceIn(20, "the event of a receive");
    }

    @Override
    public void acknowledged(int messages) {
        throwOnceIn(20, "the event of an acknowledgement");
    }

    @Override
    public void failed(String messageId, Throwable cause) {
        throwOnceIn(20, "the event of a failure");
    }

    @Override
    public void unexpected(String stage, Throwable failure) {
        if (!isKnown(failure)) {
            books.violated("Nobody threw what is unexpected in " + stage, failure);
        }
        throwOnceIn(5, "the event of an unexpected failure");
    }
}
