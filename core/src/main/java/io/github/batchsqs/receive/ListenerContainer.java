/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive;

import io.github.batchsqs.Backoff;
import io.github.batchsqs.BatchSqsException;
import io.github.batchsqs.Check;
import io.github.batchsqs.client.Queue;
import io.github.batchsqs.client.QueueAttributes;
import io.github.batchsqs.client.QueueNotFoundException;
import io.github.batchsqs.client.QueueResolver;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs one listener on one queue; the table of contents of the receive path.
 *
 * <p>{@link #start} looks for the queue on the caller's thread, then wires the stages anew and starts the pollers. {@link
 * #stop} takes at most the shutdown timeout, and after it no message is held here. Both may be called at any time, twice, at
 * once, and from within a handler (a stop from there goes on in the background, because it waits for that handler). A
 * stopped container can be started again. Safe for use by any thread.
 */
public final class ListenerContainer {

    private static final Logger log = LoggerFactory.getLogger(ListenerContainer.class);
    private static final Backoff LOOK_AGAIN = Backoff.exponential(Duration.ofSeconds(1), Duration.ofSeconds(15));

    private final ListenerHandler<?> handler;
    private final ListenerResources resources;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private volatile ListenerOptions options;
    private volatile ContainerState state = ContainerState.STOPPED;
    private volatile @Nullable Pipeline pipeline;
    private @Nullable Thread starter;
    private boolean stopRequested;

    /** Makes the container; nothing runs before {@link #start()}. */
    public ListenerContainer(ListenerOptions options, ListenerHandler<?> handler, ListenerResources resources) {
        this.options = options;
        this.handler = handler;
        this.resources = resources;
    }

    /** The options in force, live changes included. */
    public ListenerOptions options() {
        return options;
    }

    /** Where it stands. */
    public ContainerState state() {
        return state;
    }

    /** Its numbers at this moment. */
    public ContainerStatus status() {
        Pipeline current = pipeline;
        return current == null ? ContainerStatus.STOPPED.in(state) : current.status(state);
    }

    /**
     * Starts, unless it runs already. With {@code queue-not-found: wait} it returns while the queue is still looked for.
     *
     * @throws BatchSqsException if the queue was not found or could not be asked; the container stays stopped
     */
    public void start() {
        if (!beginStart()) {
            return;
        }
        try {
            run(find());
        } catch (QueueNotFoundException e) {
            if (options.queueNotFound() != ListenerOptions.QueueNotFound.WAIT) {
                ended();
                throw e;
            }
            log.warn("Listener {}: {}; it is looked for until it appears", options.id(), e.getMessage());
            startedBy(null);
            new ContainerThreads(options.id()).loop("lookup", this::lookUntilFound);
        } catch (InterruptedException e) {
            interrupted();
        } catch (RuntimeException | Error e) {
            ended();
            throw e;
        }
    }

    /** Stops, unless it is stopped already; returns when it is. See the class for what a stop does. */
    public void stop() {
        Pipeline toStop = null;
        lock.lock();
        try {
            if (state == ContainerState.STARTING) {
                stopRequested = true;
                if (starter != null) {
                    starter.interrupt();
                }
            } else if (state == ContainerState.RUNNING || state == ContainerState.PAUSED) {
                state = ContainerState.STOPPING;
                toStop = pipeline;
            }
        } finally {
            lock.unlock();
        }
        if (toStop != null) {
            Pipeline stopping = toStop;
            new ContainerThreads(options.id()).loop("stop", () -> stop(stopping));
        }
        Pipeline current = pipeline;
        if (current != null && current.calledFromInvocation()) {
            return;
        }
        awaitStopped();
    }

    /** Receives nothing until {@link #resume}; what was received is still handled. Only a running container pauses. */
    public void pause() {
        lock.lock();
        try {
            Pipeline current = pipeline;
            if (state == ContainerState.RUNNING && current != null) {
                state = ContainerState.PAUSED;
                current.pause();
                log.info("Listener {}: paused", options.id());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
    }

    /** Receives again after a {@link #pause}. */
    public void resume() {
        lock.lock();
        try {
            Pipeline current = pipeline;
            if (state == ContainerState.PAUSED && current != null) {
                state = ContainerState.RUNNING;
                current.resume(options);
                log.info("Listener {}: resumed", options.id());
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * Changes how many invocations run at once, at least 1; from now on, and after a restart too.
     *
     * @throws io.github.batchsqs.InvalidOptionException if the value breaks its rule; nothing changes then
     */
    public void setConcurrency(int concurrency) {
        change(options.toBuilder().concurrency(concurrency).build());
    }

    /**
     * Changes the bounds of the number of pollers; from now on, and after a restart too.
     *
     * @throws io.github.batchsqs.InvalidOptionException if a value breaks its rule; nothing changes then
     */
    public void setPollers(int min, int max) {
        change(options.toBuilder().pollers(min, max).build());
    }

    /** Nobody will use it again. */
    void removed() {
        resources.events().removed();
    }

    private void change(ListenerOptions changed) {
        lock.lock();
        try {
            options = changed;
            Pipeline current = pipeline;
            if (current != null && state != ContainerState.STOPPING) {
                current.change(changed);
            }
        } finally {
            lock.unlock();
        }
    }

    private boolean beginStart() {
        lock.lock();
        try {
            while (state == ContainerState.STOPPING) {
                changed.awaitUninterruptibly();
            }
            if (state != ContainerState.STOPPED) {
                return false;
            }
            state = ContainerState.STARTING;
            stopRequested = false;
            starter = Thread.currentThread();
            return true;
        } finally {
            lock.unlock();
        }
    }

    private Pipeline.Source find() throws InterruptedException {
        QueueResolver resolver = resources.resolver();
        Queue queue = options.queueNotFound() == ListenerOptions.QueueNotFound.CREATE
                ? resolver.create(options.queue())
                : resolver.resolve(options.queue());
        QueueAttributes attributes = resolver.attributes(queue);
        Duration asked = options.visibility().timeout();
        Duration lease = asked != null ? asked : attributes.visibilityTimeout();
        Check.that(
                lease.isPositive(),
                "visibility.timeout",
                "must be at least 1s, and the queue's own is taken where it is not set",
                lease,
                "set visibility.timeout, or give the queue " + queue.name() + " a visibility timeout");
        Queue deadLetterQueue = deadLetterQueue(queue, attributes);
        List<String> unwise = UnwiseOptions.find(options, lease, queue.fifo(), attributes);
        if (!unwise.isEmpty()) {
            log.warn("Listener {}: {}", options.id(), String.join("; ", unwise));
        }
        return new Pipeline.Source(queue, lease, deadLetterQueue);
    }

    private @Nullable Queue deadLetterQueue(Queue queue, QueueAttributes attributes) throws InterruptedException {
        String wanted = options.failure().deadLetter();
        if (wanted.equals(ListenerOptions.Failure.NO_DEAD_LETTER)) {
            return null;
        }
        if (!wanted.equals(ListenerOptions.Failure.REDRIVE_POLICY)) {
            return resources.resolver().resolve(wanted);
        }
        if (attributes.redrive() == null) {
            return null;
        }
        try {
            return resources.resolver().resolve(attributes.redrive().deadLetterQueue());
        } catch (BatchSqsException e) {
            log.warn(
                    "Listener {}: the dead-letter queue of {} cannot be used ({}); messages that are never to be handled"
                            + " are left to the queue's redrive policy",
                    options.id(),
                    queue.name(),
                    e.getMessage());
            return null;
        }
    }

    private void lookUntilFound() {
        try {
            startedBy(Thread.currentThread());
            for (int failures = 1; !stopRequested(); failures++) {
                try {
                    run(find());
                    return;
                } catch (BatchSqsException e) {
                    log.debug("Listener {}: {}", options.id(), e.getMessage());
                }
                pauseUnlessStopped(LOOK_AGAIN.delay(failures, ThreadLocalRandom.current()));
            }
        } catch (InterruptedException e) {
            log.debug("Listener {}: stopped before its queue was found", options.id());
        }
        ended();
    }

    /** Who is to be interrupted if a stop comes during the start. */
    private void startedBy(@Nullable Thread thread) {
        lock.lock();
        try {
            starter = thread;
        } finally {
            lock.unlock();
        }
    }

    private void run(Pipeline.Source source) {
        Pipeline made = new Pipeline(
                options, handler, resources, source, new ContainerThreads(options.id()), new Pipeline.SharedRandom());
        lock.lock();
        try {
            if (stopRequested) {
                boolean ignored = Thread.interrupted(); // by the stop
                made.close();
                ended();
                return;
            }
            pipeline = made;
            starter = null;
            state = ContainerState.RUNNING;
            made.start();
            changed.signalAll();
            log.info(
                    "Listener {}: reads {} in batches of up to {}, {} at once",
                    options.id(),
                    source.queue().name(),
                    options.batchSize(),
                    options.concurrency());
        } finally {
            lock.unlock();
        }
    }

    private void stop(Pipeline stopping) {
        try {
            stopping.stop();
        } catch (InterruptedException | RuntimeException e) {
            log.error(
                    "Listener {}: the stop was cut short; unsettled messages come back by their timeout",
                    options.id(),
                    e);
            stopping.close();
        } finally {
            ended();
        }
    }

    /** A start was interrupted: by a stop, which is no failure, or by the caller's own thread. */
    private void interrupted() {
        boolean byStop = stopRequested();
        ended();
        if (!byStop) {
            Thread.currentThread().interrupt();
            throw new BatchSqsException("The start of listener " + options.id() + " was interrupted");
        }
    }

    private void ended() {
        lock.lock();
        try {
            pipeline = null;
            starter = null;
            state = ContainerState.STOPPED;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private boolean stopRequested() {
        lock.lock();
        try {
            return stopRequested;
        } finally {
            lock.unlock();
        }
    }

    private void pauseUnlessStopped(Duration delay) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            for (long left = delay.toNanos(); left > 0 && !stopRequested; ) {
                left = changed.awaitNanos(left);
            }
        } finally {
            lock.unlock();
        }
    }

    private void awaitStopped() {
        lock.lock();
        try {
            while (state != ContainerState.STOPPED) {
                changed.awaitUninterruptibly();
            }
        } finally {
            lock.unlock();
        }
    }
}
