/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive;

import io.github.batchsqs.Backoff;
import io.github.batchsqs.client.QueueNotFoundException;
import io.github.batchsqs.errors.BatchSqsException;
import io.github.batchsqs.events.ListenerEvent;
import io.github.batchsqs.internal.receive.invoke.ListenerHandler;
import io.github.batchsqs.internal.receive.invoke.SkippingListener;
import io.github.batchsqs.internal.support.Check;
import io.github.batchsqs.internal.support.EngineLock;
import io.github.batchsqs.internal.support.EngineStage;
import io.github.batchsqs.internal.support.ForeignCode;
import io.github.batchsqs.internal.support.Locked;
import io.github.batchsqs.internal.support.SafeLog;
import io.github.batchsqs.internal.support.Supervised;
import io.github.batchsqs.listener.ContainerState;
import io.github.batchsqs.listener.ContainerStatus;
import io.github.batchsqs.listener.ListenerOptions;
import io.github.batchsqs.receive.ListenerContainer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One run of a container, from its start to the end of its stop: owns the state, the stages and the threads of this run.
 *
 * <p>A run passes through its states once, {@code STARTING} → {@code RUNNING} ⇄ {@code PAUSED} → {@code STOPPING} → {@code
 * STOPPED}, and never leaves the last one, so that whoever waits for the end of a run cannot miss it, whatever is started
 * afterwards. Its stop is reported after its start, though it may come at once and on another thread. Safe for use by any thread.
 */
final class Run {

    private static final Logger slf4j = LoggerFactory.getLogger(ListenerContainer.class);
    private static final SafeLog log = new SafeLog(slf4j);

    private static final Backoff LOOK_AGAIN = Backoff.exponential(Duration.ofSeconds(1), Duration.ofSeconds(15));

    /** How long a stop may exceed its timeout before its callers return without its end. */
    private static final Duration STOP_MARGIN = Duration.ofSeconds(5);

    private final Supplier<ListenerOptions> options;
    private final ListenerHandler<?> handler;
    private final ListenerResources resources;
    private final ContainerThreads threads;
    private final String id;
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

    /** The start is over and reported, or has failed. */
    private final CompletableFuture<Void> startOver = new CompletableFuture<>();

    private final CompletableFuture<Void> stopped = new CompletableFuture<>();

    private final ReentrantLock lock = new EngineLock();

    /** Held by those who pause and resume, for as long as open receives take to come back. */
    private final ReentrantLock pausing = new ReentrantLock();

    private final AtomicReference<ContainerState> state = new AtomicReference<>(ContainerState.STARTING);
    private volatile @Nullable Pipeline pipeline;

    /** Why it has ended although nobody stopped it. */
    private volatile @Nullable String problem;

    /** The thread that starts it, while it does. */
    private volatile @Nullable Thread starter;

    private boolean starterInterrupted;

    /** How often its queue was looked for in vain, as {@code queue-not-found: wait} asks for. */
    private int looks;

    /** The thread that ends it. */
    private volatile @Nullable Thread ender;

    /**
     * Creates the run; nothing happens before {@link #start}.
     *
     * @param options returns those of this moment
     */
    Run(
            Supplier<ListenerOptions> options,
            ListenerHandler<?> handler,
            ListenerResources resources,
            ClientThreads shared) {
        this.options = options;
        this.id = options.get().id();
        this.handler = handler;
        this.resources = resources;
        this.threads = new ContainerThreads(id, shared, resources.time(), this::failed);
    }

    /** Returns this run, which has ended from now on, because it is never started. */
    Run unstarted() {
        state.set(ContainerState.STOPPED);
        stopped.complete(null);
        return this;
    }

    ContainerState state() {
        return state.get();
    }

    ContainerStatus status() {
        while (true) {
            ContainerState current = state.get();
            Pipeline stages = pipeline;
            ContainerStatus status =
                    stages == null ? ContainerStatus.idle(current, problem) : stages.status(current, problem);
            if (state.get() == current) {
                return status;
            } // else its numbers may be of another state
        }
    }

    /** Returns a future that completes when the run has ended: it is stopped, and that has been reported. */
    CompletableFuture<Void> stopped() {
        return stopped;
    }

    // ---- start

