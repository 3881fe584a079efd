/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.sample;

import io.github.batchsqs.receive.ListenerContainer;
import io.github.batchsqs.receive.ListenerContainers;
import io.github.batchsqs.sample.controls.Outage;
import io.github.batchsqs.sample.orders.Pace;
import io.github.batchsqs.sample.orders.Vouchers;
import io.github.batchsqs.sample.queues.DeadLetters;
import io.github.batchsqs.testkit.Progress;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.test.context.TestComponent;
import org.springframework.jdbc.core.simple.JdbcClient;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;

/** Brings the sample back from wherever a test, maybe one that failed, has left it. */
@TestComponent
class SampleState {

    private final ListenerContainers listeners;
    private final Pace pace;
    private final Vouchers vouchers;
    private final DeadLetters deadLetters;
    private final Outage outage;
    private final MeterRegistry meters;
    private final SqsClient sqs;
    private final JdbcClient database;

    SampleState(
            ListenerContainers listeners,
            Pace pace,
            Vouchers vouchers,
            DeadLetters deadLetters,
            Outage outage,
            MeterRegistry meters,
            @Qualifier("batchSqsClient") SqsClient sqs,
            JdbcClient database) {
        this.listeners = listeners;
        this.pace = pace;
        this.vouchers = vouchers;
        this.deadLetters = deadLetters;
        this.outage = outage;
        this.meters = meters;
        this.sqs = sqs;
        this.database = database;
    }

    /** Nothing is broken, slow, paused or cut off, and all messages are handled, those in dead-letter queues too. */
    void reset() throws InterruptedException {
        Progress.until(() -> !outage.running());
        pace.slow(false);
        vouchers.repair();
        listeners.resume();
        if (deadLetters.count() > 0) {
            deadLetters.redrive();
        }
        Progress.until(deadLetters::count, 0);
        // Orders come before the shipments that they cause, and each of them before its queue is in the outbox
        ListenerContainer orders = listeners.get("orders");
        Progress.until(this::unsent, 0L);
        Progress.until(() -> unfinished(orders), 0);
        Progress.until(this::unsent, 0L);
        listeners.all().forEach(each -> Progress.until(() -> unfinished(each), 0));
    }

    private long unsent() {
        return database.sql("SELECT COUNT(*) FROM batchsqs_outbox")
                .query(Long.class)
                .single();
    }

    /** How many messages of a listener SQS has accepted the delete of, as its meter counts them. */
    double acknowledged(String listener) {
        return meters.get("batchsqs.listener.acknowledged")
                .tag("listener", listener)
                .counter()
                .count();
    }

    /** Messages that the server holds, whether somebody has received them or not, and those that the listener holds. */
    private int unfinished(ListenerContainer listener) {
        String url = sqs.getQueueUrl(
                        request -> request.queueName(listener.options().queue()))
                .queueUrl();
        List<QueueAttributeName> counts = List.of(
                QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES,
                QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES_NOT_VISIBLE,
                QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES_DELAYED);
        return sqs
                        .getQueueAttributes(request -> request.queueUrl(url).attributeNames(counts))
                        .attributes()
                        .values()
                        .stream()
                        .mapToInt(Integer::parseInt)
                        .sum()
                + listener.status().inFlight();
    }
}
