/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.simulation;

import io.github.batchsqs.BatchOutcome;
import io.github.batchsqs.MessageBatch;
import io.github.batchsqs.ReceivedMessage;
import io.github.batchsqs.SqsMessage;
import io.github.batchsqs.benchmarks.simulation.SimulationRow.Load;
import io.github.batchsqs.events.ListenerEvents;
import io.github.batchsqs.internal.receive.EngineContainer;
import io.github.batchsqs.internal.receive.ListenerResources;
import io.github.batchsqs.internal.receive.invoke.ListenerHandler;
import io.github.batchsqs.internal.support.TimeSource;
import io.github.batchsqs.listener.ErrorHook;
import io.github.batchsqs.model.time.Rewriter;
import io.github.batchsqs.model.time.VirtualTime;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;

/**
 * One run of a row. The engine is real, with all of its loops and decisions: pollers and their scaling, spacing of receives, the in-flight
 * limit, hand-off, invocations, the accumulators of deletes and visibility changes, heartbeats. The queue, the network with the client's
 * retries, and the duration of the handler are models. Processors are not simulated: everything between two waits takes no time.
 *
 * <p>The same row and seed have the same result, on every machine.
 */
final class Simulation {

    private static final long SECOND = 1_000_000_000L;
    private static final long SAMPLE = 50_000_000L;
    private static final double NANOS_PER_MILLI = 1e6;

    /** Until this moment the instances start, and open their first long polls. */
    private static final long START = SECOND;

    /** After the last arrival, or after a backlog, everything must be handled within this time. */
    private static final long PATIENCE = 900 * SECOND;

    /** After the last delete, calls may still have to respond; those that a stop aborts would be logged. */
    private static final long CALLS_END = 10 * SECOND;

    /** After this time all pollers pause, because receives of a closed queue are empty at once. */
    private static final long RECEIVES_END = 1_200_000_000L;

    private final SimulationRow row;
    private final SplittableRandom random;
    private final VirtualTime threads = new VirtualTime();
    private final Statistics statistics;
    private final SimulatedQueue queue;
    private final List<EngineContainer> instances = new ArrayList<>();

    private Simulation(SimulationRow row, long seed) {
        this.row = row;
        this.random = new SplittableRandom(seed);
        this.statistics = new Statistics(threads, row.instances());
        this.queue = new SimulatedQueue(threads, row.network(), random.split(), statistics);
        for (int i = 0; i < row.instances(); i++) {
            SimulatedClient client = new SimulatedClient(threads, queue, row.network(), random.split(), statistics);
            Handler handler = new Handler(i, random.split());
            instances.add(new EngineContainer(
                    row.options(),
                    new ListenerHandler<>(Handler::read, handler::handle, List.of(), ErrorHook.NONE),
                    new ListenerResources(client, client, ListenerEvents.NONE, TimeSource.system())));
        }
    }

    /** Runs a row. Blocks the calling thread meanwhile; one row at a time runs in a process. */
    static SimulationResult run(SimulationRow row, long seed) {
        Rewriter.install("io.github.batchsqs");
        CompletableFuture<SimulationResult> result = new CompletableFuture<>();
        Thread unused = Thread.ofVirtual().name("simulation").start(() -> {
            try {
                result.complete(new Simulation(row, seed).run());
            } catch (Throwable e) { // the caller's
                result.completeExceptionally(e);
            }
        });
        return result.join();
    }

    private SimulationResult run() {
        instances.forEach(instance -> {
            Thread unused = threads.start("start", instance::start);
        });
        Thread ignored = threads.start("sample", this::sample);
        threads.runUntil(START);
        SimulationResult result = switch (row.load()) {
            case Load.Backlog backlog -> backlog(backlog);
            case Load.Steady steady -> steady(steady);
            case Load.Idle idle -> idle(idle);
        };
        threads.runUntil(threads.nanos() + CALLS_END);
        queue.close();
        threads.runUntil(threads.nanos() + RECEIVES_END);
        instances.forEach(instance -> {
            Thread unused = threads.start("stop", instance::stop);
        });
        threads.runUntil(threads.nanos() + CALLS_END);
        threads.end();
        return result;
    }

    private SimulationResult backlog(Load.Backlog backlog) {
        statistics.begin();
        queue.add(backlog.messages());
        awaitAllDeleted();
        return SimulationResult.of(row, statistics);
    }

    private SimulationResult steady(Load.Steady steady) {
        long countsFrom = START + steady.warmUpSeconds() * SECOND;
        long end = countsFrom + steady.seconds() * SECOND;
        VirtualTime.Event unused = threads.at(countsFrom, statistics::begin);
        arrive(steady, new SplittableRandom(random.nextLong()), START, end);
        threads.runUntil(end);
        if (steady.warmUpSeconds() == 0) {
            awaitAllDeleted();
            return SimulationResult.of(row, statistics);
        }
        SimulationResult result = SimulationResult.of(row, statistics);
        awaitAllDeleted();
        return result;
    }

    private SimulationResult idle(Load.Idle idle) {
        statistics.begin();
        threads.runUntil(START + idle.seconds() * SECOND);
        return SimulationResult.of(row, statistics);
    }

    private void arrive(Load.Steady steady, SplittableRandom gaps, long at, long end) {
        if (at < end) {
            VirtualTime.Event unused = threads.at(at, () -> {
                queue.add(steady.together());
                double mean = SECOND * steady.together() / steady.perSecond();
                double gap = steady.random() ? -StrictMath.log(1 - gaps.nextDouble()) * mean : mean;
                arrive(steady, gaps, at + Math.round(gap), end);
            });
        }
    }

    private void awaitAllDeleted() {
        queue.stopWhenEmpty();
        threads.runUntil(threads.nanos() + PATIENCE);
        if (queue.undeleted() > 0) {
            throw new IllegalStateException(
                    "Row %s: %d messages are still in the queue after %d s; at least their rate is too high"
                            .formatted(row.name(), queue.undeleted(), PATIENCE / SECOND));
        }
    }

    private void sample() {
        try {
            while (true) {
                queue.tick();
                statistics.pollers.set(instances.stream()
                        .mapToInt(instance -> instance.status().pollers())
                        .sum());
                threads.sleep(SAMPLE);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // the simulation is over
        }
    }

    /** What the application of an instance does: it waits. */
    private final class Handler {

        private final int instance;
        private final SplittableRandom durations;

        Handler(int instance, SplittableRandom durations) {
            this.instance = instance;
            this.durations = durations;
        }

        static SimulatedMessage read(ReceivedMessage message) {
            return ((SimulatedMessage.Delivery) message).message();
        }

        BatchOutcome handle(MessageBatch<SimulatedMessage> batch) throws InterruptedException {
            statistics.invocations.change(1);
            for (SqsMessage<SimulatedMessage> message : batch) {
                statistics.begins(instance, message.payload());
            }
            long nanos = duration();
            if (nanos > 0) {
                threads.sleep(nanos);
            }
            statistics.invocations.change(-1);
            for (SqsMessage<SimulatedMessage> message : batch) {
                statistics.ends(message.payload());
            }
            return BatchOutcome.done();
        }

        private long duration() {
            double nanos = row.work().millis() * NANOS_PER_MILLI;
            return Math.round(row.work().random() ? -StrictMath.log(1 - durations.nextDouble()) * nanos : nanos);
        }
    }
}
