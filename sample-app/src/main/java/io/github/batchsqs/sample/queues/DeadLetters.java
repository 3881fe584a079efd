/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.sample.queues;

import io.github.batchsqs.client.Queue;
import io.github.batchsqs.client.QueueAttributes.RedrivePolicy;
import io.github.batchsqs.client.QueueResolver;
import io.github.batchsqs.sample.settings.SampleProperties;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.stereotype.Component;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;

/** The failed orders. Every method blocks for some round trips. */
@Component
public class DeadLetters {

    private final QueueResolver resolver;
    private final SqsClient sqs;
    private final QueueDepths depths;
    private final String queue;

    DeadLetters(
            QueueResolver resolver,
            @Qualifier("batchSqsClient") SqsClient sqs,
            QueueDepths depths,
            SampleProperties properties) {
        this.resolver = resolver;
        this.sqs = sqs;
        this.depths = depths;
        this.queue = properties.queues().orders();
    }

    /** How many there are, about. */
    public int count() throws InterruptedException {
        Queue deadLetters = queue();
        return deadLetters == null ? 0 : depths.ask(deadLetters);
    }

    /** Starts a task of SQS that moves them back to the queue of orders. */
    public void redrive() throws InterruptedException {
        Queue deadLetters = queue();
        if (deadLetters != null) {
            String destination = arn(resolver.resolve(queue));
            var unused = sqs.startMessageMoveTask(
                    task -> task.sourceArn(arn(deadLetters)).destinationArn(destination));
        }
    }

    private String arn(Queue of) {
        return Objects.requireNonNull(sqs.getQueueAttributes(
                        request -> request.queueUrl(of.url()).attributeNames(QueueAttributeName.QUEUE_ARN))
                .attributes()
                .get(QueueAttributeName.QUEUE_ARN));
    }

    private @Nullable Queue queue() throws InterruptedException {
        RedrivePolicy policy = resolver.attributes(resolver.resolve(queue)).redrive();
        return policy == null ? null : resolver.resolve(policy.deadLetterQueue());
    }
}
