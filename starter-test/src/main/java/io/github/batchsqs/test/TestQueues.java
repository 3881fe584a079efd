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

    private static final int MAX = 10;

    private final SqsClient sqs;
    private final QueueResolver resolver;

    TestQueues(SqsClient sqs, QueueResolver resolver) {
        this.sqs = sqs;
        this.resolver = resolver;
    }

    /**
     * Returns a check whether every message that was sent to the queue is done: no message is visible, in flight, or
     * delayed. It is made for Awaitility: {@code await().until(queues.drained("orders"))}. A message that SQS has not
     * accepted yet does not count, so first wait for {@code sendAll} or for the future of {@code send}.
     *
     * @param queue the queue's name, URL or ARN
     * @return the check; each call asks SQS
     */
    public Callable<Boolean> drained(String queue) {
        return () -> size(queue) == 0;
    }

    /**
     * Counts the messages of the queue, whether visible, in flight or delayed.
     *
     * @param queue the queue's name, URL or ARN
     * @return the approximate number that SQS reports
     * @throws InterruptedException if the calling thread is interrupted
     */
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

    /**
     * Receives and deletes the messages that are visible now. Meant for queues without a listener, for example
     * dead-letter queues.
     *
     * @param queue the queue's name, URL or ARN
     * @return the bodies, in the order of receipt
     * @throws InterruptedException if the calling thread is interrupted
     */
    public List<String> takeAll(String queue) throws InterruptedException {
        String url = url(queue);
        var bodies = new ArrayList<String>();
        while (true) {
            List<Message> received = sqs.receiveMessage(
                            request -> request.queueUrl(url).maxNumberOfMessages(MAX))
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

    /**
     * Removes all messages, including those in flight.
     *
     * @param queue the queue's name, URL or ARN
     * @throws InterruptedException if the calling thread is interrupted
     */
    public void purge(String queue) throws InterruptedException {
        String url = url(queue);
        sqs.purgeQueue(request -> request.queueUrl(url));
    }

    private String url(String queue) throws InterruptedException {
        return resolver.resolve(queue).url();
    }
}
