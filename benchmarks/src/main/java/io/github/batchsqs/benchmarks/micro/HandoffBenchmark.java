/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.micro;

import io.github.batchsqs.client.Queue;
import io.github.batchsqs.events.ListenerEvents;
import io.github.batchsqs.internal.receive.delivery.Delivery;
import io.github.batchsqs.internal.receive.delivery.InFlightLedger;
import io.github.batchsqs.internal.receive.delivery.InFlightLimit;
import io.github.batchsqs.internal.receive.delivery.Invocation;
import io.github.batchsqs.internal.receive.delivery.ListenerQueue;
import io.github.batchsqs.internal.receive.delivery.MessageMemory;
import io.github.batchsqs.internal.receive.handoff.Dispatcher;
import io.github.batchsqs.internal.receive.handoff.Handoff;
import io.github.batchsqs.internal.support.TimeSource;
import io.github.batchsqs.listener.ListenerOptions;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** The ledger, the hand-off and the dispatcher, per message; each round is one receive of ten. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 10, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class HandoffBenchmark {

    private static final int TEN = 10;
    private static final Duration LEASE = Duration.ofSeconds(30);

    private final InFlightLimit limit = new InFlightLimit(Integer.MAX_VALUE, MessageMemory.unlimited());
    private final InFlightLedger ledger = new InFlightLedger(false, LEASE, limit, TimeSource.system(), untracked -> {});
    private final InFlightLedger fifoLedger =
            new InFlightLedger(true, LEASE, limit, TimeSource.system(), untracked -> {});
    private final Handoff lingering = Handoff.of(reading("queue"), () -> false);
    private final Handoff grouped = Handoff.of(reading("queue.fifo"), () -> false);
    private final List<Delivery> ten =
            ledger.receive(MadeUpMessage.ten(0, null), 0, Duration.ZERO).toRun();
    private final List<Delivery> tenOfAGroup =
            fifoLedger.receive(MadeUpMessage.ten(0, "group"), 0, Duration.ZERO).toRun();
    private final Dispatcher dispatcher = new Dispatcher(
            reading("queue"),
            Handoff.of(reading("queue"), () -> false),
            limit,
            Runnable::run,
            Dispatcher.HERE,
            new Nothing(),
            () -> {});
    private long next = TEN;

    private static ListenerQueue reading(String queue) {
        return new ListenerQueue(
                ListenerOptions.builder("listener", queue).build(),
                new Queue(queue, queue),
                LEASE,
                new MadeUpQueue(),
                ListenerEvents.NONE,
                TimeSource.system(),
                new SplittableRandom(1),
                null,
                failure -> {});
    }

    @Benchmark
    @OperationsPerInvocation(TEN)
    public int ledger() {
        int permits = limit.tryAcquire(TEN);
        List<Delivery> received = ledger.receive(MadeUpMessage.ten(next, null), next, Duration.ZERO)
                .toRun();
        next += TEN;
        ledger.untrack(received);
        return permits;
    }

    @Benchmark
    @OperationsPerInvocation(TEN)
    public int lingeringHandoff() {
        ten.forEach(lingering::offer);
        List<Delivery> batch = lingering.poll(next++);
        return batch == null ? 0 : batch.size();
    }

    @Benchmark
    @OperationsPerInvocation(TEN)
    public int groupedHandoff() {
        tenOfAGroup.forEach(grouped::offer);
        List<Delivery> batch = grouped.poll(next++);
        tenOfAGroup.forEach(grouped::settled);
        return batch == null ? 0 : batch.size();
    }

    @Benchmark
    @OperationsPerInvocation(TEN)
    public void dispatch() {
        dispatcher.offer(ten);
    }

    /** An invocation that does nothing. */
    private static final class Nothing implements Invocation {
        @Override
        public void run(List<Delivery> batch, long slotAt, int slots) {}

        @Override
        public void refused(List<Delivery> batch) {}
    }
}
