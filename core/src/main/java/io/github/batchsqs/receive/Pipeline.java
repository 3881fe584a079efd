/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive;

import io.github.batchsqs.TimeSource;
import io.github.batchsqs.batch.Batcher;
import io.github.batchsqs.client.Queue;
import io.github.batchsqs.receive.fetch.Delivery;
import io.github.batchsqs.receive.fetch.FetchSettings;
import io.github.batchsqs.receive.fetch.Fetcher;
import io.github.batchsqs.receive.fetch.InFlightLedger;
import io.github.batchsqs.receive.fetch.InFlightLimit;
import io.github.batchsqs.receive.fetch.Settlement;
import io.github.batchsqs.receive.handoff.Dispatcher;
import io.github.batchsqs.receive.handoff.GroupedHandoff;
import io.github.batchsqs.receive.handoff.Handoff;
import io.github.batchsqs.receive.handoff.LingeringHandoff;
import io.github.batchsqs.receive.invoke.BatchInvoker;
import io.github.batchsqs.receive.invoke.FailurePolicy;
import io.github.batchsqs.receive.invoke.HandSettlement;
import io.github.batchsqs.receive.invoke.InvokeSettings;
import io.github.batchsqs.receive.invoke.Turns;
import io.github.batchsqs.receive.settle.Calls;
import io.github.batchsqs.receive.settle.SettleSettings;
import io.github.batchsqs.receive.settle.Settler;
import io.github.batchsqs.receive.settle.VisibilityExtender;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The stages of one run of a container, wired: fetch → handoff → invoke → settle. Made anew for each start, so that no part
 * needs to know how to start again.
 */
final class Pipeline implements Dispatcher.Invocation {

    private static final Logger log = LoggerFactory.getLogger(ListenerContainer.class);

    /** How long open receives may take to come back on stop; longer ones wait for messages and are aborted. */
    private static final Duration RECEIVE_GRACE = Duration.ofMillis(500);

    /** The part of the shutdown timeout that is kept for giving back what still runs, and its most. */
    private static final int RESERVE_PART = 5;

    private static final Duration MOST_RESERVE = Duration.ofSeconds(3);

    private final ListenerOptions options;
    private final ListenerResources resources;
    private final Source source;
    private final TimeSource time;
    private final EngineThreads threads;
    private final InFlightLimit limit;
    private final InFlightLedger ledger;
    private final Dispatcher dispatcher;
    private final FailurePolicy policy;
    private final BatchInvoker<?> invoker;
    private final @Nullable Turns turns;
    private final Settler settler;
    private final VisibilityExtender extender;
    private final RandomGenerator random;
    private volatile Fetcher fetcher;

    /**
     * What was found at start.
     *
     * @param queue where messages come from
     * @param lease the visibility timeout of a receive
     * @param deadLetterQueue where messages go that are never to be handled, or {@code null}
     */
    record Source(Queue queue, Duration lease, @Nullable Queue deadLetterQueue) {}

    Pipeline(
            ListenerOptions options,
            ListenerHandler<?> handler,
            ListenerResources resources,
            Source source,
            EngineThreads threads,
            RandomGenerator random) {
        this.options = options;
        this.resources = resources;
        this.source = source;
        this.time = resources.time();
        this.threads = threads;
        this.random = random;
        this.limit = new InFlightLimit(0);
        this.ledger = new InFlightLedger(source.queue().fifo(), source.lease(), limit, time);
        this.dispatcher = new Dispatcher(handoff(), options.concurrency(), invocationExecutor(), this, time);
        SettleSettings settling = new SettleSettings(
                options.id(),
                source.queue(),
                source.lease(),
                options.visibility().extend(),
                options.visibility().maxExtension(),
                options.acknowledge().linger(),
                options.acknowledge().maxInFlight());
        Calls calls = new Calls(
                resources.client(), threads.calls("settle"), threads::await, resources.events(), time, random);
        this.settler = new Settler(settling, ledger, source.deadLetterQueue(), dispatcher::withdraw, calls);
        this.extender = new VisibilityExtender(settling, ledger, settler, calls);
        this.policy =
                new FailurePolicy(options.failure().backoff(), options.failure().nonRetryable(), random);
        this.invoker = invoker(handler);
        this.turns =
                inTurns() ? new Turns(invoker::invoke, options.acknowledge().linger(), time) : null;
        this.fetcher = fetcher(options);
    }

    void start() {
        threads.loop("linger", dispatcher::runTimer);
        for (Batcher<?, ?> batcher : settler.batchers()) {
            threads.loop("settle-timer", batcher::runTimer);
        }
        threads.every("extender", extender.interval(), extender::tick);
        fetcher.start(threads.virtual("poller"));
    }

