/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive;

import io.github.batchsqs.internal.receive.invoke.BatchInvoker;
import io.github.batchsqs.internal.receive.delivery.ListenerQueue;
import io.github.batchsqs.internal.batch.Batcher;
import io.github.batchsqs.internal.receive.delivery.Delivery;
import io.github.batchsqs.internal.support.Check;
import io.github.batchsqs.internal.support.SafeLog;
import io.github.batchsqs.internal.support.TimeSource;
import io.github.batchsqs.internal.support.Words;
import io.github.batchsqs.receive.ListenerContainer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.LoggerFactory;

/**
 * The order of a stop, and how it spends the shutdown timeout: stop polling, return messages that have not started, let
 * handlers finish, flush the acknowledgements, and at last interrupt the invocations that still run and return their messages.
 */
final class Shutdown {

    private static final SafeLog log = new SafeLog(LoggerFactory.getLogger(ListenerContainer.class));

    /** The part of the shutdown timeout that is reserved for returning messages that still run, and its maximum. */
    private static final int RESERVE_PART = 5;

    private static final Duration MAX_RESERVE = Duration.ofSeconds(3);

    /** A flush sends what was added before it; at the end of a stop there is one so often. */
    private static final long FLUSH_EVERY = Duration.ofMillis(50).toNanos();

    private final ListenerQueue source;
    private final Stages stages;
    private final BatchInvoker<?> invoker;
    private final TimeSource time;

    Shutdown(ListenerQueue source, Stages stages, BatchInvoker<?> invoker) {
        this.source = source;
        this.stages = stages;
        this.invoker = invoker;
        this.time = source.time();
    }

    /**
     * Stops the stages within the shutdown timeout; their threads and calls are the caller's to close.
     *
     * @param failed whether the engine failed: nobody settles what no stage has, so it is returned as soon as nothing runs
     */
    void run(Duration receiveGrace, boolean failed) throws InterruptedException {
        long timeout = source.options().shutdownTimeout().toNanos();
        long begunAt = time.nanos();
        long deadline = begunAt + timeout;
        long reserve = Math.min(timeout / RESERVE_PART, MAX_RESERVE.toNanos());
        stages.valve().stop(Duration.ofNanos(Math.min(reserve, receiveGrace.toNanos())));
        returnWaiting();
        int running = stages.dispatcher().awaitIdle(deadline - reserve - time.nanos());
        CompletableFuture<Void> flushed = returnRest();
        if (failed) {
            await(flushed, deadline - reserve - time.nanos());
        }
        int unsettled = running > 0 || failed ? stages.limit().used() : flushUntilUnused(deadline - reserve);
        if (running > 0 || unsettled > 0) { // a handler may run although all its messages are settled
            flushed = CompletableFuture.allOf(flushed, returnUnsettled());
            log.warn(
                    "Listener {}: after {} of its shutdown-timeout of {}, interrupts {} and returns {} to the queue",
                    source.listener(),
                    Words.measured(Duration.ofNanos(time.nanos() - begunAt)),
                    Check.text(source.options().shutdownTimeout()),
                    Words.count(running, "running invocation"),
                    Words.count(unsettled, "unsettled message"));
        }
        await(flushed, deadline - time.nanos());
        int ignored = flushUntilUnused(deadline);
    }

    /**
     * Waits until no message is in flight, at most until then, and sends what the end of another call adds: for example the
     * delete of a message that the dead-letter queue accepted. Returns how many are in flight.
     */
    private int flushUntilUnused(long deadline) throws InterruptedException {
        long left = deadline - time.nanos();
        int used = stages.limit().used();
        for (long waited = 0; waited < left && used > 0; waited += FLUSH_EVERY) {
            used = stages.limit().awaitUnused(Math.min(FLUSH_EVERY, left - waited));
            var ignored = flush(); // what it sends frees permits
        }
        return used;
    }

    /**
     * Starts nothing any more, and returns waiting messages; those that wait behind a running batch of their group
     * stay.
     */
    void returnWaiting() {
        invoker.end();
        stages.settler().endRetries();
        List<Delivery> waiting = stages.dispatcher().drain(false);
        stages.settler().returnToQueue(waiting);
        log.info(
                "Listener {}: stopped polling {}; returns {} to the queue, and waits for {}",
                source.listener(),
                source.name(),
                Words.count(waiting.size(), "waiting message"),
                Words.count(stages.dispatcher().active(), "running invocation"));
    }

    /** Returns messages that still wait when the invocations are over. The future completes when all are settled. */
    CompletableFuture<Void> returnRest() {
        stages.settler().returnToQueue(stages.dispatcher().drain(true));
        return flush();
    }

    /**
     * Returns all messages that are not settled, and interrupts the invocations that still run; in this order, because a handler
     * that ends by the interrupt would have its messages wait for their backoff.
     */
    CompletableFuture<Void> returnUnsettled() {
        List<Delivery> late = new ArrayList<>(stages.ledger().tracked());
        late.sort(Comparator.comparingLong(Delivery::number));
        stages.settler().returnToQueue(late);
        stages.dispatcher().interruptRunning();
        return flush();
    }

    /** Sends what waits to be sent. The future completes when all that was added before is settled. */
    CompletableFuture<Void> flush() {
        return CompletableFuture.allOf(
                stages.settler().batchers().stream().map(Batcher::flush).toArray(CompletableFuture<?>[]::new));
    }

    private static void await(CompletableFuture<Void> flushed, long nanos) throws InterruptedException {
        try {
            flushed.get(Math.max(0, nanos), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            log.warn("Calls to SQS are still under way as the shutdown timeout ends");
        } catch (ExecutionException e) {
            throw new IllegalStateException("A flush does not fail", e);
        }
    }
}
