/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive;

import io.github.batchsqs.BatchOutcome;
import io.github.batchsqs.MessageBatch;
import io.github.batchsqs.client.ReceivedMessage;
import io.github.batchsqs.listener.BatchInterceptor;
import io.github.batchsqs.listener.ErrorHook;
import io.github.batchsqs.testkit.Faults;
import io.github.batchsqs.testkit.Operation;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The parts of an application that throw once in so many calls, exceptions and errors; an executor that refuses, runs on the
 * caller's thread or throws although it runs; and a server whose receives hang and ignore their interrupt. Quiet before
 * {@link #begin} and after {@link #end}.
 */
final class RaceFailures implements Executor, BatchInterceptor, ErrorHook, Faults {

    private final AtomicInteger calls = new AtomicInteger();
    private final AtomicInteger tasks = new AtomicInteger();
    private final AtomicInteger receives = new AtomicInteger();
    private final AtomicInteger hung = new AtomicInteger();
    private final Semaphore goOn = new Semaphore(0);
    private final Set<Throwable> thrown = ConcurrentHashMap.newKeySet();
    private volatile boolean active;
    private volatile boolean hungOnce;

    void begin() {
        active = true;
    }

    /** Throws and hangs no more. */
    void end() {
        active = false;
        goOn.release(1_000_000);
    }

    void letHungReceivesGoOn() {
        goOn.release(hung.get());
    }

    /** Returns whether this is, or was caused by, what was thrown here. */
    boolean threw(Throwable failure) {
        return thrown.contains(failure) || (failure.getCause() != null && threw(failure.getCause()));
    }

    /** Returns whether anything was thrown and any receive hung. */
    boolean happened() {
        return hungOnce && !thrown.isEmpty();
    }

    void throwOnceIn(int most) {
        int call = calls.incrementAndGet();
        if (!active || call % most != 0) {
            return;
        }
        Throwable failure = switch (call / most % 3) {
            case 0 -> new AssertionError("thrown by a test's wish");
            case 1 -> new Indescribable();
            default -> new IllegalStateException("thrown by a test's wish");
        };
        thrown.add(failure);
        if (failure instanceof Error error) {
            throw error;
        }
        throw (RuntimeException) failure;
    }

    private RuntimeException known(RuntimeException failure) {
        thrown.add(failure);
        return failure;
    }

    @Override
    public void execute(Runnable task) {
        int way = active ? tasks.incrementAndGet() % 12 : 0;
        switch (way) {
            case 3 -> throw known(new RejectedExecutionException("full"));
            case 6 -> task.run();
            case 9 -> {
                Thread.ofVirtual().start(task);
                throw known(new IllegalStateException("thrown although it runs"));
            }
            default -> Thread.ofVirtual().start(task);
        }
    }

    @Override
    public void before(MessageBatch<?> batch) {
        throwOnceIn(13);
    }

    @Override
    public void after(MessageBatch<?> batch, @Nullable BatchOutcome outcome, @Nullable Throwable failure) {
        throwOnceIn(7);
    }

    @Override
    public void failed(String queue, ReceivedMessage message, Throwable cause) {
        throwOnceIn(2);
    }

    @Override
    public void before(Call call) {
        throwOnceIn(17);
        hangOnceIn(5, call);
    }

    @Override
    public void after(Call call) {
        throwOnceIn(19);
        hangOnceIn(5, call);
    }

    /** A receive that hangs ignores its interrupt, so a stop leaves it alone. */
    private void hangOnceIn(int most, Call call) {
        if (active && call.operation() == Operation.RECEIVE && receives.incrementAndGet() % most == 0) {
            hungOnce = true;
            hung.incrementAndGet();
            goOn.acquireUninterruptibly();
            hung.decrementAndGet();
        }
    }

    /** No method of it that a log would call returns. */
    static final class Indescribable extends RuntimeException {

        @Override
        public @Nullable String getMessage() {
            throw new IllegalStateException("no message");
        }

        @Override
        public String toString() {
            throw new StackOverflowError("no text");
        }

        @Override
        public synchronized @Nullable Throwable getCause() {
            throw new IllegalStateException("no cause");
        }
    }
}