    /**
     * Looks for the queue on the calling thread and starts the stages; called once. Where the options ask for it, a queue that is not found
     * is looked for again and again.
     *
     * @throws BatchSqsException if the queue was not found or could not be asked; the run has ended then
     */
    void start() {
        try {
            find();
        } catch (QueueNotFoundException e) {
            if (options.get().queueNotFound() != ListenerOptions.QueueNotFound.WAIT) {
                throw e;
            }
            log.warn("Listener {}: {}; it is looked for until it appears", id, e.getMessage());
            looks = 1;
        } finally {
            endLook();
        }
    }

    private void lookAgain() {
        looks++;
        Supervised.run(this::find, failure -> {
            if (!(failure instanceof QueueNotFoundException)) {
                startFailed(failure);
            }
        });
        endLook();
    }

    private void find() {
        try {
            if (startedBy(Thread.currentThread())) {
                problem = null;
                begin(new QueueLookup(resources.resolver()).find(options.get()));
            }
        } catch (InterruptedException e) {
            if (state.get() == ContainerState.STARTING) { // else by a stop, which is no failure
                Thread.currentThread().interrupt();
                throw new BatchSqsException("The start of listener " + id + " was interrupted");
            }
        }
    }

    /** The run has begun, looks for its queue again later, or ends. */
    private void endLook() {
        if (startedBy(null) && looks > 0) {
            threads.alarm(() -> threads.stop(this::lookAgain))
                    .ringAt(resources.time().nanos()
                            + LOOK_AGAIN.delay(looks, Pipeline.RANDOM).toNanos());
            return;
        }
        if (pipeline == null) {
            ended();
        }
        startOver.complete(null);
    }

    /**
     * Sets who is interrupted if a stop comes during the start, and takes away an interrupt by a stop from the one before.
     *
     * @return whether the start may go on
     */
    private boolean startedBy(@Nullable Thread thread) {
        return Locked.get(lock, () -> {
            boolean ignored = thread == null && starterInterrupted && Thread.interrupted();
            starterInterrupted = false;
            starter = thread;
            return state.get() == ContainerState.STARTING;
        });
    }

    /** The start failed, and nobody awaits its outcome; another one follows. */
    void startFailed(Throwable cause) {
        problem = "it could not be started (" + ForeignCode.readable(cause)
                + "), and is started again; look for the error in the log";
        resources.events().on(new ListenerEvent.Unexpected(EngineStage.START.text(), cause));
        log.error("Listener {}: it could not be started; it is started again", id, cause);
    }

    /** Forgets why it has ended, because somebody has stopped the container. */
    void forgetProblem() {
        problem = null;
    }

    /** The queue was found: starts the stages, unless the run was stopped meanwhile. */
    private void begin(Source source) {
        lock.lock();
        try {
            if (state.get() != ContainerState.STARTING) {
                return;
            }
            if (handler.listener() instanceof SkippingListener<?> skipping) {
                skipping.found(source.queue(), source.attributes());
            }
            Pipeline made = new Pipeline(options.get(), handler, resources, source, threads);
            made.start();
            pipeline = made;
            state.set(ContainerState.RUNNING);
        } finally {
            lock.unlock();
        }
        followOptions();
        resources.events().on(new ListenerEvent.Started());
    }

    // ---- while it runs

    /** Receives nothing until {@link #resume}; only a running run pauses. */
    void pause() {
        Locked.run(pausing, () -> {
            Pipeline stages = Locked.get(lock, () -> pipeline); // its threads may run before its start is over
            if (stages != null && state.compareAndSet(ContainerState.RUNNING, ContainerState.PAUSED)) {
                stages.pause();
                log.info("Listener {}: paused", id);
            }
        });
    }

    /** Receives again after a {@link #pause}. */
    void resume() {
        Locked.run(pausing, () -> {
            Pipeline stages = pipeline;
            if (stages != null && state.compareAndSet(ContainerState.PAUSED, ContainerState.RUNNING)) {
                stages.resume();
                log.info("Listener {}: resumed", id);
            }
        });
    }

