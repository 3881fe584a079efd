/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.testkit;

import io.github.batchsqs.client.Queue;
import io.github.batchsqs.events.ListenerEvents;
import io.github.batchsqs.internal.client.QueueClient;
import io.github.batchsqs.internal.receive.delivery.ListenerQueue;
import io.github.batchsqs.internal.support.TimeSource;
import io.github.batchsqs.listener.ListenerOptions;
import java.time.Duration;
import java.util.Random;
import java.util.function.Consumer;

/** Listeners and their queues, for tests of single stages. */
public final class Sources {

    private Sources() {}

    /** Of stages that neither call SQS nor report anything. */
    public static ListenerQueue of(ListenerOptions options, Duration lease, TimeSource time) {
        Queue queue = new Queue(options.queue(), "http://localhost/" + options.queue());
        return of(options, queue, lease, new InMemoryQueueClient(time), ListenerEvents.NONE, time, failure -> {});
    }

    public static ListenerQueue of(
            ListenerOptions options,
            Queue queue,
            Duration lease,
            QueueClient client,
            ListenerEvents events,
            TimeSource time,
            Consumer<Throwable> failed) {
        return new ListenerQueue(options, queue, lease, client, events, time, new Random(1), null, failed);
    }
}
