/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive;

import io.github.batchsqs.client.QueueNotFoundException;
import io.github.batchsqs.errors.BatchSqsException;
import io.github.batchsqs.events.ListenerEvent;
import io.github.batchsqs.internal.support.Check;
import io.github.batchsqs.internal.support.EngineLock;
import io.github.batchsqs.internal.support.EngineStage;
import io.github.batchsqs.internal.support.ForeignCode;
import io.github.batchsqs.internal.support.SafeLog;
import io.github.batchsqs.internal.support.Supervised;
import io.github.batchsqs.listener.ContainerState;
import io.github.batchsqs.listener.ContainerStatus;
import io.github.batchsqs.listener.ListenerHandler;
import io.github.batchsqs.listener.ListenerOptions;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One run of a container, from its start to the end of its stop: owns the state, the stages and the threads of this run.
 *
 * <p>A run passes through its states once, {@code STARTING} → {@code RUNNING} ⇄ {@code PAUSED} → {@code STOPPING} → {@code
 * STOPPED}, and never leaves the last one, so that whoever waits for the end of a run cannot miss it, whatever is started
 * afterwards. Safe for use by any thread.
 */
final class Run implements StopWaits.Ending {

    private static final Logger slf4j = LoggerFactory.getLogger(ListenerContainer.class);
    private static final SafeLog log = new SafeLog(slf4j);

    /** Random numbers for any thread. */
    private static final RandomGenerator RANDOM =
            () -> ThreadLocalRandom.current().nextLong();

    /** How long a stop may exceed its timeout before its callers return without its end. */
    private static final Duration STOP_MARGIN = Duration.ofSeconds(5);

    private final ListenerHandler<?> handler;
    private final ListenerResources resources;
    private final ContainerThreads threads;
    private final String id;
    private final RunEnd end;
    private final StateReports reports;
    private final UnawaitedStart unawaitedStart;
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    private final CompletableFuture<Void> startOver = new CompletableFuture<>();

    private final ReentrantLock lock = new EngineLock();
    private final Condition changed = lock.newCondition();
    private volatile ContainerState state = ContainerState.STARTING;
    private volatile @Nullable Pipeline pipeline;
    private volatile ListenerOptions options;
    private @Nullable Thread starter;
    private boolean starterInterrupted;
    private boolean reportsStop;

    /** Creates the run; nothing happens before {@link #start}. */
    Run(ListenerOptions options, ListenerHandler<?> handler, ListenerResources resources) {
        this.options = options;
        this.id = options.id();
        this.end = new RunEnd(id);
        this.reports = new StateReports(resources.events());
        this.unawaitedStart = new UnawaitedStart(id, resources.events());
        this.handler = handler;
        this.resources = resources;
        this.threads = new ContainerThreads(id, ClientThreads.of(resources.client()), resources.time(), this::failed);
    }

    /** Returns the options of this moment. */
    ListenerOptions options() {
        return options;
    }

    ContainerState state() {
        return state;
    }

    ContainerStatus status() {
        while (true) {
            ContainerState current = state;
            Pipeline stages = pipeline;
            ContainerStatus status = unawaitedStart.status(
                    stages == null ? ContainerStatus.STOPPED.in(current) : stages.status(current));
            if (state == current) {
                return status; // else its numbers may be of another state
            }
        }
    }

    /** Returns the failure of a start of which nobody awaits the outcome. */
    UnawaitedStart unawaitedStart() {
        return unawaitedStart;
    }

    /** Returns a future that completes when the run has ended: it is stopped, and that has been reported. */
    CompletableFuture<Void> stopped() {
        return end.future();
    }

    @Override
    public boolean invokesOn(Thread thread) {
        Pipeline stages = pipeline;
        return stages != null && stages.invokesOn(thread);
    }

    // ---- start

    /**
     * Looks for the queue on the calling thread and starts the stages; called once. With {@code queue-not-found: wait} it
     * returns while the queue is still looked for.
     *
     * @throws BatchSqsException if the queue was not found or could not be asked; the run has ended then
     */
    void start() {
        boolean looksOn = false;
        try {
            if (startedBy(Thread.currentThread())) {
                begin(new QueueLookup(resources.resolver()).find(options));
            }
        } catch (QueueNotFoundException e) {
            looksOn = options.queueNotFound() == ListenerOptions.QueueNotFound.WAIT;
            if (!looksOn) {
                throw e;
            }
            log.warn("Listener {}: {}; it is looked for until it appears", id, e.getMessage());
        } catch (InterruptedException e) {
            interrupted();
        } finally {
            startedBy(null);
            if (!looksOn) {
                endUnlessBegun();
            }
        }
        if (looksOn) {
            lookOn();
        }
    }

