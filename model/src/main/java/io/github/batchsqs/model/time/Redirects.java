/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.model.time;

import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * What {@link Rewriter} calls instead of the JDK: the same on strands in virtual time, and the JDK's own on all other threads. The nested
 * class names the owner of the methods; an instance's method has the instance as its first parameter.
 */
public final class Redirects {

    private Redirects() {}

    private static @Nullable Strand strandOf(Thread thread) {
        Strand me = Strand.current();
        return me == null ? null : me.time.of(thread);
    }

    /** Instead of {@link Thread}. */
    public static final class OfThread {

        private OfThread() {}

        public static void start(Thread thread) {
            Strand strand = strandOf(thread);
            if (strand == null) {
                thread.start();
            } else {
                strand.time.begin(strand);
            }
        }

        public static Thread startVirtualThread(Runnable task) {
            return OfBuilder.start(Thread.ofVirtual(), task);
        }

        public static void interrupt(Thread thread) {
            Strand strand = strandOf(thread);
            if (strand == null || strand == Strand.current()) {
                thread.interrupt();
            } else {
                strand.interrupt();
            }
        }

        public static boolean isInterrupted(Thread thread) {
            Strand strand = strandOf(thread);
            return thread.isInterrupted() || (strand != null && strand.interruptPending);
        }

        public static boolean isVirtual(Thread thread) {
            Strand strand = strandOf(thread);
            return strand == null ? thread.isVirtual() : strand.needsCarrier;
        }

        public static boolean isAlive(Thread thread) {
            Strand me = Strand.current();
            Strand strand = strandOf(thread);
            return me == null ? thread.isAlive() : strand != null && strand.begun && !strand.over;
        }

        public static void join(Thread thread) throws InterruptedException {
            join(thread, 0);
        }

        public static void join(Thread thread, long millis) throws InterruptedException {
            Strand me = Strand.current();
            if (me == null) {
                thread.join(millis);
                return;
            }
            boolean unused = joined(me, thread, millis == 0 ? Strand.NEVER : TimeUnit.MILLISECONDS.toNanos(millis));
        }

        public static boolean join(Thread thread, java.time.Duration bound) throws InterruptedException {
            Strand me = Strand.current();
            return me == null ? thread.join(bound) : joined(me, thread, bound.toNanos());
        }

        private static boolean joined(Strand me, Thread thread, long nanos) throws InterruptedException {
            Strand other = me.time.of(thread);
            if (other == null || other.over) {
                return true;
            }
            Strand.Wait wait = me.wait(true);
            other.joiners.add(wait);
            me.block(wait, me.time.deadline(nanos));
            return other.over;
        }

        public static void sleep(long millis) throws InterruptedException {
            sleep(java.time.Duration.ofMillis(millis));
        }

        public static void sleep(java.time.Duration time) throws InterruptedException {
            Strand me = Strand.current();
            if (me == null) {
                Thread.sleep(time);
            } else {
                me.time.sleep(time.toNanos());
            }
        }

        public static void onSpinWait() {
            Strand me = Strand.current();
            if (me == null) {
                Thread.onSpinWait();
            } else {
                me.letOthersRun();
            }
        }
    }

    /** Instead of {@link Thread.Builder}. */
    public static final class OfBuilder {

        private OfBuilder() {}

        public static Thread unstarted(Thread.Builder builder, Runnable task) {
            Strand me = Strand.current();
            return me == null
                    ? builder.unstarted(task)
                    : strand(me, builder instanceof Thread.Builder.OfVirtual, builder.unstarted(task), task);
        }

        public static Thread start(Thread.Builder builder, Runnable task) {
            if (Strand.current() == null) {
                return builder.start(task);
            }
            Thread thread = unstarted(builder, task);
            OfThread.start(thread);
            return thread;
        }

        public static ThreadFactory factory(Thread.Builder builder) {
            ThreadFactory usual = builder.factory();
            boolean virtual = builder instanceof Thread.Builder.OfVirtual;
            return task -> {
                Strand me = Strand.current();
                return me == null ? usual.newThread(task) : strand(me, virtual, usual.newThread(task), task);
            };
        }

        private static Thread strand(Strand me, boolean virtual, Thread example, Runnable task) {
            return me.time.strand(me.host, virtual, example.getName(), task).thread;
        }
    }

    /** Instead of {@link Future}. */
    public static final class OfFuture {

        private OfFuture() {}

        public static @Nullable Object get(Future<?> future) throws InterruptedException, ExecutionException {
            Strand me = Strand.current();
            if (me != null && !future.isDone()) {
                await(me, future, Strand.NEVER, true);
            }
            return future.get();
        }

        public static @Nullable Object get(Future<?> future, long timeout, TimeUnit unit)
                throws InterruptedException, ExecutionException, TimeoutException {
            Strand me = Strand.current();
            if (me == null) {
                return future.get(timeout, unit);
            }
            if (!future.isDone()) {
                await(me, future, me.time.deadline(Math.max(0, unit.toNanos(timeout))), true);
            }
            return future.get(0, TimeUnit.NANOSECONDS);
        }

