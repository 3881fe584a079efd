/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.fetch;

import io.github.batchsqs.internal.receive.delivery.InFlightLedger;
import io.github.batchsqs.internal.receive.delivery.InFlightLimit;
import io.github.batchsqs.internal.receive.delivery.ListenerQueue;
import io.github.batchsqs.internal.receive.delivery.MessageMemory;
import io.github.batchsqs.internal.support.TimeSource;
import io.github.batchsqs.listener.ListenerOptions;
import io.github.batchsqs.testkit.Deliveries;
import io.github.batchsqs.testkit.Sources;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.ReentrantLock;

/** The polling of a listener that has no gates, no limit in flight and no handler. */
final class Fetchers {

    private static final Duration LEASE = Duration.ofMinutes(5);

    private Fetchers() {}

    /** Returns a poller that waits with this lock. */
    static Poller poller(ReentrantLock lock) {
        ListenerOptions options = ListenerOptions.builder("orders", "orders").build();
        ListenerQueue queue = Sources.of(options, LEASE, TimeSource.system());
        return new Poller(queue, lock.newCondition());
    }

    /** Returns the polling of a queue, which adds the bodies of its messages to these. */
    static Valve handingOverTo(Collection<String> bodies, ListenerQueue queue, Executor threads) {
        TimeSource time = queue.time();
        InFlightLimit limit = new InFlightLimit(0, MessageMemory.unlimited());
        InFlightLedger ledger = new InFlightLedger(false, LEASE, limit, time, untracked -> {});
        long made = time.nanos();
        return new Valve(
                queue,
                limit,
                ledger,
                new Gates(queue.options().id(), Map.of(), time),
                threads,
                new Fetcher(queue, limit, ledger, received -> bodies.addAll(Deliveries.bodies(received.toRun()))),
                new Downstream(() -> queue.options().concurrency(), () -> 0, () -> made, () -> {}));
    }
}
