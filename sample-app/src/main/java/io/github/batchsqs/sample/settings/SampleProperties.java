/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.sample.settings;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What the sample does.
 *
 * @param queues Names of its queues.
 * @param firstOrders How many orders it sends by itself at start, before it handles any.
 * @param visitors Whether visitors place a few orders now and then, from the start.
 * @param raceMessages How many messages each listener of the race handles in a lap.
 * @param manyOrders How many orders the live page sends at the press of a button.
 * @param slowBatch How long a batch of orders takes while the handler is slowed.
 * @param outage How long the embedded server is cut off at the press of a button.
 * @param depthEvery How often the live page asks how many messages the queues hold: calls that cost money on a real account.
 */
@ConfigurationProperties("sample")
public record SampleProperties(
        @DefaultValue Queues queues,
        @DefaultValue("10000") int firstOrders,
        @DefaultValue("true") boolean visitors,
        @DefaultValue("2000") int raceMessages,
        @DefaultValue("10000") int manyOrders,
        @DefaultValue("12s") Duration slowBatch,
        @DefaultValue("5s") Duration outage,
        @DefaultValue("1s") Duration depthEvery) {

    /**
     * Names of queues.
     *
     * @param orders Standard queue, with a dead-letter queue, that orders go through.
     * @param shipments FIFO queue that shipments go through, in order for each customer.
     * @param stock Standard queue that is subscribed to the topic of what arrives.
     */
    public record Queues(
            @DefaultValue("orders") String orders,
            @DefaultValue("shipments.fifo") String shipments,
            @DefaultValue("stock") String stock) {}
}
