/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.cluster;

import java.io.IOException;

/**
 * A row: several instances listen, messages come, and something may happen to an instance.
 *
 * @param name of the row, with the part of the page before the slash
 * @param what it does, for people
 * @param listener of the instances; all but {@value #STANDARD} listen to the FIFO queue
 * @param instances that listen when it begins
 * @param setting of the queue, the network and the quotas
 * @param idealSeconds that its backlog takes at least, by the invocations or by the quota; 0 where messages arrive over time
 * @param faulty the instance that fails, or -1
 * @param watched the instance that must run messages, because the row is about it, or -1
 * @param quick whether it belongs to the quick form
 * @param action puts all messages in, does what happens, and returns how many messages there are
 */
record ClusterRow(
        String name,
        String what,
        String listener,
        int instances,
        Setting setting,
        double idealSeconds,
        int faulty,
        int watched,
        boolean quick,
        Action action) {

    static final String STANDARD = "standard";

    /** The quota of messages in flight, before their number. */
    static final String IN_FLIGHT = "?inFlight=";

    static final String FIFO = "fifo";

    /** Receives further ahead than {@value #FIFO}, so that it has messages of many groups. */
    static final String FIFO_AHEAD = "fifo-ahead";

    /** Query strings of the simulated SQS's controls. */
    record Setting(String queue, String conditions, String quotas) {
        static final Setting USUAL = new Setting("", "", "");

        /** A short visibility timeout, so that the messages of a lost instance return soon. */
        static final Setting SHORT_LEASES = new Setting("&visibility=4", "", "");

        /** One FIFO queue without high throughput. */
        static final Setting FIFO = new Setting("", "", "?fifoCalls=300");
    }

    /** What happens in a row. */
    @FunctionalInterface
    interface Action {
        long run(Cluster cluster, String queue) throws IOException, InterruptedException;
    }

    boolean fifo() {
        return !listener.equals(STANDARD);
    }

    /** The messages in flight that its quota permits, if it is about them, or 0. */
    int inFlightLimit() {
        return setting.quotas().startsWith(IN_FLIGHT)
                ? Integer.parseInt(setting.quotas().substring(IN_FLIGHT.length()))
                : 0;
    }

    /** Whether it is about calls that are throttled. */
    boolean throttles() {
        return name.startsWith("quota/fifo");
    }

    String queue() {
        return fifo() ? "cluster.fifo" : "cluster";
    }

    /** Those that listen at any time. */
    int most() {
        return name.startsWith("fault/scale") ? ClusterRows.ALL : instances;
    }
}
