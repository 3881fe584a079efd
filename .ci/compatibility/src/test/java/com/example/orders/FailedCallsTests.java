package com.example.orders;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.example.orders.OrdersApplication.Order;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.github.batchsqs.annotation.BatchSqsListener;
import io.github.batchsqs.send.BatchSqsOperations;
import io.github.batchsqs.send.SendFailedException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.annotation.Configuration;

/** Calls that SQS does not accept are tried again, with every version of the SDK. */
class FailedCallsTests {

    private final AtomicInteger sends = new AtomicInteger();
    private final CountDownLatch receives = new CountDownLatch(5);
    private HttpServer server;

    @BeforeEach
    void serve() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::respond);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    @Test
    void aCallIsTriedAgain() throws InterruptedException {
        try (var application = new SpringApplicationBuilder(Listening.class).run(
                "--server.port=0",
                "--batchsqs.embedded.enabled=false",
                "--batchsqs.listener.shutdown-timeout=1s",
                "--batchsqs.sender.delivery-timeout=10s",
                "--spring.cloud.aws.endpoint=http://localhost:" + server.getAddress().getPort(),
                "--spring.cloud.aws.region.static=eu-west-1",
                "--spring.cloud.aws.credentials.access-key=key",
                "--spring.cloud.aws.credentials.secret-key=secret",
                "--management.otlp.metrics.export.enabled=false")) {
            var sqs = application.getBean(BatchSqsOperations.class);
            var failure = catchThrowableOfType(SendFailedException.class, () -> sqs.sendAndWait("orders", new Order(1)));
            assertThat(failure).isNotNull();
            assertThat(failure.code()).isIn("ServiceUnavailable", SendFailedException.DELIVERY_TIMEOUT);
            assertThat(failure).hasMessageContaining("out of order by a test's wish");
            assertThat(sends.get()).isGreaterThanOrEqualTo(3);
            assertThat(receives.await(1, TimeUnit.MINUTES)).isTrue();
        }
    }

    private void respond(HttpExchange exchange) throws IOException {
        String operation = exchange.getRequestHeaders().getFirst("X-Amz-Target").replace("AmazonSQS.", "");
        exchange.getRequestBody().readAllBytes();
        switch (operation) {
            case "GetQueueUrl" ->
                send(exchange, 200, "{\"QueueUrl\":\"http://localhost:" + server.getAddress().getPort() + "/1/orders\"}");
            case "GetQueueAttributes" ->
                send(exchange, 200, "{\"Attributes\":{\"VisibilityTimeout\":\"30\",\"QueueArn\":\"arn:aws:sqs:eu-west-1:1:orders\"}}");
            default -> {
                if (operation.equals("SendMessageBatch")) {
                    sends.incrementAndGet();
                } else {
                    receives.countDown();
                }
                send(exchange, 503, "{\"__type\":\"ServiceUnavailable\",\"message\":\"out of order by a test's wish\"}");
            }
        }
    }

    private static void send(HttpExchange exchange, int status, String json) throws IOException {
        byte[] body = json.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/x-amz-json-1.0");
        exchange.sendResponseHeaders(status, body.length);
        try (exchange) {
            exchange.getResponseBody().write(body);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Listening {

        @BatchSqsListener(queue = "orders")
        void handle(List<Order> orders) {}
    }
}
