/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.once;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Runs transactions of {@value #BATCH} messages at a constant rate, and samples a table meanwhile. Transactions that are late start at once, so a
 * rate that the machine does not reach becomes the highest one that it does.
 */
final class Growth {

    static final int BATCH = 100;

    private static final int THREADS = 8;
    private static final long LONGEST_PAUSE_NANOS = TimeUnit.MINUTES.toNanos(2);
    private static final double NANOS = 1e9;
    private static final double NANOS_PER_MILLI = 1e6;

    private final Postgres postgres;
    private final String table;
    private final Load load;
    private final double perSecond;
    private final AtomicLong next = new AtomicLong();
    private final Progress progress;
    private final LongAdder transactions = new LongAdder();
    private final LongAdder transactionNanos = new LongAdder();
    private long began;

    /** How many messages are done. Safe for use by any thread. */
    static final class Progress {

        private final LongAdder done = new LongAdder();
        private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

        void done(int messages) {
            done.add(messages);
        }

        /** Ends the row. */
        void failed(Throwable cause) {
            boolean unused = failure.compareAndSet(null, cause);
        }

        /** Returns the number of messages that are done. */
        long checked() throws IOException {
            Throwable cause = failure.get();
            if (cause != null) {
                throw new IOException("A transaction or a message failed", cause);
            }
            return done.sum();
        }
    }

    /** What fills the table. */
    interface Load {

        /** Waits before a transaction of so many messages, which does not count as its time. */
        default void awaitRoom(int messages) throws InterruptedException {}

        /** Runs a transaction and returns when it has committed. Reports the progress of its messages, now or later. */
        void transaction(long number, int messages) throws Exception;

        /** Called at each sample. */
        default void sampled() throws IOException {}
    }

    /**
     * Prepares it.
     *
     * @param table that is sampled
     * @param perSecond messages
     */
    Growth(Postgres postgres, String table, Load load, Progress progress, double perSecond) {
        this.postgres = postgres;
        this.table = table;
        this.load = load;
        this.progress = progress;
        this.perSecond = perSecond;
    }

    /** Returns the samples, one before the first message and one after each step. */
    List<GrowthResult.Sample> run(long messages, long step) throws IOException, InterruptedException {
        List<GrowthResult.Sample> samples = new ArrayList<>();
        long autovacuums = postgres.size(table).autovacuums();
        began = System.nanoTime();
        samples.add(sample(0, autovacuums));
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < THREADS; i++) {
                threads.execute(() -> work(messages / BATCH));
            }
            try {
                for (long reached = step; reached <= messages; reached += step) {
                    await(reached);
                    samples.add(sample(progress.checked(), autovacuums));
                    load.sampled();
                    System.err.println(samples.getLast());
                }
            } finally {
                List<Runnable> unused = threads.shutdownNow(); // all are done, or something has failed
            }
        }
        return samples;
    }

    private void work(long all) {
        try {
            for (long number = next.getAndIncrement(); number < all; number = next.getAndIncrement()) {
                long due = began + (long) (number * BATCH / perSecond * NANOS);
                TimeUnit.NANOSECONDS.sleep(due - System.nanoTime());
                load.awaitRoom(BATCH);
                long start = System.nanoTime();
                load.transaction(number, BATCH);
                transactionNanos.add(System.nanoTime() - start);
                transactions.increment();
            }
        } catch (Exception | Error e) {
            progress.failed(e);
        }
    }

    private void await(long messages) throws IOException, InterruptedException {
        long last = progress.checked();
        long changed = System.nanoTime();
        for (long now = last; now < messages; now = progress.checked()) {
            if (now != last) {
                last = now;
                changed = System.nanoTime();
            } else if (System.nanoTime() - changed > LONGEST_PAUSE_NANOS) {
                throw new IOException("Nothing has happened for minutes, after " + now + " messages");
            }
            TimeUnit.MILLISECONDS.sleep(2);
        }
    }

    private GrowthResult.Sample sample(long messages, long autovacuumsBefore) {
        double seconds = (System.nanoTime() - began) / NANOS;
        long some = transactions.sumThenReset();
        double millis = transactionNanos.sumThenReset() / NANOS_PER_MILLI / Math.max(1, some);
        Postgres.Size size = postgres.size(table);
        return new GrowthResult.Sample(
                messages,
                seconds,
                size.rows(),
                size.deadRows(),
                size.tableBytes(),
                size.indexBytes(),
                size.autovacuums() - autovacuumsBefore,
                millis);
    }
}
