/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.Random;
import java.util.function.IntUnaryOperator;

/**
 * A handler in virtual time whose invocations wait for one of the servers of a pool, in order, and that always runs as many
 * invocations as a {@link GradientLimit} permits while there is work.
 */
final class SimulatedHandler {

    /** Without a limit of its own. */
    static final int NO_POOL = Integer.MAX_VALUE;

    private static final double NANOS = 1e6;
    private static final double TICK = 3_000;

    /** How long an invocation needs its server. */
    interface Service {
        /** Returns milliseconds, at so many milliseconds since the start, for a batch of a size. */
        double millis(double now, int messages, Random random);
    }

    /** What becomes of an invocation. */
    enum Result {
        DONE,
        FAILED,
        OVERLOADED
    }

    /** Decides the result of an invocation that ends. */
    interface Results {
        Result of(double now, int running, double took);
    }

    private record Invocation(double startedAt, int messages) {}

    private record End(double at, Invocation invocation) {}

    final GradientLimit limit;
    private final int pool;
    private final Service service;
    private final Random random = new Random(7);
    private final PriorityQueue<End> serving = new PriorityQueue<>(Comparator.comparingDouble(End::at));
    private final Queue<Invocation> waiting = new ArrayDeque<>();
    private Results results = (now, running, took) -> Result.DONE;
    private IntUnaryOperator batchSizes = batch -> 1;
    private long backlog = Long.MAX_VALUE;
    private double now;
    private int batches;

    private int lowest;
    private int highest;
    private int overloads;
    private long ended;
    private double latencies;
    private double limits;
    private double tickAt = TICK;
    private double measuredFrom;

    SimulatedHandler(int max, int pool, Service service) {
        this.limit = new GradientLimit(max, 0);
        this.pool = pool;
        this.service = service;
        measure();
    }

    /** Exponential service times of a mean: as irregular as they get. */
    static Service irregular(double millis) {
        return (now, messages, random) -> -millis * Math.log(1 - random.nextDouble());
    }

    /** Service times around a middle, a third of them more than a fifth off. */
    static Service around(double millis) {
        return (now, messages, random) -> millis * Math.exp(0.2 * random.nextGaussian());
    }

    SimulatedHandler results(Results ofInvocations) {
        results = ofInvocations;
        return this;
    }

    SimulatedHandler batchSizes(IntUnaryOperator sizeOfBatch) {
        batchSizes = sizeOfBatch;
        return this;
    }

    /** From now on so many batches wait. */
    SimulatedHandler backlog(long waitingBatches) {
        backlog = waitingBatches;
        return this;
    }

    /** Runs for a time, and measures it. */
    SimulatedHandler run(double seconds) {
        measure();
        double until = now + seconds * 1000;
        start();
        while (true) {
            double next = serving.isEmpty() ? until : Math.min(until, serving.peek().at);
            advance(Math.min(next, tickAt));
            if (now == tickAt) {
                limit.tick(running(), (long) (now * NANOS));
                tickAt += TICK;
            } else if (!serving.isEmpty() && serving.peek().at == now) {
                end(serving.remove().invocation);
            } else {
                return this;
            }
            start();
        }
    }

    private void advance(double to) {
        limits += limit.limit() * (to - now);
        now = to;
    }

    private void measure() {
        measuredFrom = now;
        ended = 0;
        overloads = 0;
        latencies = 0;
        limits = 0;
        lowest = limit.limit();
        highest = limit.limit();
    }

    private void start() {
        while (backlog > 0 && running() < limit.limit()) {
            backlog--;
            waiting.add(new Invocation(now, batchSizes.applyAsInt(batches++)));
        }
        while (!waiting.isEmpty() && serving.size() < pool) {
            Invocation next = waiting.remove();
            serving.add(new End(now + service.millis(now, next.messages, random), next));
        }
    }

    private void end(Invocation invocation) {
        ended++;
        latencies += now - invocation.startedAt;
        long startedAt = (long) (invocation.startedAt * NANOS);
        long endedAt = (long) (now * NANOS);
        Result result = results.of(now, running() + 1, now - invocation.startedAt);
        if (result == Result.OVERLOADED) {
            overloads++;
            limit.overloaded(startedAt, endedAt);
        }
        limit.ended(invocation.messages, startedAt, endedAt, result != Result.DONE);
        lowest = Math.min(lowest, limit.limit());
        highest = Math.max(highest, limit.limit());
    }

    /** Returns how many invocations run. */
    int running() {
        return serving.size() + waiting.size();
    }

    int lowest() {
        return lowest;
    }

    int highest() {
        return highest;
    }

    int overloads() {
        return overloads;
    }

    double meanLimit() {
        return limits / (now - measuredFrom);
    }

    /** The mean latency of the measured time, in milliseconds. */
    double latency() {
        return latencies / ended;
    }

    /** Invocations per second. */
    double rate() {
        return ended / (now - measuredFrom) * 1000;
    }
}
