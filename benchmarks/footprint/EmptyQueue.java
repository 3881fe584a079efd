/* SPDX-License-Identifier: Apache-2.0 */
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.Executors;

/** An SQS with one queue, which is always empty. Prints its port. */
class EmptyQueue {

    private static final Duration LONG_POLL = Duration.ofSeconds(20);

    public static void main(String[] args) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        String endpoint = "http://127.0.0.1:" + server.getAddress().getPort();
        server.createContext("/", exchange -> respond(exchange, endpoint));
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.start();
        System.out.println(server.getAddress().getPort());
    }

    private static void respond(HttpExchange exchange, String endpoint) throws IOException {
        try (exchange) {
            exchange.getRequestBody().readAllBytes();
            String body =
                    switch (exchange.getRequestHeaders().getFirst("X-Amz-Target")) {
                        case "AmazonSQS.GetQueueUrl" ->
                            "{\"QueueUrl\": \"" + endpoint + "/000000000000/orders\"}";
                        case "AmazonSQS.GetQueueAttributes" ->
                            "{\"Attributes\": {\"VisibilityTimeout\": \"30\","
                                    + " \"QueueArn\": \"arn:aws:sqs:eu-west-1:000000000000:orders\"}}";
                        case "AmazonSQS.ReceiveMessage" -> {
                            Thread.sleep(LONG_POLL);
                            yield "{}";
                        }
                        default -> throw new IOException("Not expected");
                    };
            byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().add("Content-Type", "application/x-amz-json-1.0");
            exchange.sendResponseHeaders(200, bytes.length);
            exchange.getResponseBody().write(bytes);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
