/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive;

import io.github.batchsqs.internal.batch.Batcher;
import io.github.batchsqs.internal.receive.delivery.Delivery;
import io.github.batchsqs.internal.receive.delivery.InFlightLedger;
import io.github.batchsqs.internal.receive.delivery.InFlightLimit;
import io.github.batchsqs.internal.receive.delivery.ListenerQueue;
import io.github.batchsqs.internal.receive.delivery.ManualSettlement;
import io.github.batchsqs.internal.receive.fetch.Downstream;
import io.github.batchsqs.internal.receive.fetch.Fetcher;
import io.github.batchsqs.internal.receive.fetch.Gates;
import io.github.batchsqs.internal.receive.fetch.Valve;
import io.github.batchsqs.internal.receive.handoff.Dispatcher;
import io.github.batchsqs.internal.receive.handoff.Handoff;
import io.github.batchsqs.internal.receive.invoke.BatchInvoker;
import io.github.batchsqs.internal.receive.invoke.InvocationLimit;
import io.github.batchsqs.internal.receive.invoke.ListenerHandler;
import io.github.batchsqs.internal.receive.settle.FailingCalls;
import io.github.batchsqs.internal.receive.settle.Settler;
import io.github.batchsqs.internal.support.Check;
import io.github.batchsqs.internal.support.SafeLog;
import io.github.batchsqs.internal.support.Supervised;
import io.github.batchsqs.internal.support.Words;
import io.github.batchsqs.listener.ContainerState;
import io.github.batchsqs.listener.ContainerStatus;
import io.github.batchsqs.listener.ListenerOptions;
import io.github.batchsqs.receive.ListenerContainer;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * The stages of one run of a container, wired: fetch → handoff → invoke → settle. Created anew for each start, so that no part
 * needs to know how to start again.
 */
final class Pipeline {

    private static final SafeLog log = new SafeLog(LoggerFactory.getLogger(ListenerContainer.class));

    /** Random numbers for any thread. */
    static final RandomGenerator RANDOM = () -> ThreadLocalRandom.current().nextLong();

    /** How long receives may take to come back on stop; longer ones wait for messages and are aborted. */
    private static final Duration RECEIVE_GRACE = Duration.ofMillis(400);

    /** The part of the shutdown timeout that is reserved for returning messages that still run, and its maximum. */
    private static final int RESERVE_PART = 5;

    private static final Duration MAX_RESERVE = Duration.ofSeconds(3);

    /** A flush sends what was added before it; at the end of a stop there is one so often. */
    private static final long FLUSH_EVERY = Duration.ofMillis(50).toNanos();

    private final ListenerQueue source;
    private final ContainerThreads threads;
    final InFlightLimit limit;
    final InFlightLedger ledger;
    final Dispatcher dispatcher;
    private final InvocationLimit invocationLimit;
    private final BatchInvoker<?> invoker;
    final Settler settler;
    final Valve valve;

    Pipeline(
            ListenerOptions options,
            ListenerHandler<?> handler,
            ListenerResources resources,
            Source found,
            ContainerThreads threads) {
        this.invocationLimit = new InvocationLimit(options, this::followLimit, resources.time());
        this.source = new ListenerQueue(
                options.toBuilder().concurrency(invocationLimit.limit()).build(),
                found.queue(),
                found.lease(),
                resources.client(),
                resources.events(),
                resources.time(),
                RANDOM,
                resources.payloads(),
                threads.failed);
        this.threads = threads;
        this.limit = new InFlightLimit(0, resources.memory());
        this.invoker = new BatchInvoker<>(source, handler, this::settlement, this::settle, invocationLimit);
        this.dispatcher = new Dispatcher(
                source,
                Handoff.of(source, limit::exhausted),
                limit,
                invocationExecutor(),
                handover(),
                invoker,
                this::tellValve);
        this.ledger =
                new InFlightLedger(source.queue().fifo(), source.lease(), limit, source.time(), dispatcher::settled);
        this.settler = new Settler(
                source,
                threads.calls(),
                threads.visibilityCalls(),
                ledger,
                found.deadLetterQueue(),
                found.retries(),
                dispatcher);
        this.valve = valve(new Gates(source.listener(), resources.gates(), source.time()));
    }

    /** Starts everything, or nothing if a part cannot start. */
    void start() {
        ListenerOptions options = source.options();
        Supervised.start(this::startThreads, this::abort);
        log.info(
                "Listener {}: reads {} in batches of up to {}, {} at once{}",
                source.listener(),
                source.name(),
                options.batchSize(),
                options.concurrency(),
                invocationLimit.isAutomatic()
                        ? " at first, then up to " + options.concurrencyMax() + " automatically"
                        : "");
    }

