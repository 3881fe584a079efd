/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.invoke;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.Random;
import java.util.function.IntSupplier;
import java.util.function.IntUnaryOperator;

/**
 * Listeners in virtual time whose invocations wait for the servers of one pool, in order, and that always run as many
 * invocations as their limits permit while there is work.
 */
final class SimulatedListeners {

    static final int MAX = 200;

    /** Without a limit of its own. */
    static final int NO_POOL = Integer.MAX_VALUE;

    private static final long NANOS = 1_000_000;
    private static final double TICK = 1_000;

    /** How long an invocation needs its server. */
    interface Service {
        /** Returns milliseconds, at so many milliseconds since the start, for a batch of a size. */
        double millis(double now, int messages, Random random);
    }

    /** What becomes of an invocation. */
    interface Outcome {
        /** Returns how many of its messages an overload refused. */
        int refused(double now, int messages, int running, double took, Random random);
    }

    private record Invocation(int listener, double startedAt, int messages) {}

    private record End(double at, long number, Invocation invocation) implements Comparable<End> {
        @Override
        public int compareTo(End other) {
            int byTime = Double.compare(at, other.at);
            return byTime != 0 ? byTime : Long.compare(number, other.number);
        }
    }

    private final List<AutomaticLimit> automatic = new ArrayList<>();
    private final List<String> falls = new ArrayList<>();
    private final IntSupplier[] limits;
    private final int pool;
    private final Service service;
    private final Random random;
    private final PriorityQueue<End> serving = new PriorityQueue<>();
    private final Queue<Invocation> waiting = new ArrayDeque<>();
    private final int[] running;
    private final double[] startsAt;
    private Outcome outcome = (now, messages, runningNow, took, drawn) -> 0;
    private IntUnaryOperator batchSizes = batch -> 1;
    private double perSecond = Double.POSITIVE_INFINITY;
    private double backlog = Double.POSITIVE_INFINITY;
    private double now;
    private double tickAt = TICK;
    private long number;
    private int batches;

    private double[] latencies = new double[1 << 16];
    private int ended;
    private double measuredFrom;
    private double limitTime;
    private int lowest;
    private int highest;
    private long refused;

    private SimulatedListeners(IntSupplier[] limits, int pool, Service service, long seed) {
        this.limits = limits;
        this.pool = pool;
        this.service = service;
        this.random = new Random(seed);
        this.running = new int[limits.length];
        this.startsAt = new double[limits.length];
    }

    /** Listeners whose limits are automatic; they start at moments of their own within a time, and their clocks differ a little. */
    static SimulatedListeners automatic(
            int listeners, int pool, double startWithinMillis, double clockErrorMillis, Service service, long seed) {
        IntSupplier[] limits = new IntSupplier[listeners];
        var created = new SimulatedListeners(limits, pool, service, seed);
        Random starts = new Random(seed + 1);
        for (int i = 0; i < listeners; i++) {
            created.startsAt[i] = i == 0 ? 0 : starts.nextDouble() * startWithinMillis;
            long epoch = 1_700_000_000_000_000_000L
                    + (long) (1e9 * 3600 * new Random(seed).nextDouble())
                    + (long) (starts.nextGaussian() * clockErrorMillis * NANOS);
            AutomaticLimit limit = new AutomaticLimit(MAX, epoch, 0, created.falls::add);
            created.automatic.add(limit);
            limits[i] = limit::limit;
        }
        return created;
    }

    static SimulatedListeners automatic(int pool, Service service, long seed) {
        return automatic(1, pool, 0, 0, service, seed);
    }

    static SimulatedListeners fixed(int listeners, int concurrency, int pool, Service service, long seed) {
        IntSupplier[] limits = new IntSupplier[listeners];
        Arrays.fill(limits, (IntSupplier) () -> concurrency);
        return new SimulatedListeners(limits, pool, service, seed);
    }

    SimulatedListeners outcome(Outcome ofInvocations) {
        outcome = ofInvocations;
        return this;
    }

    SimulatedListeners batchSizes(IntUnaryOperator sizeOfBatch) {
        batchSizes = sizeOfBatch;
        return this;
    }

    /** From now on so many batches come, and so many a second. */
    SimulatedListeners work(double waitingBatches, double comingPerSecond) {
        backlog = waitingBatches;
        perSecond = comingPerSecond;
        return this;
    }

    /** Why limits fell below half, the last one last. */
    List<String> falls() {
        return falls;
    }

