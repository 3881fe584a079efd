/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.docs;

import io.awspring.cloud.sqs.operations.SqsTemplate;
import io.github.batchsqs.autoconfigure.listener.ListenerFactory;
import io.github.batchsqs.receive.ListenerContainers;
import io.github.batchsqs.send.BatchSqsOperations;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.messaging.Message;

/** Declarations that the fragments on the pages use. Nothing of it ever runs. */
@SuppressWarnings({"NullAway", "initialization", "unused"})
public class Scaffold {

    /** Something to receive and to send. */
    public record Order(int number, String customer, BigDecimal amount) {
        /** An order of one number. */
        public Order(int number) {
            this(number, "", BigDecimal.ZERO);
        }
    }

    /** Something for a FIFO queue. */
    public record Shipment(String id, String customer) {}

    /** Several types in one queue. */
    public interface OrderEvent {
        /** When it happened. */
        Instant at();
    }

    /** Where a handler keeps orders. */
    public interface OrderStore {
        /** Keeps one. */
        void store(Order order);

        /** Keeps one of a tenant. */
        void save(Order order, String tenant);

        /** Keeps several. */
        void saveAll(Collection<Order> orders);

        /** Keeps one unless a message of that id was kept before. */
        boolean storeOnce(String messageId, Order order);
    }

    /** An exception of the application. */
    public static class OrderRejectedException extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    protected final Logger log = LoggerFactory.getLogger("pages");
    protected OrderStore store;
    protected OrderStore repository;
    protected BatchSqsOperations sqs;
    protected BatchSqsOperations template;
    protected BatchSqsOperations batchSqs;
    protected SqsTemplate sqsTemplate;
    protected ListenerFactory factory;
    protected ListenerContainers containers;
    protected Order order;
    protected List<Order> orders;
    protected List<Message<Order>> messages;
    protected Shipment shipment;
}
