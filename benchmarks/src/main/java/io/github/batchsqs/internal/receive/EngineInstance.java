/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive;

import io.github.batchsqs.client.Queue;
import io.github.batchsqs.client.QueueAttributes;
import io.github.batchsqs.client.QueueResolver;
import io.github.batchsqs.events.ListenerEvents;
import io.github.batchsqs.internal.client.QueueClient;
import io.github.batchsqs.internal.receive.invoke.ListenerHandler;
import io.github.batchsqs.internal.support.Alarm;
import io.github.batchsqs.internal.support.TimeSource;
import io.github.batchsqs.listener.ContainerState;
import io.github.batchsqs.listener.ContainerStatus;
import io.github.batchsqs.listener.ListenerOptions;
import io.github.batchsqs.model.time.VirtualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * One instance of a simulation: the {@link Pipeline} of a listener as a container makes it, with its own pollers, timers, extender and
 * invocations, on threads and in a time that the simulation owns. It has no Spring, no look-up of its queue and no HTTP.
 */
public final class EngineInstance {

    private final Pipeline pipeline;
    private volatile boolean closed;

    /**
     * Makes an instance; nothing runs before {@link #start}.
     *
     * @param options with a visibility timeout
     * @param client the way to the queue
     * @param random draws the jitter of the engine
     */
    public EngineInstance(
            ListenerOptions options,
            ListenerHandler<?> handler,
            QueueClient client,
            Queue queue,
            VirtualTime time,
            RandomGenerator random) {
        Duration lease = Objects.requireNonNull(options.visibility().timeout(), "visibility.timeout");
        this.pipeline = new Pipeline(
                options,
                handler,
                new ListenerResources(client, new NoResolver(), ListenerEvents.NONE, sourceOf(time)),
                new Source(queue, lease, null, null),
                new Threads(time),
                random);
    }

    private static TimeSource sourceOf(VirtualTime time) {
        return new TimeSource() {
            @Override
            public long nanos() {
                return time.nanos();
            }

            @Override
            public Instant now() {
                return time.now();
            }

            @Override
            public Condition condition(ReentrantLock lock) {
                return time.condition(lock);
            }
        };
    }

    /** Starts it as a container does. */
    public void start() {
        pipeline.start();
    }

    /** Receives no more, and ends: its messages in flight return to the queue with their visibility timeout. On a thread of the simulation. */
    public void stop() {
        pipeline.pause();
        pipeline.abort();
    }

    /** Returns what the endpoint of the library shows of it. */
    public ContainerStatus status() {
        return pipeline.status(ContainerState.RUNNING);
    }

    /** The threads of the engine, on those of the simulation. */
    private final class Threads implements EngineThreads {

        private final VirtualTime time;

        Threads(VirtualTime time) {
            this.time = time;
        }

        @Override
        public Executor virtual(String role) {
            return task -> {
                Thread unused = time.start(role, task);
            };
        }

        @Override
        public Executor platform(String role, int size) {
            throw new UnsupportedOperationException("Simulated handlers run on virtual threads");
        }

        @Override
        public void resizePool(int size) {
            // There is none.
        }

        @Override
        public Alarm alarm(Runnable look) {
            return new Look(look);
        }

        @Override
        public void every(Duration interval, Runnable look) {
            loop(() -> {
                while (!closed) {
                    time.sleep(interval.toNanos());
                    look.run();
                }
            });
        }

        /** One look, which is an event of the simulation while it is asked for. */
        private final class Look implements Alarm {

            private final Runnable look;
            private long at = NEVER;
            private VirtualTime.@Nullable Event event;

            Look(Runnable look) {
                this.look = look;
            }

            @Override
            public void ringAt(long nanos) {
                if (Alarm.earlier(at, nanos) == nanos && at != nanos) {
                    if (event != null) {
                        event.cancel();
                    }
                    at = nanos;
                    event = time.at(nanos, () -> {
                        Thread unused = time.start("timer", this::take);
                    });
                }
            }

            private void take() {
                at = NEVER;
                event = null;
                if (!closed) {
                    look.run();
                }
            }
        }

        private void loop(Loop loop) {
            Thread unused = time.start("timer", () -> {
                try {
                    loop.run();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt(); // the simulation is over
                }
            });
        }

        @Override
        public void close() {
            closed = true;
        }
    }

    /** Runs until the simulation is over. */
    @FunctionalInterface
    private interface Loop {
        void run() throws InterruptedException;
    }

    /** The queue of a simulation is known. */
    private static final class NoResolver implements QueueResolver {

        @Override
        public Queue resolve(String nameUrlOrArn) {
            throw new UnsupportedOperationException(nameUrlOrArn);
        }

        @Override
        public Queue create(String name) {
            throw new UnsupportedOperationException(name);
        }

        @Override
        public QueueAttributes attributes(Queue queue) {
            throw new UnsupportedOperationException(queue.name());
        }
    }
}
