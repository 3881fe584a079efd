/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.sdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.batchsqs.client.Queue;
import io.github.batchsqs.client.QueueCallException;
import io.github.batchsqs.testkit.ElasticMqServer;
import io.github.batchsqs.testkit.Progress;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;

/** The way out of the dead-letter queue, on a real server. */
@Execution(ExecutionMode.CONCURRENT)
class AwsDeadLetterRedriveServerTests {

    private static final ElasticMqServer SERVER = ElasticMqServer.shared();

    private final SqsClient sqs = SERVER.client();
    private final DeadLetterRedrive redrive = new AwsDeadLetterRedrive(sqs);
    private final Queue dead = SERVER.createQueue(Map.of());
    private final Queue source = SERVER.createQueue(Map.of(
            QueueAttributeName.REDRIVE_POLICY,
            "{\"deadLetterTargetArn\":\"%s\",\"maxReceiveCount\":\"3\"}".formatted(arn(dead))));

    @Test
    void messagesGoBackToTheQueueThatIsNamed() throws Exception {
        for (int i = 0; i < 20; i++) {
            String body = "m" + i;
            sqs.sendMessage(request -> request.queueUrl(dead.url()).messageBody(body));
        }
        assertThat(redrive.sources(dead)).containsExactly(source.name());

        redrive.start(dead, source, null);

        Progress.until(() -> SERVER.size(source), 20);
        Progress.until(() -> SERVER.size(dead), 0);
        Progress.untilAsserted(() -> assertThat(redrive.tasks(dead))
                .singleElement()
                .satisfies(task -> {
                    assertThat(task.status()).isEqualTo("COMPLETED");
                    assertThat(task.running()).isFalse();
                    assertThat(task.moved()).isEqualTo(20);
                }));
    }

    @Test
    void aTaskThatRunsShowsItsProgressAndCanBeCancelled() throws Exception {
        for (int i = 0; i < 20; i++) {
            String body = "m" + i;
            sqs.sendMessage(request -> request.queueUrl(dead.url()).messageBody(body));
        }

        redrive.start(dead, source, 1);

        RedriveTask running = redrive.tasks(dead).getFirst();
        assertThat(running.status()).isEqualTo("RUNNING");
        assertThat(running.moved()).isLessThan(20);
        assertThatThrownBy(() -> redrive.start(dead, source, 1)).isInstanceOf(QueueCallException.class);

        redrive.cancel(dead, String.valueOf(running.handle()));

        Progress.until(this::cancelled);
        Progress.until(() -> SERVER.size(source) + SERVER.size(dead), 20);
        assertThat(SERVER.size(dead)).isPositive();
    }

    /** ElasticMQ forgets a task that was cancelled. */
    private boolean cancelled() throws InterruptedException {
        List<RedriveTask> tasks = redrive.tasks(dead);
        return SERVER.elasticMq() ? tasks.isEmpty() : tasks.getFirst().status().equals("CANCELLED");
    }

    private String arn(Queue queue) {
        return sqs.getQueueAttributes(
                        request -> request.queueUrl(queue.url()).attributeNames(QueueAttributeName.QUEUE_ARN))
                .attributes()
                .getOrDefault(QueueAttributeName.QUEUE_ARN, "");
    }
}
