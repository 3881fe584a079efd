/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.client;

/**
 * Finds queues by name, URL or ARN, and reads their attributes. Blocks for one or two round trips; safe for use
 * by any thread.
 */
public interface QueueResolver {

    /**
     * Finds the queue.
     *
     * @param nameUrlOrArn {@code orders}, {@code https://sqs.eu-central-1.amazonaws.com/123456789012/orders} or
     *     {@code arn:aws:sqs:eu-central-1:123456789012:orders}
     * @return the queue
     * @throws QueueNotFoundException if there is none
     * @throws QueueCallException if SQS could not be asked
     * @throws InterruptedException if the calling thread is interrupted
     */
    Queue resolve(String nameUrlOrArn) throws InterruptedException;

    /**
     * Creates the queue if there is none. A name that ends in {@code .fifo} creates a FIFO queue.
     *
     * @param name the queue's name
     * @return the new or the existing queue
     * @throws InterruptedException if the calling thread is interrupted
     */
    Queue create(String name) throws InterruptedException;

    /**
     * Reads the queue's attributes.
     *
     * @param queue the queue
     * @return those attributes that the engine uses
     * @throws InterruptedException if the calling thread is interrupted
     */
    QueueAttributes attributes(Queue queue) throws InterruptedException;

    /**
     * Counts the messages of a queue that are not deleted: those that a receive could bring, those in flight, and those with a
     * delay. SQS counts approximately. Only {@code ReceiveGate.whileQueueHasAtMost} calls this method.
     *
     * @param queue the queue
     * @return the number of messages
     * @throws QueueCallException if SQS could not be asked
     * @throws UnsupportedOperationException if this resolver does not implement the method
     * @throws InterruptedException if the calling thread is interrupted
     */
    default long depth(Queue queue) throws InterruptedException {
        throw new UnsupportedOperationException(
                "The QueueResolver " + getClass().getName() + " cannot count the messages of " + queue.name()
                        + "; implement QueueResolver.depth");
    }
}
