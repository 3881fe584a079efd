/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.run;

/** What a row does. */
public sealed interface Work {

    /** Messages of the first round of a row whose speed the CPU limits. */
    int FIRST_ROUND = 5_000;

    /** Messages of a round of such a row, at most. */
    int MOST = 300_000;

    /** Messages of the first round of the warm-up; 0 for none. */
    int warmUp();

    /** Messages of a round, at most. */
    int messages();

    /** What the handler does in each invocation. */
    enum Handler {
        /** Nothing. */
        NOTHING,
        /** Sleeps 10 ms. */
        SLEEP_10_MS,
        /** For each message, calls an HTTP server that responds in 300 ms. */
        CALL_300_MS,
        /** For each message, calls an HTTP server that responds in 20 ms, over a pool of ten connections. */
        CALL_20_MS_POOL_OF_10;

        /** Whether it calls a service, so that its latency is measured, and the CPU does not limit it. */
        public boolean calls() {
            return this == CALL_300_MS || this == CALL_20_MS_POOL_OF_10;
        }
    }

    /**
     * Drains a backlog that appears at once while the listener is idle.
     *
     * @param warmUp messages of the first round of the warm-up; 0 for none
     * @param messages of a round, at most
     * @param bytes of each
     * @param windowSeconds after which what has been done counts
     * @param handler what is done with them
     * @param fifo whether on a FIFO queue, of 100 groups
     * @param rest whether the listener comes to rest after the warm-up: until one receive is open, or two long polls passed
     */
    record Drain(int warmUp, int messages, int bytes, int windowSeconds, Handler handler, boolean fifo, boolean rest)
            implements Work {

        public Drain(int warmUp, int messages, int bytes, int windowSeconds, Handler handler, boolean fifo) {
            this(warmUp, messages, bytes, windowSeconds, handler, fifo, false);
        }
    }

    /** Messages come one by one, evenly spread, {@code perSecond} for {@code seconds}. */
    record Trickle(int perSecond, int seconds, int bytes) implements Work {

        @Override
        public int warmUp() {
            return perSecond * Math.max(2, seconds / 3);
        }

        @Override
        public int messages() {
            return perSecond * seconds;
        }
    }

    /** Sends. */
    record Send(int warmUp, int messages, int bytes, int groups, boolean fifo) implements Work {}
}
