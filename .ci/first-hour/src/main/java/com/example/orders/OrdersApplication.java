package com.example.orders;

import io.github.batchsqs.annotation.BatchSqsListener;
import io.github.batchsqs.send.BatchSqsOperations;
import java.util.List;
import java.util.stream.IntStream;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;

@SpringBootApplication
public class OrdersApplication {

    public record Order(int number) {}

    public static void main(String[] args) {
        SpringApplication.run(OrdersApplication.class, args);
    }

    @BatchSqsListener(queue = "orders", batchSize = "100", batchLinger = "200ms")
    void handle(List<Order> orders) {
        orders.forEach(order -> System.out.println("Handled " + order));
        // returning deletes them; throwing brings them back
    }

    @Bean
    ApplicationRunner send(BatchSqsOperations sqs) {
        return arguments ->
                sqs.sendAll("orders", IntStream.rangeClosed(1, 20).mapToObj(Order::new).toList());
    }
}
