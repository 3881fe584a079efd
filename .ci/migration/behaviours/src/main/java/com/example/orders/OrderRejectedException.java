package com.example.orders;

/** An order that no retry helps. */
public class OrderRejectedException extends RuntimeException {

    private final Order order;

    public OrderRejectedException(Order order) {
        super("Order " + order.number() + " is rejected");
        this.order = order;
    }

    public Order order() {
        return order;
    }
}
