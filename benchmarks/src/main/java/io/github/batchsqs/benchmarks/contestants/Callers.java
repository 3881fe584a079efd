/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.contestants;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/** Callers on a virtual thread each, that share the work. */
public final class Callers {

    private Callers() {}

    /** What a caller does with one piece. */
    @FunctionalInterface
    public interface Piece {
        void run(int index) throws Exception;
    }

    /** Blocks until all pieces are done. */
    public static void run(int callers, int pieces, Piece piece) throws InterruptedException, ExecutionException {
        AtomicInteger next = new AtomicInteger();
        List<Future<?>> running = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < callers; i++) {
                running.add(threads.submit(() -> {
                    for (int index = next.getAndIncrement(); index < pieces; index = next.getAndIncrement()) {
                        piece.run(index);
                    }
                    return null;
                }));
            }
        }
        for (Future<?> each : running) {
            each.get();
        }
    }
}
