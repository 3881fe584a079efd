/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.fetch;

import io.github.batchsqs.client.Queue;
import io.github.batchsqs.client.QueueClient;
import io.github.batchsqs.client.ReceivedMessage;
import io.github.batchsqs.client.VisibilityChange;
import io.github.batchsqs.events.ListenerEvent;
import io.github.batchsqs.events.ListenerEvents;
import io.github.batchsqs.internal.receive.delivery.Delivery;
import io.github.batchsqs.internal.receive.delivery.InFlightLedger;
import io.github.batchsqs.internal.receive.delivery.InFlightLimit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes the messages of a receive into the ledger and hands them over.
 *
 * <p>Safe for use by any thread.
 */
final class Intake {

    private static final Logger log = LoggerFactory.getLogger(Fetcher.class);

    private final QueueClient client;
    private final InFlightLimit limit;
    private final InFlightLedger ledger;
    private final Handover handover;
    private final ListenerEvents events;

    Intake(QueueClient client, InFlightLimit limit, InFlightLedger ledger, Handover handover, ListenerEvents events) {
        this.client = client;
        this.limit = limit;
        this.ledger = ledger;
        this.handover = handover;
        this.events = events;
    }

    /**
     * Takes what a receive brought.
     *
     * @param permits that the receive holds; those that its messages do not need are free afterwards
     * @param receive the receive, which is over
     * @param took how long the receive took
     * @return how many messages it brought into flight
     */
    int take(List<ReceivedMessage> messages, int permits, OpenReceive receive, Duration took) {
        InFlightLedger.Received received = track(messages, permits, receive);
        events.on(new ListenerEvent.ApiCall("ReceiveMessage", messages.size(), took, null));
        events.on(new ListenerEvent.Received(messages.size()));
        for (int i = 0; i < received.leasesLost(); i++) {
            events.on(new ListenerEvent.LeaseLost());
        }
        handOver(received);
        return received.kept();
    }

    /** Returns to the queue what a receive brought after a pause had abandoned it. */
    void takeLate(List<ReceivedMessage> messages, OpenReceive receive) {
        InFlightLedger.Received received = track(messages, 0, receive);
        List<Delivery> back = new ArrayList<>(received.toRun());
        back.addAll(received.toReturn());
        handOver(new InFlightLedger.Received(List.of(), received.toDelete(), back, 0, 0));
    }

    /** The same after a stop, without any part of the run that is over; or leaves it to its visibility timeout. */
    void takeAfterStop(Queue queue, List<ReceivedMessage> messages) throws InterruptedException {
        if (messages.isEmpty()) {
            return;
        }
        log.info(
                "A receive from {} ended after the stop; its {} messages are returned to the queue",
                queue.name(),
                messages.size());
        List<VisibilityChange> lastFirst = new ArrayList<>(messages.size());
        for (ReceivedMessage message : messages.reversed()) {
            lastFirst.add(new VisibilityChange(message.receiptHandle(), Duration.ZERO));
        }
        var ignored = client.changeVisibility(queue, lastFirst);
    }

    private InFlightLedger.Received track(List<ReceivedMessage> messages, int permits, OpenReceive receive) {
        InFlightLedger.Received received = ledger.receive(messages, receive.calledAt(), receive.waitTime());
        limit.settleReceive(permits, received.kept(), received.bytes());
        return received;
    }

    private void handOver(InFlightLedger.Received received) {
        // First: what is behind them in their groups waits for their deletes.
        handOver(received.toDelete(), handover.delete());
        handOver(received.toRun(), handover.run());
        handOver(received.toReturn(), handover.returnToQueue());
    }

    private static void handOver(List<Delivery> deliveries, Consumer<List<Delivery>> to) {
        if (!deliveries.isEmpty()) {
            to.accept(deliveries);
        }
    }
}
