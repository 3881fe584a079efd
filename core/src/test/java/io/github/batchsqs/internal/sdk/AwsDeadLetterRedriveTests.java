/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.sdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.github.batchsqs.client.Queue;
import io.github.batchsqs.client.QueueCallException;
import io.github.batchsqs.testkit.StubSqs;
import io.github.batchsqs.testkit.StubSqs.Request;
import io.github.batchsqs.testkit.StubSqs.Response;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.sqs.SqsClient;

class AwsDeadLetterRedriveTests {

    @AutoClose
    private final StubSqs stub = new StubSqs();

    @AutoClose
    private final SqsClient sdk = stub.newClient();

    private final AwsDeadLetterRedrive redrive = new AwsDeadLetterRedrive(sdk);
    private final Queue dead = new Queue("dead", stub.endpoint() + "/000000000000/dead");
    private final Queue orders = new Queue("orders", stub.endpoint() + "/000000000000/orders");

    @Test
    void startsATaskByTheArnsOfTheQueues() throws Exception {
        stub.respond(AwsDeadLetterRedriveTests::response);
        assertThat(redrive.start(dead, orders, 50)).isEqualTo("h1");
        assertThat(body("StartMessageMoveTask"))
                .contains(
                        "\"SourceArn\":\"arn:dead\"",
                        "\"DestinationArn\":\"arn:orders\"",
                        "\"MaxNumberOfMessagesPerSecond\":50");
    }

    @Test
    void leavesOutWhatIsLeftToSqs() throws Exception {
        stub.respond(AwsDeadLetterRedriveTests::response);
        Object unused = redrive.start(dead, null, null);
        assertThat(body("StartMessageMoveTask")).isEqualTo("{\"SourceArn\":\"arn:dead\"}");
    }

    @Test
    void namesTheQueuesThatTheDeadLetterQueueServes() throws Exception {
        stub.respond(AwsDeadLetterRedriveTests::response);
        assertThat(redrive.sources(dead)).containsExactly("orders", "returns");
    }

    @Test
    void saysWhichCallSqsRefused() {
        stub.respond(request -> request.operation().equals("GetQueueAttributes")
                ? response(request)
                : Response.error(400, "UnsupportedOperation"));
        var failure = catchThrowableOfType(QueueCallException.class, () -> redrive.start(dead, null, null));
        assertThat(failure)
                .returns("StartMessageMoveTask", QueueCallException::operation)
                .returns("UnsupportedOperation", QueueCallException::code)
                .hasMessageContaining("'dead'");
    }

    private String body(String operation) {
        return stub.requests().stream()
                .filter(request -> request.operation().equals(operation))
                .findFirst()
                .orElseThrow()
                .body();
    }

    private static Response response(Request request) {
        return switch (request.operation()) {
            case "GetQueueAttributes" ->
                Response.ok("{\"Attributes\":{\"QueueArn\":\"arn:"
                        + (request.body().contains("/dead") ? "dead" : "orders") + "\"}}");
            case "ListDeadLetterSourceQueues" ->
                Response.ok("{\"queueUrls\":[\"http://h/0/orders\",\"http://h/0/returns\"]}");
            case "StartMessageMoveTask" -> Response.ok("{\"TaskHandle\":\"h1\"}");
            default -> Response.error(400, "InvalidAction");
        };
    }
}
