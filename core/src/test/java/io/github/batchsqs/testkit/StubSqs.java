/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.testkit;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
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

    private final ScriptedHttpServer server = new ScriptedHttpServer(this::response);
    private final List<Request> requests = new CopyOnWriteArrayList<>();
    private volatile Function<Request, Response> responses = request -> Response.error(500, "InternalError");

    /** The responses to requests from now on; the function may block. */
    public void respond(Function<Request, Response> newResponses) {
        responses = newResponses;
    }

    /** The requests that came so far, the SDK's retries included. */
    public List<Request> requests() {
        return requests;
    }

    public URI endpoint() {
        return server.endpoint();
    }

    /** A client of this stub that does not retry by itself; the caller closes it. */
    public SqsClient newClient() {
        return ElasticMqServer.newClient(endpoint(), Region.US_EAST_1, AwsRetryStrategy.doNotRetry());
    }

    @Override
    public void close() {
        server.close();
    }

    private ScriptedHttpServer.Response response(ScriptedHttpServer.Request call) {
        String signature = String.valueOf(call.headers().get("authorization"));
        Request request = new Request(
                call.operation(),
                new String(call.body(), StandardCharsets.UTF_8),
                signature.replaceFirst(".*Credential=", "").replaceFirst("/.*", ""));
        requests.add(request);
        Response response = responses.apply(request);
        if (response.status() == 0) {
            return new ScriptedHttpServer.Response(new byte[0], true);
        }
        List<String> headers = new ArrayList<>(List.of(
                "Content-Type: application/x-amz-json-1.0",
                "Date: " + DateTimeFormatter.RFC_1123_DATE_TIME.format(ZonedDateTime.now(ZoneOffset.UTC))));
        if (!response.queryError().isEmpty()) {
            headers.add("x-amzn-query-error: " + response.queryError());
        }
        return ScriptedHttpServer.Response.of(
                response.status(), headers, response.body().getBytes(StandardCharsets.UTF_8));
    }
}