        static void await(Strand me, Future<?> future, long deadline, boolean interruptible)
                throws InterruptedException {
            if (!(future instanceof CompletableFuture<?> known)) {
                throw new UnsupportedOperationException("A strand does not wait for a " + future.getClass());
            }
            while (!known.isDone() && me.time.nanos() < deadline) {
                Strand.Wait wait = me.wait(interruptible);
                var unused = known.whenComplete((result, failure) -> wait.end());
                me.block(wait, deadline);
            }
        }
    }

    /** Instead of {@link CompletableFuture}. */
    public static final class OfCompletableFuture {

        private OfCompletableFuture() {}

        public static @Nullable Object get(CompletableFuture<?> future)
                throws InterruptedException, ExecutionException {
            return OfFuture.get(future);
        }

        public static @Nullable Object get(CompletableFuture<?> future, long timeout, TimeUnit unit)
                throws InterruptedException, ExecutionException, TimeoutException {
            return OfFuture.get(future, timeout, unit);
        }

        public static @Nullable Object join(CompletableFuture<?> future) {
            Strand me = Strand.current();
            if (me != null && !future.isDone()) {
                try {
                    OfFuture.await(me, future, Strand.NEVER, false);
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }
            return future.join();
        }
    }

    /** Instead of {@link LockSupport}. */
    public static final class OfLockSupport {

        private OfLockSupport() {}

        public static void park(Object blocker) {
            parkUntil(blocker, Strand.NEVER);
        }

        public static void park() {
            parkUntil(LockSupport.class, Strand.NEVER);
        }

        public static void parkNanos(long nanos) {
            parkNanos(LockSupport.class, nanos);
        }

        public static void parkNanos(Object blocker, long nanos) {
            Strand me = Strand.current();
            if (me == null) {
                LockSupport.parkNanos(blocker, nanos);
            } else {
                parkUntil(blocker, me.time.deadline(nanos));
            }
        }

        private static void parkUntil(Object blocker, long deadline) {
            Strand me = Strand.current();
            if (me == null) {
                LockSupport.park(blocker);
                return;
            }
            if (!me.permit && !me.thread.isInterrupted()) {
                Strand.Wait wait = me.wait(true);
                me.parked = wait;
                try {
                    me.block(wait, deadline);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt(); // as a park leaves it
                }
                me.parked = null;
            }
            me.permit = false;
        }

        public static void unpark(Thread thread) {
            Strand strand = strandOf(thread);
            if (strand == null) {
                LockSupport.unpark(thread);
                return;
            }
            strand.permit = true;
            Strand.Wait parked = strand.parked;
            if (parked != null) {
                boolean unused = parked.end();
            }
        }
    }

    /** Instead of {@link TimeUnit}. */
    public static final class OfTimeUnit {

        private OfTimeUnit() {}

        public static void sleep(TimeUnit unit, long time) throws InterruptedException {
            if (time > 0) {
                OfThread.sleep(java.time.Duration.ofNanos(unit.toNanos(time)));
            }
        }
    }

    /** Instead of {@link System}. */
    public static final class OfSystem {

        private OfSystem() {}

        public static long nanoTime() {
            Strand me = Strand.current();
            return me == null ? System.nanoTime() : me.time.nanos();
        }

        public static long currentTimeMillis() {
            Strand me = Strand.current();
            return me == null ? System.currentTimeMillis() : me.time.now().toEpochMilli();
        }
    }

    /** Instead of {@link Instant}. */
    public static final class OfInstant {

        private OfInstant() {}

        public static Instant now() {
            Strand me = Strand.current();
            return me == null ? Instant.now() : me.time.now();
        }
    }

    /** Instead of {@link UUID}. */
    public static final class OfUUID {

        private OfUUID() {}

        public static UUID randomUUID() {
            Strand me = Strand.current();
            return me == null
                    ? UUID.randomUUID()
                    : new UUID(me.time.random().nextLong(), me.time.random().nextLong());
        }
    }

    /** Instead of {@link ThreadLocalRandom}. */
    public static final class OfThreadLocalRandom {

        private OfThreadLocalRandom() {}

        public static long nextLong(ThreadLocalRandom usual) {
            Strand me = Strand.current();
            return me == null ? usual.nextLong() : me.time.random().nextLong();
        }

        public static long nextLong(ThreadLocalRandom usual, long bound) {
            Strand me = Strand.current();
            return me == null ? usual.nextLong(bound) : me.time.random().nextLong(bound);
        }

        public static int nextInt(ThreadLocalRandom usual, int bound) {
            Strand me = Strand.current();
            return me == null ? usual.nextInt(bound) : me.time.random().nextInt(bound);
        }

        public static double nextDouble(ThreadLocalRandom usual) {
            Strand me = Strand.current();
            return me == null ? usual.nextDouble() : me.time.random().nextDouble();
        }
    }
}
