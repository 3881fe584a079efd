/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.s3;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.internal.send.BatchSqsTemplate;
import io.github.batchsqs.pull.ReceiveRequest;
import io.github.batchsqs.s3.S3Server.Call;
import io.github.batchsqs.testkit.Progress;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Receives of the template, of messages whose payloads are in S3; over HTTP, with ElasticMQ and {@link S3Server}. */
class StoredReceivesTests {

    private static final String LARGE = "x".repeat(1_200_000);

    private final S3Server s3 = new S3Server();

    @AfterEach
    void close() {
        s3.close();
    }

    private ApplicationContextRunner application() {
        return Applications.local(Queues.ENDPOINT, s3.endpoint());
    }

    @Test
    void theCallerGetsThePayloadAndItsAcknowledgementDeletesTheObject() {
        String queue = Queues.SQS.standard();
        application().run(context -> {
            var template = context.getBean(BatchSqsTemplate.class);
            template.sendAndWait(queue, LARGE);
            var message =
                    template.receive(ReceiveRequest.of(queue, String.class)).getFirst();

            assertThat(s3.count(Call::isGet)).isZero();
            assertThat(message.payload()).isEqualTo(LARGE);
            assertThat(message.body()).isEqualTo(LARGE);
            assertThat(message.attributes()).isEmpty();
            assertThat(s3.objects).hasSize(1);
            Progress.get(message.acknowledge());
            Progress.until(s3.objects::isEmpty);
        });
        assertThat(Queues.SQS.size(queue)).isZero();
    }

    @Test
    void aReleasedMessageKeepsItsObject() {
        String queue = Queues.SQS.standard();
        application().run(context -> {
            var template = context.getBean(BatchSqsTemplate.class);
            template.sendAndWait(queue, LARGE);
            Progress.get(
                    template.receive(ReceiveRequest.of(queue, String.class)).release());
        });
        assertThat(s3.objects).hasSize(1);
        assertThat(s3.count(Call::isDelete)).isZero();
        assertThat(Queues.SQS.size(queue)).isEqualTo(1);
    }
}
