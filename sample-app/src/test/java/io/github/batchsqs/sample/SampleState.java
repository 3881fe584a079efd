/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.sample;

import io.github.batchsqs.receive.ListenerContainers;
import io.github.batchsqs.sample.controls.Outage;
import io.github.batchsqs.sample.orders.Pace;
import io.github.batchsqs.sample.orders.Vouchers;
import io.github.batchsqs.sample.queues.DeadLetters;
import io.github.batchsqs.sample.queues.QueueDepths;
import io.github.batchsqs.testkit.Progress;
import org.springframework.boot.test.context.TestComponent;

/** Brings the sample back from wherever a test, maybe one that failed, has left it. */
@TestComponent
class SampleState {

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
        Progress.until(() -> !outage.running());
        pace.slow(false);
        vouchers.repair();
        listeners.resume();
        if (deadLetters.count() > 0) {
            deadLetters.redrive();
        }
        listeners
                .all()
                .forEach(each -> Progress.until(() -> each.status().inFlight() == 0
                        && depths.of(each.options().queue()).waiting() == 0));
    }
}
