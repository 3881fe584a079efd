/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive;

import io.github.batchsqs.Backoff;
import io.github.batchsqs.client.QueueNotFoundException;
import io.github.batchsqs.errors.BatchSqsException;
import io.github.batchsqs.events.ListenerEvent;
import io.github.batchsqs.internal.support.EngineStage;
import io.github.batchsqs.internal.support.ForeignCode;
import io.github.batchsqs.internal.support.OutageLog;
import io.github.batchsqs.internal.support.SafeThrowable;
import io.github.batchsqs.internal.support.UserInformation;
import io.github.batchsqs.listener.ListenerOptions;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks up the queue of a run again and again, until it exists or the run stops. The delay grows after each look-up. A
 * look-up that fails for another reason than a missing queue is logged as an outage.
 */
final class QueueSearch {

    private static final Logger log = LoggerFactory.getLogger(ListenerContainer.class);
    private static final Backoff LOOK_AGAIN = Backoff.exponential(Duration.ofSeconds(1), Duration.ofSeconds(15));

    private final String listener;
    private final ListenerResources resources;
    private final OutageLog failing;
    private final RandomGenerator random;
    private final Pause pause;

    /** Waits between two look-ups. */
    @FunctionalInterface
    interface Pause {

        /** Waits for the delay, or until the run stops. An interrupt that is not by a stop does not end the wait. */
        void last(Duration delay);
    }

    QueueSearch(ListenerOptions options, ListenerResources resources, RandomGenerator random, Pause pause) {
        this.listener = options.id();
        this.resources = resources;
        this.random = random;
        this.pause = pause;
        this.failing = new OutageLog(
                log,
                resources.time(),
                "Listener " + listener + ": the look-up of queue " + UserInformation.mask(options.queue()));
    }

    /**
     * Looks up the queue on the calling thread until it exists.
     *
     * @param goesOn whether the run does not stop; asked before each look-up
     * @param options the options of each moment
     * @return the queue; {@code null} if the run stops meanwhile
     * @throws InterruptedException if that interrupts a look-up
     */
    @Nullable
    Source search(BooleanSupplier goesOn, Supplier<ListenerOptions> options) throws InterruptedException {
        for (int failures = 1; goesOn.getAsBoolean(); failures++) {
            ForeignCode.Outcome<Source> found =
                    ForeignCode.call(() -> new QueueLookup(resources.resolver()).find(options.get()));
            if (found.value() != null) {
                return found.value();
            }
            switch (found.failure()) {
                case null -> throw new IllegalStateException("A look-up returns a queue");
                case QueueNotFoundException e -> {
                    failing.succeeded();
                    log.debug("Listener {}: {}", listener, e.getMessage());
                }
                case InterruptedException e
                when !goesOn.getAsBoolean() ->
                    throw e; // by a stop; else by whatever else had this thread for its target
                case Throwable e -> {
                    if (!(e instanceof BatchSqsException)) {
                        resources.events().on(new ListenerEvent.Unexpected(EngineStage.START.text(), e));
                    }
                    failing.failed(e.getClass().getSimpleName(), SafeThrowable.message(e));
                }
            }
            pause.last(LOOK_AGAIN.delay(failures, random));
        }
        return null;
    }
}
