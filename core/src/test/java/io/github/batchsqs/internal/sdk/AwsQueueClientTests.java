/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.sdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.github.batchsqs.client.Queue;
import io.github.batchsqs.client.QueueCallException;
import io.github.batchsqs.internal.client.QueueClient;
import io.github.batchsqs.internal.client.QueueClientTests;
import io.github.batchsqs.internal.client.SendEntry;
import io.github.batchsqs.testkit.StubSqs;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.sqs.SqsClient;

class AwsQueueClientTests extends QueueClientTests {

    @Override
    protected QueueClient client(SqsClient sqs) {
        return new AwsQueueClient(sqs);
    }

    @Test
    void doesNotRepeatACallOfAClosedClient() {
        try (StubSqs stub = new StubSqs()) {
            SqsClient closed = stub.newClient();
            closed.close();
            QueueCallException failure = catchThrowableOfType(
                    QueueCallException.class,
                    () -> client(closed).delete(new Queue("orders", stub.endpoint() + "/0/orders"), List.of("h")));
            assertThat(failure.retryable()).isFalse();
            assertThat(failure.code()).isEqualTo("ClientClosed");
        }
    }

    @Test
    void doesNotRepeatASendWhoseDigestsTheSdkRefused() {
        try (StubSqs stub = new StubSqs();
                SqsClient sqs = stub.newClient()) {
            stub.respond(request -> StubSqs.Response.ok(
                    "{\"Successful\":[{\"Id\":\"0\",\"MessageId\":\"m\",\"MD5OfMessageBody\":\"0\"}]}"));
            QueueCallException failure = catchThrowableOfType(
                    QueueCallException.class,
                    () -> client(sqs)
                            .send(
                                    new Queue("orders", stub.endpoint() + "/0/orders"),
                                    List.of(new SendEntry("a", Map.of(), null, null, null))));
            assertThat(failure.code()).isEqualTo("DigestMismatch");
            assertThat(failure.retryable()).isFalse();
        }
    }
}
