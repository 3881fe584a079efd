package com.example.orders;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.elasticmq.rest.sqs.SQSRestServer;
import org.elasticmq.rest.sqs.SQSRestServerBuilder;

/** An SQS (ElasticMQ) and as much of S3 as payloads need, in this process; and what a test does to queues, without an SDK. */
final class Servers {

    private static final Pattern COUNT = Pattern.compile("\"ApproximateNumberOfMessages\\w*\"\\s*:\\s*\"(\\d+)\"");
    private static final Pattern KEY = Pattern.compile("<Key>(.*?)</Key>");

    private final SQSRestServer sqs = SQSRestServerBuilder.withInterface("127.0.0.1")
            .withDynamicPort()
            .withAWSRegion("eu-west-1")
            .start();
    private final URI sqsEndpoint = URI.create(
            "http://127.0.0.1:" + sqs.waitUntilStarted().localAddress().getPort());
    private final HttpClient http = HttpClient.newHttpClient();
    private final Map<String, byte[]> objects = new ConcurrentHashMap<>();
    private final AtomicInteger stored = new AtomicInteger();
    private final HttpServer s3;

    Servers() {
        try {
            s3 = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        s3.createContext("/", this::handle);
        s3.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        s3.start();
    }

    URI sqs() {
        return sqsEndpoint;
    }

    URI s3() {
        return URI.create("http://127.0.0.1:" + s3.getAddress().getPort());
    }

    /** How many objects have been stored so far. */
    int stored() {
        return stored.get();
    }

    /** How many objects there are. */
    int objects() {
        return objects.size();
    }

    void createQueue(String name, int visibilitySeconds) {
        String fifo = name.endsWith(".fifo") ? ", \"FifoQueue\": \"true\", \"ContentBasedDeduplication\": \"true\"" : "";
        call("CreateQueue", """
                {"QueueName": "%s", "Attributes": {"VisibilityTimeout": "%d"%s}}""".formatted(name, visibilitySeconds, fifo));
    }

    /** Sends a body as a system without Spring does. */
    void send(String queue, String body) {
        call("SendMessage", """
                {"QueueUrl": "%s", "MessageBody": "%s"}""".formatted(url(queue), body));
    }

    /** Returns whether a queue exists and has no message, neither visible nor in flight. */
    boolean isDrained(String queue) {
        String counts = call("GetQueueAttributes", """
                {"QueueUrl": "%s", "AttributeNames": ["All"]}""".formatted(url(queue)));
        return COUNT.matcher(counts).results().map(found -> found.group(1)).filter("0"::equals).count() == 3;
    }

    private String url(String queue) {
        return sqsEndpoint + "/000000000000/" + queue;
    }

    private String call(String operation, String json) {
        HttpRequest request = HttpRequest.newBuilder(sqsEndpoint)
                .header("Content-Type", "application/x-amz-json-1.0")
                .header("X-Amz-Target", "AmazonSQS." + operation)
                .POST(HttpRequest.BodyPublishers.ofString(json))
                .build();
        try {
            HttpResponse<String> response = http.send(request, HttpResponse.BodyHandlers.ofString());
            if (response.statusCode() != 200) {
                throw new IllegalStateException(operation + " of " + json + ": " + response.body());
            }
            return response.body();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            String name = exchange.getRequestURI().getPath();
            byte[] content = content(exchange);
            switch (exchange.getRequestMethod()) {
                case "PUT" -> {
                    objects.put(name, content);
                    stored.incrementAndGet();
                    exchange.getResponseHeaders().add("ETag", "\"1\"");
                    exchange.sendResponseHeaders(200, -1);
                }
                case "GET" -> respond(exchange, objects.get(name));
                case "DELETE" -> {
                    objects.remove(name);
                    exchange.sendResponseHeaders(204, -1);
                }
                default -> {
                    KEY.matcher(new String(content, StandardCharsets.UTF_8))
                            .results()
                            .forEach(key -> objects.remove(name + (name.endsWith("/") ? "" : "/") + key.group(1)));
                    respond(exchange, "<DeleteResult/>".getBytes(StandardCharsets.UTF_8));
                }
            }
        }
    }

    private static void respond(HttpExchange exchange, byte[] content) throws IOException {
        if (content == null) {
            exchange.sendResponseHeaders(404, -1);
            return;
        }
        exchange.getResponseHeaders().add("ETag", "\"1\"");
        exchange.sendResponseHeaders(200, content.length);
        exchange.getResponseBody().write(content);
    }

    /** Returns the content of a request, which the SDK sends in chunks. */
    private static byte[] content(HttpExchange exchange) throws IOException {
        byte[] sent = exchange.getRequestBody().readAllBytes();
        String digest = exchange.getRequestHeaders().getFirst("x-amz-content-sha256");
        if (digest == null || !digest.startsWith("STREAMING-")) {
            return sent;
        }
        InputStream chunks = new ByteArrayInputStream(sent);
        ByteArrayOutputStream content = new ByteArrayOutputStream(sent.length);
        for (int size = size(chunks); size > 0; size = size(chunks)) {
            content.write(chunks.readNBytes(size));
            chunks.readNBytes(2);
        }
        return content.toByteArray();
    }

    /** Reads the line before a chunk: its size, and perhaps a signature behind a semicolon. */
    private static int size(InputStream chunks) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int next = chunks.read(); next != '\n'; next = chunks.read()) {
            line.append((char) next);
        }
        return Integer.parseInt(line.toString().strip().replaceFirst(";.*", ""), 16);
    }
}
