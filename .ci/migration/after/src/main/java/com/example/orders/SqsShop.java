package com.example.orders;

import io.github.batchsqs.pull.PulledMessage;
import io.github.batchsqs.pull.PulledMessages;
import io.github.batchsqs.send.BatchSqsOperations;
import io.github.batchsqs.send.OutgoingMessage;
import io.github.batchsqs.send.SendResults;
import java.util.List;
import java.util.Optional;
import org.springframework.stereotype.Component;

@Component
class SqsShop implements Shop {

    private final BatchSqsOperations sqs;

    SqsShop(BatchSqsOperations sqs) {
        this.sqs = sqs;
    }

    @Override
    public void send(String queue, Order order) throws InterruptedException {
        sqs.sendAndWait(queue, order);
    }

    @Override
    public void placeAll(List<Order> orders, String tenant) throws InterruptedException {
        List<OutgoingMessage> messages = orders.stream()
                .map(order -> OutgoingMessage.builder("orders", order)
                        .attribute("tenant", tenant)
                        .build())
                .toList();
        SendResults results = sqs.sendAll(messages);
        if (!results.failed().isEmpty()) {
            throw results.failed().getFirst().cause();
        }
    }

    @Override
    public void announce(Object event) throws InterruptedException {
        sqs.sendAndWait(OutgoingMessage.builder("events", event)
                .attribute("JavaType", event.getClass().getName())
                .build());
    }

    @Override
    public void announceText(String text) throws InterruptedException {
        sqs.sendAndWait("events", text);
    }

    @Override
    public void ship(Order order) throws InterruptedException {
        sqs.sendAndWait(OutgoingMessage.builder("shipments.fifo", order)
                .groupId(order.customer())
                .build());
    }

    @Override
    public void store(Document document) throws InterruptedException {
        sqs.sendAndWait("documents", document);
    }

    @Override
    public Optional<Order> takeOne(String queue) throws InterruptedException {
        Optional<PulledMessage<Order>> message = sqs.receiveOne(queue, Order.class);
        message.ifPresent(PulledMessage::acknowledge);
        return message.map(PulledMessage::payload);
    }

    @Override
    public List<Order> take(String queue) throws InterruptedException {
        PulledMessages<Order> messages = sqs.receive(queue, Order.class);
        messages.acknowledge();
        return messages.payloads();
    }
}