    private void startThreads() {
        dispatcher.timedBy(threads.alarm(dispatcher::tick));
        settler.batchers().forEach(each -> each.timedBy(threads.alarm(each::tick)));
        threads.every(settler.extender().interval(), this::tick);
        valve.start();
    }

    private void tick() {
        settler.extender().tick();
        invocationLimit.tick();
        valve.tick();
    }

    /** Receives nothing any more; what was received goes on. */
    void pause() {
        valve.pause(RECEIVE_GRACE);
    }

    /** Receives again. */
    void resume() {
        valve.start();
    }

    void change(ListenerOptions current) {
        invocationLimit.change(current);
        valve.change(current);
    }

    /** The stages end with the last number, though others may change it meanwhile. */
    private void followLimit() {
        for (int followed = 0; followed != invocationLimit.limit(); ) {
            followed = invocationLimit.limit();
            threads.resizePool(followed);
            dispatcher.setConcurrency(followed);
        }
        tellValve();
    }

    private void tellValve() {
        valve.changedDownstream();
    }

    /**
     * Stops within the shutdown timeout, and closes. In this order: stop polling, return messages that have not started, let handlers finish,
     * flush the acknowledgements, and at last interrupt the invocations that still run and return their messages.
     *
     * @param failed whether the engine failed: nobody settles what no stage has, so it is returned as soon as nothing runs
     */
    void stop(boolean failed) throws InterruptedException {
        long timeout = source.options().shutdownTimeout().toNanos();
        long begunAt = source.time().nanos();
        long deadline = begunAt + timeout;
        long reserve = Math.min(timeout / RESERVE_PART, MAX_RESERVE.toNanos());
        valve.stop(Duration.ofNanos(Math.min(reserve, RECEIVE_GRACE.toNanos())));
        returnWaiting();
        int running = dispatcher.awaitIdle(deadline - reserve - source.time().nanos());
        settler.returnToQueue(dispatcher.drain(true));
        if (running == 0 && !failed) {
            flushUntilUnused(deadline - reserve);
        }
        int returned = returnUnsettled();
        if (running > 0 || returned > 0) { // a handler may run although all its messages are settled
            log.warn(
                    "Listener {}: after {} of its shutdown-timeout of {}, interrupts {} and returns {} to the queue",
                    source.listener(),
                    Words.measured(Duration.ofNanos(source.time().nanos() - begunAt)),
                    Check.text(source.options().shutdownTimeout()),
                    Words.count(running, "running invocation"),
                    Words.count(returned, "unsettled message"));
        }
        flushUntilUnused(deadline);
        awaitFlush(deadline - source.time().nanos());
        int left = limit.used(); // closing gives up their calls
        close();
        log.info(
                "Listener {}: stopped with {} left to the visibility timeout",
                source.listener(),
                Words.count(left, "message"));
    }

    /**
     * Waits until no message is in flight, at most until then, and sends what the end of another call adds: for example the
     * delete of a message that the dead-letter queue accepted.
     */
    private void flushUntilUnused(long deadline) throws InterruptedException {
        long left = deadline - source.time().nanos();
        var ignored = flush(); // what it sends frees permits
        for (long waited = 0; waited < left && limit.awaitUnused(Math.min(FLUSH_EVERY, left - waited)) > 0; ) {
            waited += FLUSH_EVERY;
            ignored = flush();
        }
    }

    /**
     * Starts nothing any more, and returns waiting messages; those that wait behind a running batch of their group
     * stay.
     */
    private void returnWaiting() {
        invoker.end();
        List<Delivery> waiting = dispatcher.drain(false);
        settler.returnToQueue(waiting);
        log.info(
                "Listener {}: stopped polling {}; returns {} to the queue, and waits for {}",
                source.listener(),
                source.name(),
                Words.count(waiting.size(), "waiting message"),
                Words.count(dispatcher.active(), "running invocation"));
    }

    /**
     * Returns all messages that are not settled, and interrupts the invocations that still run; in this order, because a handler
     * that ends by the interrupt would have its messages wait for their backoff. Returns how many messages those are.
     */
    private int returnUnsettled() {
        List<Delivery> late = ledger.tracked().stream()
                .filter(Delivery::unsettled)
                .sorted(Comparator.comparingLong(Delivery::number))
                .toList();
        settler.returnToQueue(late);
        dispatcher.interruptRunning();
        return late.size();
    }

