/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.sample;

import static org.awaitility.Awaitility.await;

import io.github.batchsqs.receive.ListenerContainers;
import io.github.batchsqs.sample.controls.Outage;
import io.github.batchsqs.sample.orders.Pace;
import io.github.batchsqs.sample.orders.Vouchers;
import io.github.batchsqs.sample.queues.DeadLetters;
import io.github.batchsqs.sample.queues.QueueDepths;
import java.time.Duration;
import org.springframework.boot.test.context.TestComponent;

/** Brings the sample back from wherever a test, maybe one that failed, has left it. */
@TestComponent
class SampleState {

    /** Long, for machines that do other things as well. */
    static final Duration LONGEST = Duration.ofMinutes(1);

    private final ListenerContainers listeners;
    private final Pace pace;
    private final Vouchers vouchers;
    private final DeadLetters deadLetters;
    private final QueueDepths depths;
    private final Outage outage;

    SampleState(
            ListenerContainers listeners,
            Pace pace,
            Vouchers vouchers,
            DeadLetters deadLetters,
            QueueDepths depths,
            Outage outage) {
        this.listeners = listeners;
        this.pace = pace;
        this.vouchers = vouchers;
        this.deadLetters = deadLetters;
        this.depths = depths;
        this.outage = outage;
    }

    /** Nothing is broken, slow, paused or cut off, and all messages are handled. */
    void reset() throws InterruptedException {
        await().atMost(LONGEST).until(() -> !outage.running());
        pace.slow(false);
        vouchers.repair();
        listeners.resume();
        if (deadLetters.count() > 0) {
            deadLetters.redrive();
        }
        listeners
                .all()
                .forEach(each -> await().atMost(LONGEST)
                        .until(() -> each.status().inFlight() == 0
                                && depths.of(each.options().queue()).waiting() == 0));
    }
}