    /** Runs for a time, and measures it. */
    SimulatedListeners run(double seconds) {
        measure();
        double until = now + seconds * 1000;
        start();
        while (now < until) {
            double next = Math.min(until, tickAt);
            if (!serving.isEmpty()) {
                next = Math.min(next, serving.peek().at);
            }
            if (backlog < 1 && perSecond > 0) {
                next = Math.min(next, now + Math.max(1e-6, (1 - backlog) / perSecond * 1000));
            }
            advance(next);
            if (now == tickAt) {
                for (AutomaticLimit limit : automatic) {
                    limit.tick((long) (now * NANOS));
                }
                tickAt += TICK;
            } else if (!serving.isEmpty() && serving.peek().at == now) {
                end(serving.remove().invocation);
            }
            start();
        }
        return this;
    }

    private void advance(double to) {
        int sum = sum();
        limitTime += sum * (to - now);
        lowest = Math.min(lowest, sum);
        highest = Math.max(highest, sum);
        if (perSecond < Double.POSITIVE_INFINITY) {
            backlog += perSecond * (to - now) / 1000;
        }
        now = to;
    }

    private int sum() {
        int sum = 0;
        for (IntSupplier each : limits) {
            sum += each.getAsInt();
        }
        return sum;
    }

    private void measure() {
        ended = 0;
        measuredFrom = now;
        limitTime = 0;
        lowest = Integer.MAX_VALUE;
        highest = 0;
        refused = 0;
    }

    private void start() {
        boolean more = true;
        while (more && backlog >= 1) {
            more = false;
            for (int i = 0; i < limits.length && backlog >= 1; i++) {
                if (now >= startsAt[i] && running[i] < limits[i].getAsInt()) {
                    running[i]++;
                    backlog--;
                    more = true;
                    waiting.add(new Invocation(i, now, batchSizes.applyAsInt(batches++)));
                }
            }
        }
        while (!waiting.isEmpty() && serving.size() < pool) {
            Invocation next = waiting.remove();
            serving.add(new End(now + service.millis(now, next.messages, random), number++, next));
        }
    }

    private void end(Invocation invocation) {
        double took = now - invocation.startedAt;
        if (ended == latencies.length) {
            latencies = Arrays.copyOf(latencies, 2 * ended);
        }
        latencies[ended++] = took;
        int i = invocation.listener;
        int result = outcome.refused(now, invocation.messages, running[i], took, random);
        refused += result;
        if (!automatic.isEmpty()) {
            automatic
                    .get(i)
                    .ended(
                            invocation.messages,
                            result,
                            result,
                            running[i],
                            (long) (invocation.startedAt * NANOS),
                            (long) (now * NANOS));
        }
        running[i]--;
    }

    /** Invocations per second. */
    double rate() {
        return ended / (now - measuredFrom) * 1000;
    }

    double median() {
        double[] sorted = Arrays.copyOf(latencies, ended);
        Arrays.sort(sorted);
        return sorted[ended / 2];
    }

    /** The limits of all together, on average over the time. */
    double meanLimit() {
        return limitTime / (now - measuredFrom);
    }

    int lowest() {
        return lowest;
    }

    int highest() {
        return highest;
    }

    long refused() {
        return refused;
    }

    // ---- services

    /** Service times around a middle. */
    static Service around(double millis, double sigma) {
        return (now, messages, random) -> millis * Math.exp(sigma * random.nextGaussian() - sigma * sigma / 2);
    }

    /** Exponential service times of a mean: as irregular as they get. */
    static Service irregular(double millis) {
        return (now, messages, random) -> -millis * Math.log(1 - random.nextDouble());
    }

    /** The latency of everybody wanders: its logarithm by sigma, and it forgets in so many seconds. */
    static Service wandering(Service service, double sigma, double seconds, long seed) {
        Random steps = new Random(seed);
        double step = seconds * 1000 / 20;
        double keep = Math.exp(-1 / 20.0);
        List<Double> path = new ArrayList<>();
        path.add(sigma * steps.nextGaussian());
        return (now, messages, random) -> {
            int at = (int) (now / step);
            while (path.size() <= at) {
                path.add(path.getLast() * keep + sigma * Math.sqrt(1 - keep * keep) * steps.nextGaussian());
            }
            return service.millis(now, messages, random) * Math.exp(path.get(at));
        };
    }

    /** The latency of everybody goes up and down by a share, over a period. */
    static Service sinus(Service service, double share, double seconds) {
        return (now, messages, random) ->
                service.millis(now, messages, random) * (1 + share * Math.sin(2 * Math.PI * now / 1000 / seconds));
    }
}
