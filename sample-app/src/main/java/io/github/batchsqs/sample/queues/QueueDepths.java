/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.sample.queues;

import static software.amazon.awssdk.services.sqs.model.QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES;

import io.github.batchsqs.client.Queue;
import io.github.batchsqs.client.QueueAttributes.RedrivePolicy;
import io.github.batchsqs.client.QueueResolver;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.stereotype.Component;
import software.amazon.awssdk.services.sqs.SqsClient;

/** How many messages queues hold, as SQS says, about. Blocks for one or more round trips. */
@Component
public class QueueDepths {

    private final SqsClient sqs;
    private final QueueResolver resolver;
    private final Map<String, Found> found = new ConcurrentHashMap<>();

    /** A queue, and its dead-letter queue if it has one. */
    private record Found(Queue queue, @Nullable Queue deadLetters) {}

    /**
     * What there is in a queue that nobody has received yet, and in its dead-letter queue.
     *
     * @param deadLetters {@code null} if the queue has no dead-letter queue
     */
    public record Depth(int waiting, @Nullable Integer deadLetters) {}

    QueueDepths(@Qualifier("batchSqsClient") SqsClient sqs, QueueResolver resolver) {
        this.sqs = sqs;
        this.resolver = resolver;
    }

    /** Asks for a queue and its dead-letter queue. */
    public Depth of(String queue) throws InterruptedException {
        Found both = found.get(queue);
        if (both == null) {
            both = find(queue);
            found.put(queue, both);
        }
        Queue deadLetters = both.deadLetters();
        return new Depth(ask(both.queue()), deadLetters == null ? null : ask(deadLetters));
    }

    /** Asks for one queue. */
    int ask(Queue queue) {
        return Integer.parseInt(sqs.getQueueAttributes(
                        request -> request.queueUrl(queue.url()).attributeNames(APPROXIMATE_NUMBER_OF_MESSAGES))
                .attributes()
                .getOrDefault(APPROXIMATE_NUMBER_OF_MESSAGES, "0"));
    }

    private Found find(String name) throws InterruptedException {
        Queue queue = resolver.resolve(name);
        RedrivePolicy policy = resolver.attributes(queue).redrive();
        return new Found(queue, policy == null ? null : resolver.resolve(policy.deadLetterQueue()));
    }
}
