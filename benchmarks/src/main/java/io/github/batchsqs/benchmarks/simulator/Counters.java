/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.simulator;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** What happened on one queue since the last reset; open receives are those of all queues. Times are microseconds since the messages were put in, or since the reset. */
final class Counters {

    private final Map<Operation, Long> calls = new EnumMap<>(Operation.class);
    private final Map<Operation, Long> throttledCalls = new EnumMap<>(Operation.class);
    private final List<String> openReceivePeaks = new ArrayList<>();
    private String queue = "";
    private long emptyReceives;
    private long received;
    private long sent;
    private long deleted;
    private long faults;
    private long firstReceiveAt;
    private long lastDeleteAt;
    private long lastSendAt;
    private long connections;
    private int openReceives;
    private int mostOpenReceives;
    private int mostInFlight;
    private long startedAt;
    private long cpuAtStart;

    /**
     * Begins again.
     *
     * @param only the queue that counts; empty for all
     */
    void reset(String only) {
        queue = only;
        calls.clear();
        throttledCalls.clear();
        openReceivePeaks.clear();
        emptyReceives = received = sent = deleted = faults = connections = 0;
        mostInFlight = 0;
        mostOpenReceives = openReceives;
        started();
    }

    /** The clock starts, and so does the count of the CPU time: putting messages in costs nothing. */
    void started() {
        cpuAtStart = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        startedAt = System.nanoTime();
        firstReceiveAt = lastDeleteAt = lastSendAt = 0;
    }

    /** A request came; it counts as a call when it is executed. */
    void opened(Operation operation) {
        if (operation == Operation.RECEIVE_MESSAGE) {
            openReceives++;
            firstReceiveAt = firstReceiveAt == 0 ? now() : firstReceiveAt;
            if (openReceives > mostOpenReceives) {
                mostOpenReceives = openReceives;
                openReceivePeaks.add("[" + now() + "," + openReceives + "]");
            }
        }
    }

    void responded(Operation operation) {
        if (operation == Operation.RECEIVE_MESSAGE) {
            openReceives--;
        }
    }

    void call(Operation operation, String of) {
        if (counts(of)) {
            calls.merge(operation, 1L, Long::sum);
        }
    }

    void connected() {
        connections++;
    }

    /**
     * A receive responds.
     *
     * @param inFlight the messages of the queue that are in flight now
     */
    void received(int messages, String from, int inFlight) {
        if (!counts(from)) {
            return;
        }
        received += messages;
        mostInFlight = Math.max(mostInFlight, inFlight);
        if (messages == 0) {
            emptyReceives++;
        }
    }

    void sent(String to) {
        if (counts(to)) {
            sent++;
            lastSendAt = now();
        }
    }

    void deleted(String from) {
        if (counts(from)) {
            deleted++;
            lastDeleteAt = now();
        }
    }

    private boolean counts(String of) {
        return queue.isEmpty() || queue.equals(of);
    }

    void fault() {
        faults++;
    }

    /** A call exceeded a quota. */
    void throttled(Operation operation, String of) {
        if (counts(of)) {
            throttledCalls.merge(operation, 1L, Long::sum);
        }
    }

    long sentSoFar() {
        return sent;
    }

    long deletedSoFar() {
        return deleted;
    }

    /** All of it; called on the event loop, whose CPU time is the cost of the requests. */
    void write(JsonText out) {
        long cpu = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - cpuAtStart;
        long total = sum(calls);
        write(out.raw("{\"calls\":{"), calls);
        write(out.raw("},\"throttledCalls\":{"), throttledCalls);
        out.raw("}")
                .field("totalCalls", total)
                .field("emptyReceives", emptyReceives)
                .field("received", received)
                .field("sent", sent)
                .field("deleted", deleted)
                .field("faults", faults)
                .field("throttled", sum(throttledCalls))
                .field("connections", connections)
                .field("firstReceiveMicros", firstReceiveAt)
                .field("lastDeleteMicros", lastDeleteAt)
                .field("lastSendMicros", lastSendAt)
                .field("elapsedMicros", now())
                .field("serverCpuNanos", cpu)
                .field("serverCpuNanosPerCall", total == 0 ? 0 : cpu / total)
                .field("openReceives", openReceives)
                .field("mostOpenReceives", mostOpenReceives)
                .field("mostInFlight", mostInFlight)
                .raw(",\"openReceivePeaks\":[")
                .raw(String.join(",", openReceivePeaks))
                .raw("]}");
    }

    private static long sum(Map<Operation, Long> calls) {
        return calls.values().stream().mapToLong(Long::longValue).sum();
    }

    private static void write(JsonText out, Map<Operation, Long> calls) {
        calls.forEach((operation, count) -> out.field(operation.wireName(), count));
    }

    private long now() {
        return Math.max(1, (System.nanoTime() - startedAt) / 1000);
    }
}
