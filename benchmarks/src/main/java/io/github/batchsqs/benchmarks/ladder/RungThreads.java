/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.ladder;

/** Threads that do one thing again and again until the process ends. */
final class RungThreads {

    private RungThreads() {}

    /** One round. */
    @FunctionalInterface
    interface Round {
        void run() throws InterruptedException;
    }

    static void loop(int threads, String name, Round round) {
        for (int i = 0; i < threads; i++) {
            Thread unused = Thread.ofVirtual().name(name + "-" + i).start(() -> {
                try {
                    while (!Thread.currentThread().isInterrupted()) {
                        round.run();
                    }
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
        }
    }
}
