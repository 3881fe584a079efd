/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.Random;

/** Several listeners in virtual time whose invocations wait for the same pool of servers, in order, and always have work. */
final class SharedPool {

    private static final double NANOS = 1e6;
    private static final double TICK = 3_000;

    private record Invocation(int listener, double startedAt) {}

    private record End(double at, Invocation invocation) {}

    private final List<GradientLimit> limits = new ArrayList<>();
    private final int servers;
    private final double millis;
    private final Random random = new Random(7);
    private final PriorityQueue<End> serving = new PriorityQueue<>(Comparator.comparingDouble(End::at));
    private final Queue<Invocation> waiting = new ArrayDeque<>();
    private final int[] running;
    private double now;
    private double tickAt = TICK;
    private double latencies;
    private long ended;

    SharedPool(int listeners, int max, int servers, double millis) {
        for (int i = 0; i < listeners; i++) {
            limits.add(new GradientLimit(max, 0));
        }
        this.servers = servers;
        this.millis = millis;
        this.running = new int[listeners];
    }

    /** Runs for a time, and measures it. */
    SharedPool run(double seconds) {
        latencies = 0;
        ended = 0;
        double until = now + seconds * 1000;
        start();
        while (now < until) {
            double next = serving.isEmpty() ? until : Math.min(until, serving.peek().at);
            now = Math.min(next, tickAt);
            if (now == tickAt) {
                for (int i = 0; i < limits.size(); i++) {
                    limits.get(i).tick(running[i], nanos(now));
                }
                tickAt += TICK;
            } else if (!serving.isEmpty() && serving.peek().at == now) {
                end(serving.remove().invocation);
            }
            start();
        }
        return this;
    }

    private void end(Invocation invocation) {
        running[invocation.listener]--;
        latencies += now - invocation.startedAt;
        ended++;
        limits.get(invocation.listener).ended(1, nanos(invocation.startedAt), nanos(now), false);
    }

    private void start() {
        for (int i = 0; i < running.length; i++) {
            while (running[i] < limits.get(i).limit()) {
                running[i]++;
                waiting.add(new Invocation(i, now));
            }
        }
        while (serving.size() < servers && !waiting.isEmpty()) {
            serving.add(new End(now + millis * Math.exp(0.2 * random.nextGaussian()), waiting.remove()));
        }
    }

    private static long nanos(double at) {
        return (long) (at * NANOS);
    }

    /** Returns the mean latency of the time that was measured, in milliseconds. */
    double latency() {
        return latencies / ended;
    }

    /** Returns how many invocations may run at once, of all listeners together. */
    int limits() {
        return limits.stream().mapToInt(GradientLimit::limit).sum();
    }
}
