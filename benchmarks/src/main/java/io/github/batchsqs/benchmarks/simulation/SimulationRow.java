/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.simulation;

import io.github.batchsqs.listener.ListenerOptions;
import java.time.Duration;

/**
 * A row: instances, their settings, the network, what arrives, and how long handlers take.
 *
 * @param name of the row, with the section of the page before the slash
 * @param what it does, for people
 * @param instances that listen
 * @param options of each of them
 * @param network between them and the queue
 * @param load what arrives
 * @param work what an invocation does
 * @param quick whether it belongs to the quick form
 */
record SimulationRow(
        String name,
        String what,
        int instances,
        ListenerOptions options,
        Network network,
        Load load,
        Work work,
        boolean quick) {

    /** The visibility timeout, the default of SQS. */
    static final Duration LEASE = Duration.ofSeconds(30);

    private static final double MILLIS = 1e3;
    private static final int PER_CALL = 10;

    /** Options at the defaults of the library. */
    static ListenerOptions.Builder defaults() {
        return ListenerOptions.builder("simulated", "queue")
                .concurrency(16) // a fixed number, so that the formulas have one
                .visibility(new ListenerOptions.Visibility(LEASE, Duration.ofHours(1)));
    }

    /** What arrives in the queue. */
    sealed interface Load {

        /** All messages at once; the run ends when all are deleted. */
        record Backlog(int messages) implements Load {}

        /**
         * Messages at a rate.
         *
         * @param perSecond messages of all instances
         * @param together how many arrive together: a call that sends them
         * @param random whether the calls are independent of each other (a Poisson process), or evenly spaced
         * @param warmUpSeconds before the figures count; if it is 0, they count until all messages are deleted
         * @param seconds for which they count
         */
        record Steady(double perSecond, int together, boolean random, int warmUpSeconds, int seconds) implements Load {}

        /** Nothing. */
        record Idle(int seconds) implements Load {}
    }

    /**
     * How long an invocation takes.
     *
     * @param millis on average
     * @param random whether the durations have an exponential distribution, or are equal
     */
    record Work(double millis, boolean random) {}

    /** Messages per second and instance; 0 where none arrive at a rate. */
    double perInstance() {
        return load instanceof Load.Steady steady ? steady.perSecond() / instances : 0;
    }

    /** The page's formula for pollers, and for deletes in flight, of an instance. */
    double formulaCalls() {
        return perInstance() * network.meanMillis() / MILLIS / PER_CALL;
    }

    /** The page's formula for the invocations of an instance. */
    double formulaInvocations() {
        return perInstance() * work.millis() / MILLIS / options.batchSize();
    }

    /** The page's formula for the messages in flight of all instances, without waits for an invocation. */
    double formulaInFlight() {
        double lingers = lingers(options.batchLinger(), options.batchSize())
                + lingers(options.acknowledge().linger(), PER_CALL);
        return perInstance() * instances * (work.millis() + lingers + network.meanMillis()) / MILLIS;
    }

    /** A linger ends, at the latest, when the batch is full. */
    private double lingers(Duration linger, int batch) {
        return Math.min((double) linger.toMillis(), MILLIS * batch / perInstance());
    }

    /** The time in which all invocations of all instances, busy without a pause, do the work; 0 without a backlog. */
    double idealSeconds() {
        int invocations = options.concurrency() * instances * options.batchSize();
        return load instanceof Load.Backlog backlog
                ? Math.ceilDiv(backlog.messages(), invocations) * work.millis() / MILLIS
                : 0;
    }
}