    /**
     * Sets who is interrupted if a stop comes during the start, and takes away an interrupt by a stop from the one before.
     *
     * @return whether the start may go on
     */
    boolean startedBy(@Nullable Thread thread) {
        lock.lock();
        try {
            boolean ignored = thread == null && starterInterrupted && Thread.interrupted();
            starterInterrupted = false;
            starter = thread;
            return state == ContainerState.STARTING;
        } finally {
            lock.unlock();
        }
    }

    /** A start was interrupted: by a stop, which is no failure, or by the caller's own thread. */
    private void interrupted() {
        if (state == ContainerState.STARTING) {
            Thread.currentThread().interrupt();
            throw new BatchSqsException("The start of listener " + id + " was interrupted");
        }
    }

    private void lookOn() {
        boolean started = false;
        try {
            threads.once("lookup", this::lookUntilFound);
            started = true;
        } finally {
            if (!started) { // no thread, for example
                endUnlessBegun();
            }
        }
    }

    private void lookUntilFound() {
        Supervised.run(this::search, failure -> unawaitedStart.failed("started when its queue was found", failure));
        startedBy(null);
        endUnlessBegun();
    }

    private void search() {
        try {
            QueueSearch search = new QueueSearch(options, resources, RANDOM, this::pauseUnlessStopped);
            Source found = search.search(() -> startedBy(Thread.currentThread()), () -> options);
            if (found != null) {
                begin(found);
            }
        } catch (InterruptedException e) {
            slf4j.debug("Listener {}: stopped before its queue was found", id);
        }
    }

    /** The start is over: the run has its stages, or has ended. */
    private void endUnlessBegun() {
        if (pipeline == null) {
            ended();
        }
        startOver.complete(null);
    }

    /** Waits for so long, or until the run stops, which it notices without an interrupt. Any other interrupt is cleared. */
    private void pauseUnlessStopped(Duration delay) {
        lock.lock();
        try {
            for (long left = delay.toNanos(); left > 0 && state == ContainerState.STARTING; ) {
                try {
                    left = changed.awaitNanos(left);
                } catch (InterruptedException e) {
                    slf4j.debug("Listener {}: the wait for its queue was interrupted, for example by its resolver", id);
                }
            }
        } finally {
            lock.unlock();
        }
    }

    /** The queue was found: starts the stages, unless the run was stopped meanwhile. */
    void begin(Source source) {
        boolean ignored = reports.started(() -> began(source));
    }

    private boolean began(Source source) {
        lock.lock();
        try {
            if (state != ContainerState.STARTING) {
                return false;
            }
            Pipeline made = new Pipeline(options, handler, resources, source, threads, RANDOM);
            state = ContainerState.RUNNING;
            made.start();
            pipeline = made;
            return true;
        } finally {
            lock.unlock();
        }
    }

    // ---- while it runs

