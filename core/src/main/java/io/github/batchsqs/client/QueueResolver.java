/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.client;

/**
 * Finds queues by name, URL or ARN, and reads what they say of themselves. Blocks for one or two round trips; safe for use
 * by any thread.
 */
public interface QueueResolver {

    /**
     * Finds the queue.
     *
     * @param nameUrlOrArn {@code orders}, {@code https://sqs.eu-central-1.amazonaws.com/123456789012/orders} or
     *     {@code arn:aws:sqs:eu-central-1:123456789012:orders}
     * @throws QueueNotFoundException if there is none
     * @throws QueueCallException if SQS could not be asked
     */
    Queue resolve(String nameUrlOrArn) throws InterruptedException;

    /** Creates the queue if there is none; a name that ends in {@code .fifo} makes a FIFO queue. */
    Queue create(String name) throws InterruptedException;

    /** Reads the queue's attributes. */
    QueueAttributes attributes(Queue queue) throws InterruptedException;
}
