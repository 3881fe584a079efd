/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.testkit;

import io.github.batchsqs.testkit.StubSqs.Request;
import io.github.batchsqs.testkit.StubSqs.Response;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.sqs.SqsClient;

/** An endpoint in front of the shared server, that refuses what a test wants refused and hands on the rest. */
public final class Relay implements AutoCloseable {

    private final ElasticMqServer server = ElasticMqServer.shared();
    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final StubSqs stub = new StubSqs();
    private volatile Function<Request, @Nullable Response> refusals = request -> null;

    public Relay() {
        stub.respond(this::response);
    }

    /** Answers these operations with an error from now on, and no others. */
    public void refuse(int status, String code, String... operations) {
        List<String> refused = List.of(operations);
        refuse(request -> refused.contains(request.operation()) ? Response.error(status, code) : null);
    }

    /** Answers thus from now on; what gets {@code null} is handed on. */
    public void refuse(Function<Request, @Nullable Response> newRefusals) {
        refusals = newRefusals;
    }

    /** Hands everything on from now on. */
    public void relent() {
        refusals = request -> null;
    }

    public URI endpoint() {
        return stub.endpoint();
    }

    /** A client that does not retry by itself; the caller closes it. */
    public SqsClient newClient() {
        return stub.newClient();
    }

    @Override
    public void close() {
        stub.close();
        http.shutdownNow();
    }

    private Response response(Request request) {
        Response refusal = refusals.apply(request);
        if (refusal != null) {
            return refusal;
        }
        try {
            HttpResponse<String> response = http.send(
                    HttpRequest.newBuilder(server.endpoint())
                            .header("X-Amz-Target", "AmazonSQS." + request.operation())
                            .header("Content-Type", "application/x-amz-json-1.0")
                            .POST(HttpRequest.BodyPublishers.ofString(request.body()))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
            return new Response(response.statusCode(), response.body(), "");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Response.cut();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