    /** Receives nothing until {@link #resume}; only a running run pauses. */
    void pause() {
        lock.lock();
        try {
            Pipeline stages = pipeline;
            if (state == ContainerState.RUNNING && stages != null) {
                state = ContainerState.PAUSED;
                stages.pause();
                log.info("Listener {}: paused", id);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Receives again after a {@link #pause}. */
    void resume() {
        lock.lock();
        try {
            Pipeline stages = pipeline;
            if (state == ContainerState.PAUSED && stages != null) {
                stages.resume();
                state = ContainerState.RUNNING;
                log.info("Listener {}: resumed", id);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Puts changed options into force, also those of a run that still looks for its queue. */
    void change(ListenerOptions newOptions) {
        lock.lock();
        try {
            ListenerOptions before = options;
            options = newOptions;
            Pipeline stages = pipeline;
            if (stages != null && (state == ContainerState.RUNNING || state == ContainerState.PAUSED)) {
                stages.change(newOptions);
                OptionWarnings.logChange(log, before, newOptions, stages.lease());
            }
        } finally {
            lock.unlock();
        }
    }

    // ---- stop

    /**
     * The engine threw what nobody foresees, so nobody knows what it left undone: this run ends by its stop, which returns the messages,
     * and the container starts the next one. Any thread may call this, with locks held.
     */
    private void failed(Throwable cause) {
        if (!failure.compareAndSet(null, cause)) {
            slf4j.debug("Listener {}: another failure of the engine", id, cause);
            return;
        }
        if (state == ContainerState.STOPPING || state == ContainerState.STOPPED) {
            log.error("Listener {}: the engine failed during its stop", id, cause);
            return;
        }
        log.error("Listener {}: the engine failed; the listener stops, and starts again", id, cause);
        unawaitedStart.restarting(cause);
        boolean begun = false;
        try {
            threads.stop(() -> {
                requestStop();
                resources.events().on(new ListenerEvent.Restarting(cause));
            });
            begun = true;
        } finally {
            if (!begun) { // no thread, for example: the next failure tries again
                failure.set(null);
            }
        }
    }

    /** Returns what ended this run, or {@code null} if the engine did not fail. */
    @Nullable
    Throwable failure() {
        return failure.get();
    }

    /** Begins the stop unless it has begun; it goes on by itself, and ends within the shutdown timeout. */
    void requestStop() {
        Pipeline stages;
        lock.lock();
        try {
            if (state == ContainerState.STOPPING || state == ContainerState.STOPPED) {
                return;
            }
            state = ContainerState.STOPPING;
            stages = pipeline;
            if (stages == null && starter != null && !starter.isInterrupted()) {
                starterInterrupted = true;
                starter.interrupt();
            }
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        boolean begun = false;
        try {
            threads.stop(() -> stop(stages));
            begun = true;
        } finally {
            if (!begun) { // no thread, for example
                abort(stages);
                ended();
            }
        }
    }

    /**
     * Waits for the end of the run, not much longer than the shutdown timeout. Called in an invocation of this run, or of one
     * whose stop this run's own handlers wait for, it returns at once, because the run ends after that invocation; likewise
     * in a report of its start or stop. An interrupt is kept.
     *
     * @return {@code false} if it did not wait, because the run ends after the calling thread's invocation or report
     */
    boolean awaitStopped() {
        if (reports.isReporting() || !StopWaits.begin(this)) {
            return false;
        }
        try {
            end.await(options.shutdownTimeout().plus(STOP_MARGIN));
        } finally {
            StopWaits.end();
        }
        return true;
    }

    private void stop(@Nullable Pipeline stages) {
        Throwable failure = ForeignCode.run(
                () -> { // handlers may hold its thread up and interrupt it
                    if (stages == null) {
                        awaitStartOver();
                    } else {
                        stages.stop(failure() != null);
                    }
                });
        if (failure != null) {
            log.error(
                    "Listener {}: the stop was cut short; unsettled messages come back by their timeout", id, failure);
            abort(stages);
            resources.events().on(new ListenerEvent.Unexpected(EngineStage.STOP.text(), failure));
        }
        ended();
    }

    private void abort(@Nullable Pipeline stages) {
        if (stages != null) {
            Supervised.run(stages::abort, failure -> slf4j.debug("Listener {}: its end failed", id, failure));
        }
    }

    /** Waits for the look-up of the queue. One that ignores its interrupt goes on alone, and its result starts nothing. */
    private void awaitStartOver() throws InterruptedException, ExecutionException {
        try {
            startOver.get(options.shutdownTimeout().toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            log.warn(
                    "Listener {}: the look-up of its queue did not end within {} of a stop; nothing waits for it any more",
                    id,
                    Check.text(options.shutdownTimeout()));
        }
    }

    /** Ends the run; called without the lock, because others act on it. The next run waits for the report of the stop. */
    private void ended() {
        boolean ran;
        lock.lock();
        try {
            if (reportsStop) {
                return; // the thread that reports it ends the run
            }
            ran = pipeline != null;
            reportsStop = ran;
            pipeline = null;
        } finally {
            lock.unlock();
        }
        threads.close();
        lock.lock();
        try {
            state = ContainerState.STOPPED;
        } finally {
            lock.unlock();
        }
        if (ran) {
            reports.stopped();
        }
        end.reach();
    }
}
