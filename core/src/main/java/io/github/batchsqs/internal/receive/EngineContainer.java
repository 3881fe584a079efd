/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive;

import io.github.batchsqs.Backoff;
import io.github.batchsqs.errors.BatchSqsException;
import io.github.batchsqs.events.ListenerEvent;
import io.github.batchsqs.internal.receive.invoke.ListenerHandler;
import io.github.batchsqs.internal.support.Check;
import io.github.batchsqs.internal.support.EngineLock;
import io.github.batchsqs.internal.support.Locked;
import io.github.batchsqs.internal.support.SafeLog;
import io.github.batchsqs.internal.support.Supervised;
import io.github.batchsqs.internal.support.TimeSource;
import io.github.batchsqs.listener.ContainerState;
import io.github.batchsqs.listener.ContainerStatus;
import io.github.batchsqs.listener.ListenerOptions;
import io.github.batchsqs.receive.ListenerContainer;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/** Runs one listener on one queue; the table of contents of the receive path. A start wires the stages anew. */
public final class EngineContainer implements ListenerContainer {

    private static final SafeLog log = new SafeLog(LoggerFactory.getLogger(ListenerContainer.class));
    /** After each failure within so long of the last start, the wait for the next start is twice as long. */
    private static final Duration LONGEST_WAIT = Duration.ofMinutes(1);

    private static final Backoff START_AGAIN = new Backoff(Duration.ofSeconds(1), 2, LONGEST_WAIT, false);

    private final ListenerHandler<?> handler;
    private final ListenerResources resources;
    private final ClientThreads threads;

    private final ReentrantLock lock = new EngineLock();
    private volatile ListenerOptions options;
    /** The last run, which may have ended; before the first start one that has. */
    private volatile Run run;

    /** Whether it was started and not stopped since, so that it starts again when its engine has failed. */
    private boolean wanted;

    /** How often in a row it has failed soon after a start, or at one, and when it started last. */
    private int failures;

    private long startedAt;

    /** Whether its meters, its place in the registry and all that depends on that are gone; changed with the lock only. */
    private volatile boolean removed;

    /**
     * Creates the container; nothing runs before {@link #start()}.
     *
     * @param options the options, which {@link #setConcurrency} and {@link #setPollers} can change later
     * @param handler the handler and its interceptors
     * @param resources the clients and the listener's events
     */
    public EngineContainer(ListenerOptions options, ListenerHandler<?> handler, ListenerResources resources) {
        this.options = options;
        this.handler = handler;
        this.resources = resources;
        this.threads = ClientThreads.of(resources.client());
        this.run = new Run(this::options, handler, resources, threads).unstarted();
    }

    @Override
    public ListenerOptions options() {
        return options;
    }

    @Override
    public ContainerState state() {
        return run.state();
    }

    @Override
    public ContainerStatus status() {
        return run.status();
    }

    @Override
    public void start() {
        Run next = nextRun();
        if (next != null) {
            next.start();
        }
    }

    @Override
    public void stop() {
        requestStop().awaitStopped();
    }

    @Override
    public void pause() {
        run.pause();
    }

    @Override
    public void resume() {
        run.resume();
    }

    @Override
    public void setConcurrency(int concurrency) {
        change(builder -> builder.concurrency(concurrency));
    }

    @Override
    public void setPollers(int min, int max) {
        change(builder -> builder.pollers(min, max));
    }

    @Override
    public void changePollers(UnaryOperator<ListenerOptions.Pollers> change) {
        change(builder -> builder.pollers(change.apply(options.pollers())));
    }

    /** Begins a stop. Returns the run that ends by it. */
    Run requestStop() {
        return Locked.get(lock, () -> {
            wanted = false;
            run.requestStop();
            run.forgetProblem();
            return run;
        });
    }

    /**
     * Stops for good: from now on it cannot be started.
     *
     * @param gone runs when it has stopped
     */
    void remove(Runnable gone) {
        Run last = Locked.get(
                lock,
                () -> { // no start comes in between, which would outlast the removal
                    removed = true;
                    return requestStop();
                });
        last.awaitStopped();
        var ignored = last.stopped().thenRun(() -> {
            resources.events().on(new ListenerEvent.Removed());
            gone.run();
        });
    }

    boolean isRemoved() {
        return removed;
    }

    /** Refuses what would bring a removed container back, which belongs to nobody any more. */
    void refuseIfRemoved() {
        if (removed) {
            throw new BatchSqsException(
                    "Listener " + options.id() + " was removed and cannot be used any more; create it again");
        }
    }

    private void change(UnaryOperator<ListenerOptions.Builder> change) {
        Locked.run(lock, () -> options = change.apply(options.toBuilder()).build());
        run.followOptions();
    }

    /** Returns the run that the caller is to start, if there is one to start now. */
    private @Nullable Run nextRun() {
        while (true) {
            Run stopping;
            lock.lock();
            try {
                refuseIfRemoved();
                stopping = run;
                if (stopping.stopped().isDone()) {
                    return newRun();
                }
                if (!stopping.isStopped()) {
                    return null;
                }
            } finally {
                lock.unlock();
            }
            if (!stopping.awaitStopped()) {
                throw new BatchSqsException(
                        "Listener " + options.id()
                                + " cannot be started in a handler or an event for whose end its stop waits; start it on another thread");
            } else if (!stopping.stopped().isDone()) {
                throw new BatchSqsException(
                        "Listener " + options.id() + " cannot be started, because its stop has not ended");
            }
        }
    }

    private Run newRun() {
        Run next = new Run(this::options, handler, resources, threads);
        run = next;
        wanted = true;
        startedAt = resources.time().nanos();
        var ignored = next.stopped().thenRun(() -> {
            if (next.failure() != null) {
                startAgainAfterWhile(next);
            }
        });
        return next;
    }

    // ---- after a failure of the engine

    private void startAgainAfterWhile(Run ended) {
        lock.lock();
        try {
            if (!ended.equals(run) || !wanted) {
                return; // somebody has started or stopped it meanwhile
            }
            TimeSource time = resources.time();
            failures = time.nanos() - startedAt > LONGEST_WAIT.toNanos() ? 1 : failures + 1;
            Duration delay = START_AGAIN.delay(failures, Pipeline.RANDOM);
            log.info("Listener {}: starts again in {}", options.id(), Check.text(delay));
            threads.timers
                    .alarm(time, () -> threads.stops.execute(() -> startAgain(ended)), ended::startFailed)
                    .ringAt(time.nanos() + delay.toNanos());
        } finally {
            lock.unlock();
        }
    }

    private void startAgain(Run ended) {
        Run next = Locked.get(lock, () -> ended.equals(run) && wanted ? newRun() : null);
        if (next != null) {
            Supervised.run(
                    next::start,
                    failure -> { // for example, the queue cannot be asked
                        next.startFailed(failure);
                        startAgainAfterWhile(next);
                    });
        }
    }
}
