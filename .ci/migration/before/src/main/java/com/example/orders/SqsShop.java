package com.example.orders;

import io.awspring.cloud.sqs.operations.SqsTemplate;
import java.util.List;
import java.util.Optional;
import org.springframework.messaging.Message;
import org.springframework.messaging.support.MessageBuilder;
import org.springframework.stereotype.Component;

@Component
class SqsShop implements Shop {

    private final SqsTemplate sqs;

    SqsShop(SqsTemplate sqs) {
        this.sqs = sqs;
    }

    @Override
    public void send(String queue, Order order) {
        sqs.send(queue, order);
    }

    @Override
    public void placeAll(List<Order> orders, String tenant) {
        List<Message<Order>> messages = orders.stream()
                .map(order ->
                        MessageBuilder.withPayload(order).setHeader("tenant", tenant).build())
                .toList();
        sqs.sendMany("orders", messages);
    }

    @Override
    public void announce(Object event) {
        sqs.send("events", event);
    }

    @Override
    public void announceText(String text) {
        sqs.send("events", text);
    }

    @Override
    public void ship(Order order) {
        sqs.send(to -> to.queue("shipments.fifo").payload(order).messageGroupId(order.customer()));
    }

    @Override
    public void store(Document document) {
        sqs.send("documents", document);
    }

    @Override
    public Optional<Order> takeOne(String queue) {
        return sqs.receive(queue, Order.class).map(Message::getPayload);
    }

    @Override
    public List<Order> take(String queue) {
        return sqs.receiveMany(queue, Order.class).stream()
                .map(Message::getPayload)
                .toList();
    }
}
