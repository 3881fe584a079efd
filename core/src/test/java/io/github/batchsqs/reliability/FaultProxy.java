/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.reliability;

import io.github.batchsqs.reliability.Scenario.Fate;
import io.github.batchsqs.testkit.ConnectionServer;
import io.github.batchsqs.testkit.ScriptedHttpServer.Request;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * Stands between an SQS client and a real server and does to its calls what networks and services do. Plain HTTP/1.1 and the
 * AWS JSON protocol; one virtual thread for each connection.
 */
final class FaultProxy implements AutoCloseable {

    private static final String THROTTLED =
            "{\"__type\":\"com.amazonaws.sqs#RequestThrottled\",\"message\":\"by a test's wish\"}";
    private static final String FAILED =
            "{\"__type\":\"com.amazonaws.sqs#InternalError\",\"message\":\"by a test's wish\"}";
    private static final long MOST_LATENCY_MILLIS = 500;

    /** What lies between this and the client's read timeout is for the way there and back. */
    private static final long LATE_NANOS = Traffic.READ_TIMEOUT.minusSeconds(1).toNanos();

    private final URI server;
    private final Scenario scenario;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .executor(threads)
            .build();
    private final ConnectionServer connections;

    FaultProxy(URI server, Scenario scenario) {
        this.server = server;
        this.scenario = scenario;
        this.connections = new ConnectionServer(this::serve);
    }

    /** What the client takes for SQS. */
    URI endpoint() {
        return URI.create("http://127.0.0.1:" + connections.port());
    }

    @Override
    public void close() {
        connections.close();
        threads.shutdownNow();
        client.shutdownNow();
    }

    private void serve(Socket socket) throws IOException {
        InputStream in = new BufferedInputStream(socket.getInputStream());
        OutputStream out = new BufferedOutputStream(socket.getOutputStream());
        try {
            Request call = Request.read(in, out);
            while (call != null && answer(call, scenario.next(call.operation()), socket, out)) {
                call = Request.read(in, out);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns whether the connection lives on. */
    private boolean answer(Request call, Fate fate, Socket socket, OutputStream out)
            throws IOException, InterruptedException {
        Fault fault = fate.fault();
        if (fault == null || !applies(fault, call)) {
            return write(out, pass(call));
        }
        return switch (fault) {
            case LATENCY -> {
                LockSupport.parkNanos(
                        TimeUnit.MILLISECONDS.toNanos(fate.random().nextLong(MOST_LATENCY_MILLIS)));
                yield write(out, counted(fault, call, pass(call)));
            }
            case RESET_BEFORE -> reset(fault, call, socket);
            case RESET_AFTER -> {
                var ignored = pass(call);
                yield reset(fault, call, socket);
            }
            case SERVER_ERROR -> write(out, counted(fault, call, new Answer(500, bytes(FAILED))));
            case THROTTLE -> write(out, counted(fault, call, new Answer(400, bytes(THROTTLED))));
            case TRUNCATED -> {
                write(out, counted(fault, call, pass(call)), 2);
                yield false;
            }
            case GARBLED -> {
                Answer answer = counted(fault, call, pass(call));
                byte[] noise = new byte[answer.body().length];
                fate.random().nextBytes(noise);
                yield write(out, new Answer(answer.status(), noise));
            }
            case HALF_OPEN_BEFORE -> silent(fault, call, socket);
            case HALF_OPEN_AFTER -> {
                var ignored = pass(call);
                yield silent(fault, call, socket);
            }
            case PARTIAL_BEFORE, PARTIAL_AFTER, STALE_HANDLE -> write(out, partly(fault, call, fate));
            case DUPLICATE -> write(out, doubled(call, fate));
        };
    }

    private static boolean applies(Fault fault, Request call) {
        String operation = call.operation();
        return switch (fault) {
            case PARTIAL_BEFORE, PARTIAL_AFTER -> operation.endsWith("Batch");
            case STALE_HANDLE -> operation.endsWith("Batch") && !operation.equals("SendMessageBatch");
            case DUPLICATE -> operation.equals("ReceiveMessage");
            default -> true;
        };
    }

    private Answer partly(Fault fault, Request call, Fate fate) throws IOException, InterruptedException {
        Set<String> ids = BatchRewrite.some(call.body(), fate.random());
        scenario.happened(fault, call.operation(), ids.size());
        Answer answer = fault == Fault.PARTIAL_AFTER ? pass(call) : passWithout(call, ids);
        if (answer.status() != 200) {
            return answer;
        }
        boolean stale = fault == Fault.STALE_HANDLE;
        boolean fifo = new String(call.body(), StandardCharsets.UTF_8).contains(".fifo\"");
        return new Answer(
                200,
                stale && !fifo
                        ? BatchRewrite.accepted(answer.body(), ids)
                        : BatchRewrite.refused(
                                answer.body(), ids, stale ? "ReceiptHandleIsInvalid" : "InternalError", stale));
    }

    private Answer passWithout(Request call, Set<String> ids) throws IOException, InterruptedException {
        return ids.size() == BatchRewrite.entries(call.body())
                ? new Answer(200, BatchRewrite.empty())
                : pass(new Request(call.headers(), BatchRewrite.without(call.body(), ids)));
    }

    private Answer doubled(Request call, Fate fate) throws IOException, InterruptedException {
        Answer answer = pass(call);
        byte[] doubled = BatchRewrite.twice(answer.body(), fate.random());
        if (doubled.length > answer.body().length) {
            scenario.happened(Fault.DUPLICATE, call.operation(), 1);
        }
        return new Answer(answer.status(), doubled);
    }

    /** What the server says. */
    private Answer pass(Request call) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(server)
                .headers(handedOn(call))
                .POST(HttpRequest.BodyPublishers.ofByteArray(call.body()))
                .build();
        long began = System.nanoTime();
        HttpResponse<byte[]> response = client.send(request, HttpResponse.BodyHandlers.ofByteArray());
        if (System.nanoTime() - began > LATE_NANOS) {
            scenario.late(call.operation());
        }
        return new Answer(response.statusCode(), response.body());
    }

    /** The headers to hand on, each name before its value. */
    private static String[] handedOn(Request call) {
        return call.headers().entrySet().stream()
                .filter(each -> each.getKey().matches("x-amz-.*|content-type|authorization"))
                .flatMap(each -> Stream.of(each.getKey(), each.getValue()))
                .toArray(String[]::new);
    }

    private Answer counted(Fault fault, Request call, Answer answer) {
        scenario.happened(fault, call.operation(), 1);
        return answer;
    }

    private boolean reset(Fault fault, Request call, Socket socket) throws IOException {
        scenario.happened(fault, call.operation(), 1);
        socket.setSoLinger(true, 0);
        return false;
    }

    /** Until the client gives up. */
    private boolean silent(Fault fault, Request call, Socket socket) throws IOException {
        scenario.happened(fault, call.operation(), 1);
        int ignored = socket.getInputStream().read();
        return false;
    }

    private static boolean write(OutputStream out, Answer answer) throws IOException {
        write(out, answer, 1);
        return true;
    }

    /** Writes one part in so many of what the header announces. */
    private static void write(OutputStream out, Answer answer, int parts) throws IOException {
        out.write(bytes("HTTP/1.1 " + answer.status() + " Answer\r\nContent-Type: application/x-amz-json-1.0\r\n"
                + "Content-Length: " + answer.body().length + "\r\n\r\n"));
        out.write(answer.body(), 0, answer.body().length / parts);
        out.flush();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** Nobody compares answers or keeps them. */
    @SuppressWarnings("ArrayRecordComponent")
    private record Answer(int status, byte[] body) {}
}
