/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.ladder;

/** Threads that do one thing again and again until the process ends. */
final class RungThreads {

    private RungThreads() {}

    /** One turn. */
    @FunctionalInterface
    interface Turn {
        void run() throws InterruptedException;
    }

    static void loop(int threads, String name, Turn turn) {
        for (int i = 0; i < threads; i++) {
            Thread unused = Thread.ofVirtual().name(name + "-" + i).start(() -> {
                try {
                    while (!Thread.currentThread().isInterrupted()) {
                        turn.run();
                    }
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
        }
    }
}
