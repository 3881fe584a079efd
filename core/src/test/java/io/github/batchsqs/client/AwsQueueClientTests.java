/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.github.batchsqs.testkit.StubSqs;
import java.util.List;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.sqs.SqsClient;

class AwsQueueClientTests extends QueueClientTests {

    @Override
    QueueClient client(SqsClient sqs) {
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
}
