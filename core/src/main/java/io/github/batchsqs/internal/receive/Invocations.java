/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive;

import io.github.batchsqs.internal.receive.delivery.ListenerQueue;
import io.github.batchsqs.events.ListenerEvent;
import io.github.batchsqs.internal.receive.delivery.Delivery;
import io.github.batchsqs.internal.receive.delivery.Settlement;
import io.github.batchsqs.internal.receive.handoff.Invocation;
import io.github.batchsqs.internal.receive.invoke.BatchInvoker;
import io.github.batchsqs.internal.support.EngineStage;
import io.github.batchsqs.internal.support.OncePerMinute;
import io.github.batchsqs.internal.support.SafeLog;
import io.github.batchsqs.internal.support.Supervised;
import io.github.batchsqs.receive.ListenerContainer;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.slf4j.LoggerFactory;

/**
 * Carries each batch from the hand-off over the handler to the settlement. What the engine throws on this way ends the run, whose stop
 * returns the messages. Safe for use by any thread.
 */
final class Invocations implements Invocation {

    private static final SafeLog log = new SafeLog(LoggerFactory.getLogger(ListenerContainer.class));

    private static final Settlement NOT_RUN = new Settlement.NotRun();

    private final ListenerQueue source;
    private final BatchInvoker<?> invoker;
    private final boolean inGroupRuns;
    private final Consumer<List<Delivery>> next;
    private final InvocationLimit limit;
    private final Consumer<Throwable> failed;
    private final OncePerMinute refusals;

    /** @param inGroupRuns whether batches hold messages of one group, each of which is an invocation of its own */
    Invocations(
            ListenerQueue source,
            boolean inGroupRuns,
            BatchInvoker<?> invoker,
            Consumer<List<Delivery>> next,
            InvocationLimit limit,
            Consumer<Throwable> failed) {
        this.source = source;
        this.invoker = invoker;
        this.inGroupRuns = inGroupRuns;
        this.next = next;
        this.limit = limit;
        this.failed = failed;
        this.refusals = new OncePerMinute(source.time());
    }

    /** From now on, an invocation of several messages one by one ends with the message that runs. */
    void end() {
        invoker.end();
    }

    @Override
    public void run(List<Delivery> batch, long slotAt, int slots) {
        boolean measured = limit.isAutomatic();
        Settling settling = new Settling(measured);
        Supervised.run(() -> invoker.run(batch, settling), failed);
        if (measured) {
            settling.ended(slotAt, slots);
        }
    }

    @Override
    public void refused(List<Delivery> batch, Throwable cause) {
        String more = refusals.record(batch.size());
        if (more != null) {
            log.error(
                    "Listener {}: the executor refused a batch of {}; it is handed over again, and nothing is received until"
                            + " the executor takes it; let the executor take as many batches at once as the listener's"
                            + " concurrency{}",
                    source.listener(),
                    batch.size(),
                    more,
                    cause);
        }
        limit.refused();
        batch.forEach(delivery -> delivery.decide(NOT_RUN));
        next.accept(batch);
        if (!(cause instanceof RejectedExecutionException)) {
            source.events().on(new ListenerEvent.Unexpected(EngineStage.HANDOFF.text(), cause));
        }
    }

    @Override
    public void unexpected(Throwable cause) {
        source.events().on(new ListenerEvent.Unexpected(EngineStage.HANDOFF.text(), cause));
        log.error("Listener {}: the executor failed, and may run a batch all the same", source.listener(), cause);
    }

    /** The settlement, as the invoker uses it. It counts what ran and failed, if that is measured. */
    private final class Settling implements Consumer<List<Delivery>> {

        private final boolean measured;
        private int ran;
        private int failed;
        private int overloaded;

        Settling(boolean measured) {
            this.measured = measured;
        }

        @Override
        public void accept(List<Delivery> messages) {
            if (measured) {
                messages.forEach(this::count);
            }
            next.accept(messages);
        }

        private void count(Delivery delivery) {
            Settlement settlement = delivery.settlement();
            if (settlement instanceof Settlement.NotRun) {
                return;
            }
            ran++;
            Delivery.Failure failure = delivery.failure();
            Throwable cause = failure == null ? null : failure.cause();
            if (settlement instanceof Settlement.DeadLetter deadLetter) {
                cause = deadLetter.cause();
            }
            failed += failure != null || !(delivery.passed() || settlement instanceof Settlement.Untrack) ? 1 : 0;
            overloaded += cause != null && Overloads.shows(cause) ? 1 : 0;
        }

        /** The invocation is over. The messages of a group run count as one that took as long as each of them on average. */
        void ended(long slotAt, int slots) {
            long now = source.time().nanos();
            if (!inGroupRuns || ran == 0) {
                limit.ended(ran, failed, overloaded, slots, slotAt, now);
            } else {
                limit.ended(1, Math.min(1, failed), Math.min(1, overloaded), slots, now - (now - slotAt) / ran, now);
            }
        }
    }
}