    /** Puts the options of this moment into force, and those to which others may change them meanwhile. */
    void followOptions() {
        Pipeline stages = pipeline;
        if (stages == null) {
            return;
        }
        ListenerOptions followed;
        do {
            followed = options.get();
            stages.change(followed);
        } while (!followed.equals(options.get()));
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
        if (isStopped()) {
            log.error("Listener {}: the engine failed during its stop", id, cause);
            return;
        }
        log.error("Listener {}: the engine failed; the listener stops, and starts again", id, cause);
        problem = "its engine failed (" + ForeignCode.readable(cause)
                + ") and starts again; look for the error in the log";
        threads.stop(() -> {
            requestStop();
            resources.events().on(new ListenerEvent.Restarting(cause));
        });
    }

    /** Returns what ended this run, or {@code null} if the engine did not fail. */
    @Nullable
    Throwable failure() {
        return failure.get();
    }

    /** Returns whether its stop has begun. */
    boolean isStopped() {
        return state.get() == ContainerState.STOPPING || state.get() == ContainerState.STOPPED;
    }

    /** Begins the stop unless it has begun; it goes on by itself, and ends within the shutdown timeout. */
    void requestStop() {
        Pipeline stages;
        lock.lock();
        try {
            if (isStopped()) {
                return;
            }
            state.set(ContainerState.STOPPING);
            stages = pipeline;
            Thread starting = starter;
            if (starting == null && looks > 0) {
                startOver.complete(null); // nothing is under way
            } else if (stages == null && starting != null && !starting.isInterrupted()) {
                starterInterrupted = true;
                starting.interrupt();
            }
        } finally {
            lock.unlock();
        }
        threads.stop(() -> stop(stages));
    }

    /**
     * Waits for the end of the run, not much longer than the shutdown timeout. Called in an invocation of this run, or in the report of its
     * start or stop, it returns at once, because the run ends after that. An interrupt does not cut the wait short, and is kept.
     *
     * @return {@code false} if it did not wait, because the run ends after the calling thread's invocation or report
     */
    boolean awaitStopped() {
        Thread caller = Thread.currentThread();
        Pipeline stages = pipeline;
        if (!stopped.isDone()
                && (caller.equals(starter) || caller.equals(ender) || (stages != null && stages.invokesOn(caller)))) {
            return false;
        }
        Duration bound = options.get().shutdownTimeout().plus(STOP_MARGIN);
        long deadline = System.nanoTime() + bound.toNanos();
        boolean interrupted = false;
        for (boolean over = false; !over; ) {
            try {
                stopped.get(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
                over = true;
            } catch (InterruptedException e) {
                interrupted = true;
            } catch (TimeoutException e) {
                log.error("Listener {}: its stop has not ended after {}; it goes on by itself", id, Check.text(bound));
                over = true;
            } catch (ExecutionException e) {
                throw new IllegalStateException("The end of a run does not fail", e);
            }
        }
        if (interrupted) {
            caller.interrupt();
        }
        return true;
    }

    private void stop(@Nullable Pipeline stages) {
        Throwable failure = ForeignCode.run(
                () -> { // handlers may hold its thread up and interrupt it
                    if (stages == null) {
                        awaitStart();
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

    /**
     * Waits for the look-up of the queue, or the report of the start. A look-up that ignores its interrupt goes on
     * alone, and starts nothing.
     */
    private void awaitStart() throws InterruptedException, ExecutionException {
        if (Thread.currentThread().equals(starter)) {
            return;
        }
        try {
            startOver.get(options.get().shutdownTimeout().toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            log.warn(
                    "Listener {}: the look-up of its queue did not end within {} of a stop; nothing waits for it any more",
                    id,
                    Check.text(options.get().shutdownTimeout()));
        }
    }

    /** Ends the run; called without the lock, because others act on it. The next run waits for the report of the stop. */
    private void ended() {
        boolean ran;
        lock.lock();
        try {
            if (ender != null) {
                return; // the thread that reports it ends the run
            }
            ender = Thread.currentThread();
            ran = pipeline != null;
            pipeline = null;
        } finally {
            lock.unlock();
        }
        threads.close();
        state.set(ContainerState.STOPPED);
        if (ran) {
            Throwable ignored = ForeignCode.run(this::awaitStart);
            resources.events().on(new ListenerEvent.Stopped());
        }
        stopped.complete(null);
    }
}
