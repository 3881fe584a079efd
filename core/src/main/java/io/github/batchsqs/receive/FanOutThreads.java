/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.function.Consumer;

/** Runs a blocking action on one virtual thread per container; no thread outlives the call. */
final class FanOutThreads {

    private FanOutThreads() {}

    /**
     * Runs the action on all containers at once and blocks until each has ended. An interrupt is passed on to all of them and
     * kept. Throws the failure of the first container that failed, with those of the others suppressed.
     */
    static void run(String role, Collection<ListenerContainer> containers, Consumer<ListenerContainer> action) {
        List<FutureTask<Void>> tasks = new ArrayList<>(containers.size());
        Thread caller = StopWaits.principal();
        List<Thread> threads = new ArrayList<>(containers.size());
        for (ListenerContainer container : List.copyOf(containers)) {
            FutureTask<Void> task =
                    new FutureTask<>(() -> StopWaits.onBehalfOf(caller, () -> action.accept(container)), null);
            tasks.add(task);
            threads.add(Thread.ofVirtual()
                    .name("batchsqs-" + container.options().id() + "-" + role + "-1")
                    .start(task));
        }
        joinAll(threads);
        throwFirst(tasks);
    }

    private static void joinAll(List<Thread> threads) {
        boolean interrupted = false;
        for (Thread thread : threads) {
            while (thread.isAlive()) {
                try {
                    thread.join();
                } catch (InterruptedException now) {
                    interrupted = true;
                    threads.forEach(Thread::interrupt);
                }
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static void throwFirst(List<FutureTask<Void>> tasks) {
        Throwable first = null;
        for (FutureTask<Void> task : tasks) {
            if (task.state() == Future.State.FAILED) {
                Throwable failure = task.exceptionNow();
                if (first == null) {
                    first = failure;
                } else {
                    first.addSuppressed(failure);
                }
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
