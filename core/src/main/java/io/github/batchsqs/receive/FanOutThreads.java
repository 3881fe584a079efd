/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive;

import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;

/** Runs a blocking action on one virtual thread per container; no thread outlives the call. */
final class FanOutThreads {

    private FanOutThreads() {}

    /**
     * Runs the action on all containers at once and blocks until each has ended. An interrupt is passed on to all of them and
     * kept. Throws the failure of the first container that failed, with those of the others suppressed.
     */
    static void run(String role, Collection<ListenerContainer> containers, Consumer<ListenerContainer> action) {
        var all = List.copyOf(containers);
        var failures = new AtomicReferenceArray<Throwable>(all.size());
        var threads = new Thread[all.size()];
        Thread caller = StopWaits.principal();
        for (int i = 0; i < threads.length; i++) {
            int index = i;
            var container = all.get(i);
            threads[i] = Thread.ofVirtual()
                    .name("batchsqs-" + container.options().id() + "-" + role + "-1")
                    .start(() -> {
                        try {
                            StopWaits.onBehalfOf(caller, () -> action.accept(container));
                        } catch (Throwable failure) {
                            failures.set(index, failure);
                        }
                    });
        }
        joinAll(threads);
        throwFirst(failures);
    }

    private static void joinAll(Thread[] threads) {
        boolean interrupted = false;
        for (Thread thread : threads) {
            while (thread.isAlive()) {
                try {
                    thread.join();
                } catch (InterruptedException now) {
                    interrupted = true;
                    for (Thread each : threads) {
                        each.interrupt();
                    }
                }
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static void throwFirst(AtomicReferenceArray<Throwable> failures) {
        Throwable first = null;
        for (int i = 0; i < failures.length(); i++) {
            Throwable failure = failures.get(i);
            if (failure != null && first == null) {
                first = failure;
            } else if (failure != null) {
                Objects.requireNonNull(first).addSuppressed(failure);
            }
        }
        switch (first) {
            case null -> {}
            case Error error -> throw error;
            case RuntimeException exception -> throw exception;
            default -> throw new IllegalStateException(first);
        }
    }
}
