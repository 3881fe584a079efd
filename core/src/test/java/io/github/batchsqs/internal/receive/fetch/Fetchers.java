/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.fetch;

import io.github.batchsqs.internal.receive.delivery.Delivery;
import io.github.batchsqs.internal.receive.delivery.InFlightLedger;
import io.github.batchsqs.internal.receive.delivery.InFlightLimit;
import io.github.batchsqs.internal.receive.delivery.ListenerQueue;
import io.github.batchsqs.internal.support.TimeSource;
import io.github.batchsqs.listener.ListenerOptions;
import io.github.batchsqs.testkit.Sources;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/** The polling of a listener that has no gates and no handler. */
final class Fetchers {

    private static final Duration LEASE = Duration.ofMinutes(5);

    private Fetchers() {}

    /** Returns a poller that waits with this lock. */
    static Poller poller(ReentrantLock lock) {
        ListenerOptions options = ListenerOptions.builder("orders", "orders").build();
        ListenerQueue queue = Sources.of(options, LEASE, TimeSource.system());
        return new Poller(queue, lock.newCondition());
    }

    /** Returns the polling of a queue, which hands its messages over to be run. */
    static Valve handingOver(
            Consumer<List<Delivery>> toRun, ListenerQueue queue, InFlightLimit limit, Executor threads) {
        TimeSource time = queue.time();
        InFlightLedger ledger = new InFlightLedger(queue.queue().fifo(), LEASE, limit, time, untracked -> {});
        long made = time.nanos();
        return new Valve(
                queue,
                limit,
                ledger,
                new Gates(queue.options().id(), Map.of(), time),
                threads,
                new Fetcher(queue, limit, ledger, received -> toRun.accept(received.toRun())),
                new Downstream(() -> queue.options().concurrency(), () -> 0, () -> made, () -> {}));
    }
}