    /** Sends what waits to be sent. The future completes when all that was added before is settled. */
    private CompletableFuture<Void> flush() {
        return CompletableFuture.allOf(settler.batchers().map(Batcher::flush).toArray(CompletableFuture<?>[]::new));
    }

    private void awaitFlush(long nanos) throws InterruptedException {
        try {
            flush().get(Math.max(0, nanos), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            log.warn("Calls to SQS are still under way as the shutdown timeout ends");
        } catch (ExecutionException e) {
            throw new IllegalStateException("A flush does not fail", e);
        }
    }

    /** Ends everything at once, pollers too. */
    void abort() {
        try {
            invoker.end();
            List<Delivery> ignored = dispatcher.drain(true); // they come back by their timeout
            valve.stop(Duration.ZERO);
        } finally {
            close();
        }
    }

    /** Ends the calls and the threads. */
    void close() {
        settler.batchers().forEach(Batcher::close);
        threads.close();
        limit.close();
    }

    boolean invokesOn(Thread thread) {
        return dispatcher.invokesOn(thread);
    }

    /** @param problem why the run ends, or {@code null} if it does not */
    ContainerStatus status(ContainerState state, @Nullable String problem) {
        Dispatcher.Longest longest = dispatcher.longest();
        Duration overdue = longest.underWay().minus(longestLease());
        int pollers = valve.pollers();
        int inFlight = ledger.size();
        int used = Math.max(limit.used(), inFlight); // the messages were counted a moment before
        List<FailingCalls> failing = settler.failing();
        boolean receives =
                state == ContainerState.RUNNING; // how the last receive before a pause or stop ended says nothing
        return new ContainerStatus(
                state,
                inFlight,
                limit.heldBytes(),
                used,
                Math.max(limit.limit(), used),
                dispatcher.waiting(),
                pollers,
                Math.min(valve.blockedPollers(), pollers),
                dispatcher.active(),
                invocationLimit.limit(),
                receives ? valve.failingFor() : Duration.ZERO,
                receives ? valve.failure() : null,
                longest.running(),
                overdue.isNegative() ? Duration.ZERO : overdue,
                failing.getFirst().lasting(),
                receives ? valve.waitsFor() : null,
                problem != null
                        ? problem
                        : ContainerProblem.find(state, longest.notBegun(), failing, valve.failure(), source.lease()));
    }

    /** Returns how long a message can be kept from others at most. */
    private Duration longestLease() {
        Duration extended = source.options().visibility().maxExtension();
        return extended.compareTo(source.lease()) > 0 ? extended : source.lease();
    }

    /** First those that were handled before: what is behind them in their groups waits for their deletes. */
    void take(InFlightLedger.Received received) {
        if (!received.toDelete().isEmpty()) {
            dispatcher.block(received.toDelete());
            settler.deleteAgain(received.toDelete());
        }
        if (!received.toRun().isEmpty()) {
            dispatcher.offer(received.toRun());
        }
        if (!received.toReturn().isEmpty()) {
            settler.returnToQueue(received.toReturn());
        }
    }

    private Executor invocationExecutor() {
        return switch (source.options().executor()) {
            case ListenerOptions.InvocationExecutor.Virtual virtual -> threads.virtual("worker");
            case ListenerOptions.InvocationExecutor.Platform platform ->
                threads.platform("worker", source.options().concurrency());
            case ListenerOptions.InvocationExecutor.Custom custom -> custom.executor();
        };
    }

    /** A user's executor may run a batch on the thread that hands it over, or let that thread wait; ours never do. */
    private Executor handover() {
        return source.options().executor() instanceof ListenerOptions.InvocationExecutor.Custom
                ? threads.virtual("handover")
                : Dispatcher.HERE;
    }

    /** The settlement, which is made after the invoker, because it needs its dispatcher. */
    private ManualSettlement settlement() {
        return settler;
    }

    private void settle(List<Delivery> batch) {
        settler.settle(batch);
        valve.freed();
    }

    private Valve valve(Gates gates) {
        return new Valve(
                source,
                limit,
                ledger,
                gates,
                threads.pollers(),
                new Fetcher(source, limit, ledger, this::take),
                new Downstream(
                        invocationLimit::limit,
                        dispatcher::delayed,
                        dispatcher::refusesUntil,
                        dispatcher::tick)); // nothing fills the batches that linger, so they start
    }
}
