/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.test;

import static software.amazon.awssdk.services.sqs.model.QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES;
import static software.amazon.awssdk.services.sqs.model.QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES_DELAYED;
import static software.amazon.awssdk.services.sqs.model.QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES_NOT_VISIBLE;

import io.github.batchsqs.client.QueueResolver;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.Message;

/**
 * What is in the queues, for tests. Queues are given by name, URL or ARN, and must exist.
 *
 * <p>The numbers are exact on the embedded server and on LocalStack; SQS itself calls them approximate.
 */
public final class TestQueues {

    private static final int MOST = 10;

    private final SqsClient sqs;
    private final QueueResolver resolver;

    TestQueues(SqsClient sqs, QueueResolver resolver) {
        this.sqs = sqs;
        this.resolver = resolver;
    }

    /**
     * Whether everything that was sent to the queue is done: nothing is visible, in flight, or delayed. Made for
     * Awaitility: {@code await().until(queues.drained("orders"))}. A message that was not accepted yet does not count, so wait
     * for {@code sendAll} or for the future of {@code send} first.
     */
    public Callable<Boolean> drained(String queue) {
        return () -> size(queue) == 0;
    }

    /** How many messages the queue holds, whether visible, in flight or delayed. */
    public int size(String queue) throws InterruptedException {
        String url = url(queue);
        return sqs
                .getQueueAttributes(request -> request.queueUrl(url)
                        .attributeNames(
                                APPROXIMATE_NUMBER_OF_MESSAGES,
                                APPROXIMATE_NUMBER_OF_MESSAGES_NOT_VISIBLE,
                                APPROXIMATE_NUMBER_OF_MESSAGES_DELAYED))
                .attributes()
                .values()
                .stream()
                .mapToInt(Integer::parseInt)
                .sum();
    }

    /** Receives and deletes what is visible now, and returns the bodies. For queues without a listener, dead-letter queues say. */
    public List<String> takeAll(String queue) throws InterruptedException {
        String url = url(queue);
        var bodies = new ArrayList<String>();
        while (true) {
            List<Message> received = sqs.receiveMessage(
                            request -> request.queueUrl(url).maxNumberOfMessages(MOST))
                    .messages();
            if (received.isEmpty()) {
                return bodies;
            }
            for (Message message : received) {
                bodies.add(message.body());
                sqs.deleteMessage(request -> request.queueUrl(url).receiptHandle(message.receiptHandle()));
            }
        }
    }

    /** Removes all messages, those in flight too. */
    public void purge(String queue) throws InterruptedException {
        String url = url(queue);
        sqs.purgeQueue(request -> request.queueUrl(url));
    }

    private String url(String queue) throws InterruptedException {
        return resolver.resolve(queue).url();
    }
}
