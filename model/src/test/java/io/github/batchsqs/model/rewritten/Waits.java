/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.model.rewritten;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/** Waits for everything there is to wait for: for two hours, and with a bound of a minute. */
public final class Waits {

    /** One that code under test extends. */
    private static final class OwnLock extends ReentrantLock {

        private static final long serialVersionUID = 1;

        @Override
        @SuppressWarnings("LockNotBeforeTry")
        public void lock() {
            if (!tryLock()) {
                super.lock();
            }
        }
    }

    private static final Duration HOURS = Duration.ofHours(2);

    private final List<String> log;
    private final long began = System.nanoTime();

    /** Writes what it sees into the log. */
    public Waits(List<String> log) {
        this.log = log;
    }

    /** Waits for everything at once. */
    public void all() {
        later("sleep", () -> {
            Thread.sleep(3_600_000);
            log.add("asleep until " + seconds());
            return null;
        });
        latch();
        semaphore();
        condition();
        future();
        queue();
        threads();
        pool();
        lock();
    }

    /** {@return whether the JDK's own classes work as usual} */
    public static boolean elsewhere() throws InterruptedException {
        CountDownLatch latch = new CountDownLatch(1);
        ReentrantLock lock = new ReentrantLock();
        Condition condition = lock.newCondition();
        Thread thread = Thread.ofVirtual().start(() -> {
            lock.lock();
            try {
                condition.signalAll();
            } finally {
                lock.unlock();
            }
            latch.countDown();
        });
        thread.join();
        return latch.await(1, TimeUnit.MINUTES) && !new Semaphore(0).tryAcquire(1, TimeUnit.NANOSECONDS);
    }

    private void latch() {
        CountDownLatch latch = new CountDownLatch(1);
        later("latch", () -> {
            latch.await();
            log.add("latch after " + seconds());
            return null;
        });
        later("bounded latch", () -> {
            log.add((latch.await(1, TimeUnit.MINUTES) ? "latch" : "no latch") + " after " + seconds());
            return null;
        });
        inTwoHours(latch::countDown);
    }

    private void semaphore() {
        Semaphore semaphore = new Semaphore(1, true);
        later("semaphore", () -> {
            semaphore.acquire(3);
            log.add("semaphore after " + seconds());
            return null;
        });
        later("bounded semaphore", () -> {
            log.add((semaphore.tryAcquire(3, 1, TimeUnit.MINUTES) ? "permits" : "no permits") + " after " + seconds());
            return null;
        });
        inTwoHours(() -> semaphore.release(2));
    }

    private void condition() {
        ReentrantLock lock = new OwnLock();
        Condition condition = lock.newCondition();
        boolean[] over = new boolean[1];
        later("condition", () -> {
            lock.lock();
            try {
                while (!over[0]) {
                    condition.await();
                }
            } finally {
                lock.unlock();
            }
            log.add("condition after " + seconds());
            return null;
        });
        later("bounded condition", () -> {
            lock.lock();
            try {
                long left = TimeUnit.MINUTES.toNanos(1);
                while (!over[0] && left > 0) {
                    left = condition.awaitNanos(left);
                }
                log.add((over[0] ? "signal" : "no signal") + " after " + seconds());
            } finally {
                lock.unlock();
            }
            return null;
        });
        inTwoHours(() -> {
            lock.lock();
            try {
                over[0] = true;
                condition.signalAll();
            } finally {
                lock.unlock();
            }
        });
    }

    private void future() {
        CompletableFuture<String> future = new CompletableFuture<>();
        later("future", () -> {
            log.add(future.get() + seconds());
            return null;
        });
        later("bounded future", () -> {
            try {
                log.add(future.get(1, TimeUnit.MINUTES) + seconds());
            } catch (TimeoutException e) {
                log.add("no result after " + seconds());
            }
            return null;
        });
        inTwoHours(() -> future.complete("future after "));
    }

    private void queue() {
        LinkedBlockingQueue<String> queue = new LinkedBlockingQueue<>();
        later("queue", () -> {
            log.add(queue.take() + seconds());
            return null;
        });
        later("bounded queue", () -> {
            LinkedBlockingQueue<String> empty = new LinkedBlockingQueue<>(1);
            String first = empty.poll(1, TimeUnit.MINUTES);
            log.add((first == null ? "nothing after " : first) + seconds());
            return null;
        });
        inTwoHours(() -> queue.add("queue after "));
    }

    private void threads() {
        Thread parked = later("park", () -> {
            LockSupport.park(this);
            log.add("unparked after " + seconds());
            return null;
        });
        later("join", () -> {
            parked.join();
            log.add("joined after " + seconds());
            return null;
        });
        Thread interrupted = later("interrupt", () -> {
            try {
                TimeUnit.DAYS.sleep(1);
            } catch (InterruptedException e) {
                log.add("interrupted after " + seconds());
            }
            return null;
        });
        inTwoHours(() -> LockSupport.unpark(parked));
        inTwoHours(interrupted::interrupt);
    }

    private void pool() {
        ThreadFactory factory = Thread.ofPlatform().daemon().name("pool-", 1).factory();
        ThreadPoolExecutor pool =
                new ThreadPoolExecutor(2, 2, 30, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), factory);
        CountDownLatch done = new CountDownLatch(5);
        for (int i = 0; i < 5; i++) {
            pool.execute(() -> {
                try {
                    Thread.sleep(Duration.ofHours(1));
                } catch (InterruptedException e) {
                    log.add("interrupted");
                }
                done.countDown();
            });
        }
        later("pool", () -> {
            done.await();
            log.add("pool of 2 takes " + seconds());
            return null;
        });
    }

    private void lock() {
        ReentrantLock lock = new ReentrantLock();
        CountDownLatch held = new CountDownLatch(1);
        later("holds a lock", () -> {
            lock.lock();
            try {
                held.countDown();
                Thread.sleep(HOURS);
            } finally {
                lock.unlock();
            }
            return null;
        });
        later("wants it", () -> {
            held.await();
            lock.lock();
            try {
                log.add("lock after " + seconds());
            } finally {
                lock.unlock();
            }
            return null;
        });
    }

    private long seconds() {
        return (System.nanoTime() - began) / 1_000_000_000L;
    }

    private static void inTwoHours(Runnable action) {
        later("two hours", () -> {
            Thread.sleep(HOURS);
            action.run();
            return null;
        });
    }

    @SuppressWarnings("CatchingUnchecked")
    private static Thread later(String name, Callable<?> task) {
        return Thread.ofVirtual().name(name).start(() -> {
            try {
                Object unused = task.call();
            } catch (RuntimeException e) {
                throw e;
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
    }
}
