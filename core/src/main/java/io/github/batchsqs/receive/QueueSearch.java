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
import io.github.batchsqs.listener.ContainerState;
import io.github.batchsqs.listener.ListenerOptions;
import java.time.Duration;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks up the queue of a run again and again, until the queue exists or the run stops. The delay grows after each look-up. A
 * look-up that fails for another reason than a missing queue is logged as an outage.
 */
final class QueueSearch {

    private static final Logger log = LoggerFactory.getLogger(ListenerContainer.class);
    private static final Backoff LOOK_AGAIN = Backoff.exponential(Duration.ofSeconds(1), Duration.ofSeconds(15));

    private final Run run;
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

    QueueSearch(Run run, ListenerOptions options, ListenerResources resources, RandomGenerator random, Pause pause) {
        this.run = run;
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
     * Looks up the queue on the calling thread, and begins the run when the queue exists. What the begin throws ends the search.
     *
     * @throws InterruptedException if the run stops meanwhile
     */
    void search() throws InterruptedException {
        for (int failures = 1; run.startedBy(Thread.currentThread()); failures++) {
            ForeignCode.Outcome<Source> found =
                    ForeignCode.call(() -> new QueueLookup(resources.resolver()).find(run.options()));
            if (found.value() != null) {
                run.begin(found.value());
                return;
            }
            switch (found.failure()) {
                case null -> throw new IllegalStateException("A look-up returns a queue");
                case QueueNotFoundException e -> {
                    failing.succeeded();
                    log.debug("Listener {}: {}", listener, e.getMessage());
                }
                case InterruptedException e when run.state() != ContainerState.STARTING ->
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
    }
}
