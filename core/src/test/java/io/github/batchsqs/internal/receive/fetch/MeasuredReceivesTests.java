/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.client.Queue;
import io.github.batchsqs.events.ListenerEvents;
import io.github.batchsqs.internal.receive.delivery.Delivery;
import io.github.batchsqs.internal.receive.delivery.InFlightLedger;
import io.github.batchsqs.internal.receive.delivery.InFlightLimit;
import io.github.batchsqs.internal.receive.delivery.ListenerQueue;
import io.github.batchsqs.listener.ListenerOptions;
import io.github.batchsqs.testkit.Faults;
import io.github.batchsqs.testkit.InMemoryQueueClient;
import io.github.batchsqs.testkit.Operation;
import io.github.batchsqs.testkit.SettableTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The in-flight limit that follows from the durations of receives. */
class MeasuredReceivesTests {

    private static final Duration LEASE = Duration.ofMinutes(5);
    private static final int CONCURRENCY = 20;

    private final SettableTime time = new SettableTime();
    private final InMemoryQueueClient client = new InMemoryQueueClient(time);
    private final Queue queue = client.createQueue("orders-queue");
    private final InFlightLimit limit = new InFlightLimit(0);
    private final InFlightLedger ledger = new InFlightLedger(false, LEASE, limit, time);
    private final List<Delivery> received = new ArrayList<>();
    private final Valve valve = valve();

    /** Messages that arrive during a receive have had it wait; those that were there before have not. */
    @Test
    void waitsDoNotRaiseTheLimitOnceAReceiveHasFoundOlderMessages() throws Exception {
        receive(Duration.ofSeconds(7), true);
        time.advance(Duration.ofSeconds(1));
        receive(Duration.ofMillis(10), false);
        assertThat(received).hasSize(20).allMatch(Delivery::claim);
        time.advance(Duration.ofSeconds(1));
        valve.pollOnce(); // cuts the limit back to the messages of three round trips
        assertThat(limit.limit()).isEqualTo(CONCURRENCY + 10);
    }

    private void receive(Duration took, boolean waits) throws InterruptedException {
        String[] bodies = IntStream.range(received.size(), received.size() + 10)
                .mapToObj(i -> "m" + i)
                .toArray(String[]::new);
        if (!waits) {
            client.put(queue, bodies);
            time.advance(Duration.ofMillis(100));
        }
        client.faults(new Faults() {
            @Override
            public void before(Call call) {
                if (call.operation() == Operation.RECEIVE) {
                    time.advance(took);
                    if (waits) {
                        client.put(queue, bodies);
                    }
                }
            }
        });
        valve.pollOnce();
        client.faults(Faults.NONE);
    }

    private Valve valve() {
        ListenerOptions options = ListenerOptions.builder("orders", queue.name())
                .waitTime(Duration.ZERO)
                .concurrency(CONCURRENCY)
                .batchSize(1)
                .build();
        ListenerQueue source = new ListenerQueue(options, queue, LEASE);
        Handover handover = new Handover(received::addAll, none -> {}, ledger::untrack);
        return new Valve(
                source,
                limit,
                ledger,
                new Gates("orders", Map.of(), time),
                time,
                new Random(1),
                new Fetcher(source, client, limit, ledger, handover, ListenerEvents.NONE, time),
                () -> {});
    }
}