    /** Receives nothing any more; what was received goes on. */
    void pause() throws InterruptedException {
        fetcher.stop(RECEIVE_GRACE);
    }

    /** Receives again. */
    void resume(ListenerOptions current) {
        fetcher = fetcher(current);
        fetcher.start(threads.virtual("poller"));
    }

    void change(ListenerOptions current) {
        threads.resizePool(current.concurrency());
        dispatcher.setConcurrency(current.concurrency());
        fetcher.setRunning(running(current));
        fetcher.setPollers(current.pollers().min(), current.pollers().max(), threads.virtual("poller"));
    }

    /**
     * Stops within the shutdown timeout: stop polling, give back what has not started, let handlers finish, flush the
     * acknowledgements, and at last interrupt and give back what still runs.
     */
    void stop() throws InterruptedException {
        long deadline = time.nanos() + options.shutdownTimeout().toNanos();
        long reserve = Math.min(options.shutdownTimeout().toNanos() / RESERVE_PART, MOST_RESERVE.toNanos());
        fetcher.stop(Duration.ofNanos(Math.min(reserve, RECEIVE_GRACE.toNanos())));
        giveBackWaiting();
        int running = dispatcher.awaitIdle(deadline - reserve - time.nanos());
        CompletableFuture<Void> flushed = giveBackRest();
        int unsettled = running > 0 ? limit.used() : limit.awaitUnused(deadline - reserve - time.nanos());
        if (unsettled > 0) {
            flushed = CompletableFuture.allOf(flushed, giveBackLate());
            log.warn(
                    "Listener {}: after {} {} invocations still ran and were interrupted; {} unsettled messages go back",
                    options.id(),
                    options.shutdownTimeout(),
                    running,
                    unsettled);
        }
        await(flushed, deadline - time.nanos());
        close();
        log.info("Listener {}: stopped with {} messages left to their visibility timeout", options.id(), limit.used());
    }

    /** Starts nothing any more, and gives back what waits; what waits behind a running batch of its lane stays. */
    void giveBackWaiting() {
        if (turns != null) {
            turns.end();
        }
        List<Delivery> waiting = dispatcher.drain(false);
        settler.giveBack(waiting);
        log.info(
                "Listener {}: stopped polling {}; {} waiting messages go back, {} invocations finish",
                options.id(),
                source.queue().name(),
                waiting.size(),
                dispatcher.active());
    }

    /** When the invocations are over: gives back what still waits. The answer completes when everything is settled. */
    CompletableFuture<Void> giveBackRest() {
        settler.giveBack(dispatcher.drain(true));
        return flush();
    }

    /**
     * Gives back everything that is not settled, and interrupts what still runs; in this order, because a handler that ends
     * by the interrupt would have its messages wait for their backoff.
     */
    CompletableFuture<Void> giveBackLate() {
        List<Delivery> late = new ArrayList<>(ledger.held());
        late.sort(Comparator.comparingLong(Delivery::receivedAt));
        settler.giveBack(late);
        dispatcher.interruptRunning();
        return flush();
    }

    /** Ends everything at once. */
    void close() {
        settler.batchers().forEach(Batcher::close);
        threads.close();
    }

    /** For tests, that step them by hand. */
    Stages stages() {
        return new Stages(fetcher, limit, ledger, dispatcher, settler, extender);
    }

    /** What runs here. */
    record Stages(
            Fetcher fetcher,
            InFlightLimit limit,
            InFlightLedger ledger,
            Dispatcher dispatcher,
            Settler settler,
            VisibilityExtender extender) {}

    boolean calledFromInvocation() {
        return dispatcher.calledFromInvocation();
    }

    ContainerStatus status(ContainerState state) {
        Duration longest = dispatcher.longestRunning();
        Duration overdue = longest.minus(longestLease());
        return new ContainerStatus(
                state,
                ledger.size(),
                limit.used(),
                limit.limit(),
                dispatcher.waiting(),
                fetcher.pollers(),
                dispatcher.active(),
                fetcher.failingFor(),
                fetcher.failure(),
                longest,
                overdue.isNegative() ? Duration.ZERO : overdue);
    }

    /** How long a message can be kept from others at the most. */
    private Duration longestLease() {
        Duration extended = options.visibility().maxExtension();
        return options.visibility().extend() && extended.compareTo(source.lease()) > 0 ? extended : source.lease();
    }

    @Override
    public void run(List<Delivery> batch) {
        LaneProgress progress = LaneProgress.of(batch, dispatcher::release);
        settle(batch, turns == null ? invoker.invoke(batch) : turns.invoke(batch), progress);
    }

