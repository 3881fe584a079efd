/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.s3;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** As much of S3 as the store and the extended client use, over HTTP, with faults; objects are addressed by paths. */
final class S3Server implements AutoCloseable {

    private static final Pattern KEY = Pattern.compile("<Key>(.*?)</Key>");

    private final HttpServer server;
    /** The objects by {@code bucket/key}. */
    final Map<String, byte[]> objects = new ConcurrentSkipListMap<>();
    /** The requests so far, those that failed included. */
    final List<Call> calls = new CopyOnWriteArrayList<>();

    private volatile Fault fault = call -> null;
    private volatile @Nullable CountDownLatch halfway;

    S3Server() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        server.createContext("/", this::handle);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.start();
    }

    /**
     * A request.
     *
     * @param objects the keys that it names, with their bucket
     */
    record Call(String method, List<String> objects) {

        boolean isPut() {
            return method.equals("PUT");
        }

        boolean isGet() {
            return method.equals("GET");
        }

        boolean isDelete() {
            return isDeleteTogether() || isDeleteAlone();
        }

        /** A delete of several objects. */
        boolean isDeleteTogether() {
            return method.equals("POST");
        }

        boolean isDeleteAlone() {
            return method.equals("DELETE");
        }
    }

    /** The error of a response. */
    record Failure(int status, String code) {

        static final Failure UNAVAILABLE = new Failure(503, "ServiceUnavailable");
        static final Failure DENIED = new Failure(403, "AccessDenied");
    }

    /** Decides which requests fail; may block. */
    @FunctionalInterface
    interface Fault {
        @Nullable
        Failure of(Call call) throws InterruptedException;
    }

    URI endpoint() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    /** From now on, some requests fail or wait. */
    void with(Fault next) {
        fault = next;
    }

    /** From now on, these requests fail. */
    void fail(Predicate<Call> which, Failure failure) {
        with(call -> which.test(call) ? failure : null);
    }

    /** From now on, responses with objects stop after their first half, and go on when the latch is open. */
    void stopHalfway(CountDownLatch rest) {
        halfway = rest;
    }

    /** From now on, nothing fails. */
    void recover() {
        halfway = null;
        with(call -> null);
    }

    long count(Predicate<Call> which) {
        return calls.stream().filter(which).count();
    }

    @Override
    public void close() {
        server.stop(0);
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            byte[] content = content(exchange);
            String path = exchange.getRequestURI().getPath().substring(1);
            String query = exchange.getRequestURI().getQuery();
            boolean batch = exchange.getRequestMethod().equals("POST") && query != null && query.startsWith("delete");
            String bucket = path.replaceFirst("/.*", "");
            List<String> named = batch
                    ? KEY.matcher(new String(content, StandardCharsets.UTF_8))
                            .results()
                            .map(found -> bucket + "/" + found.group(1))
                            .toList()
                    : List.of(path);
            Call call = new Call(exchange.getRequestMethod(), named);
            calls.add(call);
            Failure failure = fault.of(call);
            if (failure != null) {
                error(exchange, failure);
            } else {
                respond(exchange, call, content);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void respond(HttpExchange exchange, Call call, byte[] content) throws IOException, InterruptedException {
        String name = call.objects().isEmpty() ? "" : call.objects().getFirst();
        switch (call.method()) {
            case "PUT" -> {
                if (name.contains("/")) {
                    objects.put(name, content);
                }
                exchange.getResponseHeaders().add("ETag", "\"1\"");
                send(exchange, 200, new byte[0]);
            }
            case "GET" -> {
                if (!name.contains("/")) {
                    list(exchange, name);
                    return;
                }
                byte[] found = objects.get(name);
                if (found == null) {
                    error(exchange, new Failure(404, "NoSuchKey"));
                } else {
                    exchange.getResponseHeaders().add("ETag", "\"1\"");
                    sendObject(exchange, found);
                }
            }
            case "DELETE" -> {
                objects.remove(name);
                send(exchange, 204, new byte[0]);
            }
            default -> {
                if (!isXml(content)) {
                    error(exchange, new Failure(400, "MalformedXML"));
                    return;
                }
                call.objects().forEach(objects::remove);
                send(exchange, 200, "<DeleteResult/>".getBytes(StandardCharsets.UTF_8));
            }
        }
    }

    /** XML 1.0 has no other control characters. */
    private static boolean isXml(byte[] content) {
        for (byte each : content) {
            if (each >= 0 && each < 0x20 && each != '\t' && each != '\n' && each != '\r') {
                return false;
            }
        }
        return true;
    }

    private void sendObject(HttpExchange exchange, byte[] content) throws IOException, InterruptedException {
        CountDownLatch rest = halfway;
        if (rest == null) {
            send(exchange, 200, content);
            return;
        }
        exchange.sendResponseHeaders(200, content.length);
        int half = content.length / 2;
        exchange.getResponseBody().write(content, 0, half);
        exchange.getResponseBody().flush();
        rest.await();
        exchange.getResponseBody().write(content, half, content.length - half);
    }

    private void list(HttpExchange exchange, String bucket) throws IOException {
        String keys = objects.keySet().stream()
                .filter(name -> name.startsWith(bucket + "/"))
                .map(name -> "<Contents><Key>" + name.substring(bucket.length() + 1) + "</Key></Contents>")
                .collect(Collectors.joining());
        send(exchange, 200, ("<ListBucketResult>" + keys + "</ListBucketResult>").getBytes(StandardCharsets.UTF_8));
    }

    private static void error(HttpExchange exchange, Failure failure) throws IOException {
        if (failure.status() == 301) {
            exchange.getResponseHeaders().add("x-amz-bucket-region", "eu-west-1");
        }
        exchange.getResponseHeaders().add("Content-Type", "application/xml");
        String text = "<Error><Code>" + failure.code() + "</Code><Message>as asked by the test</Message></Error>";
        send(exchange, failure.status(), text.getBytes(StandardCharsets.UTF_8));
    }

    private static void send(HttpExchange exchange, int status, byte[] content) throws IOException {
        exchange.sendResponseHeaders(status, content.length == 0 ? -1 : content.length);
        if (content.length > 0) {
            exchange.getResponseBody().write(content);
        }
    }

    /** Returns the content of a request, which the SDK may send in chunks with signatures and a trailer. */
    private static byte[] content(HttpExchange exchange) throws IOException {
        byte[] sent = exchange.getRequestBody().readAllBytes();
        String digest = exchange.getRequestHeaders().getFirst("x-amz-content-sha256");
        return digest != null && digest.startsWith("STREAMING-") ? withoutChunks(sent) : sent;
    }

    private static byte[] withoutChunks(byte[] sent) throws IOException {
        InputStream in = new ByteArrayInputStream(sent);
        ByteArrayOutputStream content = new ByteArrayOutputStream(sent.length);
        while (true) {
            int size = Integer.parseInt(line(in).replaceFirst(";.*", ""), 16);
            if (size == 0) {
                return content.toByteArray();
            }
            content.write(in.readNBytes(size));
            line(in);
        }
    }

    private static String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = in.read(); c != '\n'; c = in.read()) {
            if (c < 0) {
                throw new EOFException();
            }
            line.append((char) c);
        }
        return line.toString().strip();
    }
}
