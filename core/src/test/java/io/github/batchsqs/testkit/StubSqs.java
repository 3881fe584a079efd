/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.testkit;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.sqs.SqsClient;

/** An HTTP server that responds in SQS's JSON protocol with whatever a test wants, for responses that no real server gives. */
public final class StubSqs implements AutoCloseable {

    /** A request: its operation, for example {@code SendMessageBatch}, its JSON, and the access key that signed it. */
    public record Request(String operation, String body, String accessKey) {}

    /**
     * A response.
     *
     * @param status 0 cuts the connection instead
     * @param queryError the code that SQS gives in the {@code x-amzn-query-error} header; empty for none
     */
    public record Response(int status, String body, String queryError) {

        public static Response ok(String json) {
            return new Response(200, json, "");
        }

        /** An error in the JSON protocol; SQS repeats the code, in its older spelling, in a header. */
        public static Response error(int status, String code, String queryError) {
            return new Response(
                    status,
                    "{\"__type\":\"com.amazonaws.sqs#" + code + "\",\"message\":\"told by the stub\"}",
                    queryError);
        }

        public static Response error(int status, String code) {
            return error(status, code, "");
        }

        public static Response cut() {
            return new Response(0, "", "");
        }
    }

    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final List<Request> requests = new CopyOnWriteArrayList<>();
    private volatile Function<Request, Response> responses = request -> Response.error(500, "InternalError");

    public StubSqs() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.setExecutor(threads);
        server.createContext("/", this::handle);
        server.start();
    }

    /** The responses to requests from now on; the function may block. */
    public void respond(Function<Request, Response> newResponses) {
        responses = newResponses;
    }

    /** The requests that came so far, the SDK's retries included. */
    public List<Request> requests() {
        return requests;
    }

    public URI endpoint() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    /** A client of this stub that does not retry by itself; the caller closes it. */
    public SqsClient newClient() {
        return ElasticMqServer.newClient(endpoint(), Region.US_EAST_1, AwsRetryStrategy.doNotRetry());
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }

    private void handle(HttpExchange exchange) throws IOException {
        String target = exchange.getRequestHeaders().getFirst("X-Amz-Target");
        String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        String signature = String.valueOf(exchange.getRequestHeaders().getFirst("Authorization"));
        Request request = new Request(
                target.substring(target.indexOf('.') + 1),
                body,
                signature.replaceFirst(".*Credential=", "").replaceFirst("/.*", ""));
        requests.add(request);
        Response response = responses.apply(request);
        if (response.status() != 0) {
            byte[] bytes = response.body().getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().add("Content-Type", "application/x-amz-json-1.0");
            if (!response.queryError().isEmpty()) {
                exchange.getResponseHeaders().add("x-amzn-query-error", response.queryError());
            }
            exchange.sendResponseHeaders(response.status(), bytes.length);
            exchange.getResponseBody().write(bytes);
        }
        exchange.close();
    }
}