    @Override
    public void refused(List<Delivery> batch, RejectedExecutionException cause) {
        log.error(
                "Listener {}: the executor refused a batch of {}; it is given back", options.id(), batch.size(), cause);
        LaneProgress progress = LaneProgress.of(batch, dispatcher::release);
        List<Settlement> back = new ArrayList<>(batch.size());
        batch.forEach(delivery -> back.add(policy.retry(delivery, time.nanos())));
        settle(batch, back, progress);
    }

    private void settle(List<Delivery> batch, List<Settlement> settlements, LaneProgress progress) {
        List<Delivery> notRun = settler.settle(batch, settlements);
        fetcher.settled();
        if (!notRun.isEmpty()) {
            dispatcher.takeBack(notRun);
        }
        progress.decided(notRun);
    }

    private CompletableFuture<Void> flush() {
        return CompletableFuture.allOf(
                settler.batchers().stream().map(Batcher::flush).toArray(CompletableFuture<?>[]::new));
    }

    private static void await(CompletableFuture<Void> flushed, long nanos) throws InterruptedException {
        try {
            flushed.get(Math.max(0, nanos), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            log.warn("Calls to SQS were still under way at the end of the shutdown timeout");
        } catch (ExecutionException e) {
            throw new IllegalStateException("A flush does not fail", e);
        }
    }

    private Handoff handoff() {
        if (!source.queue().fifo()) {
            return new LingeringHandoff(options.batchSize(), options.batchLinger());
        }
        return inTurns()
                ? new GroupedHandoff(Turns.MOST, Duration.ZERO, false)
                : new GroupedHandoff(
                        options.batchSize(),
                        options.batchLinger(),
                        options.fifoGrouping() == ListenerOptions.FifoGrouping.MIXED);
    }

    /** Whether single messages of a group run in turns; not by hand, where only the handler knows when one is done. */
    private boolean inTurns() {
        return source.queue().fifo()
                && options.batchSize() == 1
                && options.acknowledge().linger().isPositive()
                && options.acknowledge().mode() != ListenerOptions.AcknowledgeMode.MANUAL;
    }

    private Executor invocationExecutor() {
        return switch (options.executor()) {
            case ListenerOptions.InvocationExecutor.Virtual virtual -> threads.virtual("worker");
            case ListenerOptions.InvocationExecutor.Platform platform ->
                threads.platform("worker", options.concurrency());
            case ListenerOptions.InvocationExecutor.Custom custom -> custom.executor();
        };
    }

    private <T> BatchInvoker<T> invoker(ListenerHandler<T> handler) {
        InvokeSettings.Completion completion = switch (options.acknowledge().mode()) {
            case ON_SUCCESS -> InvokeSettings.Completion.BY_OUTCOME;
            case MANUAL -> InvokeSettings.Completion.BY_HAND;
            case ALWAYS -> InvokeSettings.Completion.ALWAYS_DONE;
        };
        return new BatchInvoker<>(
                new InvokeSettings(
                        options.id(),
                        source.queue().name(),
                        completion,
                        options.failure().isolate()),
                new BatchInvoker.Handler<>(
                        handler.payloadReader(), handler.listener(), handler.interceptors(), handler.errorHook()),
                policy,
                new HandSettlement() {
                    @Override
                    public CompletableFuture<Void> delete(List<Delivery> deliveries) {
                        return settler.deleteByHand(deliveries);
                    }

                    @Override
                    public CompletableFuture<Void> release(List<Delivery> deliveries, Duration after) {
                        return settler.releaseByHand(deliveries, after);
                    }
                },
                resources.events(),
                time);
    }

    private Fetcher fetcher(ListenerOptions current) {
        return new Fetcher(
                new FetchSettings(
                        source.queue(),
                        current.waitTime(),
                        current.visibility().timeout(),
                        current.pollers().min(),
                        current.pollers().max(),
                        current.pollers().pace(),
                        running(current),
                        current.prefetch() == ListenerOptions.AUTO_PREFETCH ? FetchSettings.AUTO : current.prefetch(),
                        current.rateLimit()),
                resources.client(),
                limit,
                ledger,
                new Fetcher.Handover(dispatcher::offer, settler::deleteAgain, settler::giveBack),
                resources.events(),
                time,
                random);
    }

    private static int running(ListenerOptions options) {
        return (int) Math.min(Integer.MAX_VALUE / 2, (long) options.concurrency() * options.batchSize());
    }

    /** Random numbers for any thread. */
    static final class SharedRandom implements RandomGenerator {
        @Override
        public long nextLong() {
            return ThreadLocalRandom.current().nextLong();
        }
    }
}
