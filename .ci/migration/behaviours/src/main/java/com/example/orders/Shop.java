package com.example.orders;

import java.util.List;
import java.util.Optional;

/** The sending half of the application. Each method returns when SQS has accepted its messages. */
public interface Shop {

    void send(String queue, Order order) throws InterruptedException;

    /** Sends to {@code orders}, with the header {@code tenant}. */
    void placeAll(List<Order> orders, String tenant) throws InterruptedException;

    /** Sends to {@code events}; the class of the event decides on its handler. */
    void announce(Object event) throws InterruptedException;

    /** Sends a text to {@code events}, without a type. */
    void announceText(String text) throws InterruptedException;

    /** Sends to {@code shipments.fifo}; the customer is the message group. */
    void ship(Order order) throws InterruptedException;

    /** Sends to {@code documents}, by way of S3. */
    void store(Document document) throws InterruptedException;

    /** Receives a message, and deletes it. */
    Optional<Order> takeOne(String queue) throws InterruptedException;

    /** Receives up to ten messages, and deletes them. */
    List<Order> take(String queue) throws InterruptedException;
}
