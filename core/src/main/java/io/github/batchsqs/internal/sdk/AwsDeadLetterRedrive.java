/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.sdk;

import io.github.batchsqs.client.Queue;
import io.github.batchsqs.client.QueueCallException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;

/**
 * Starts tasks of SQS that move the messages of a dead-letter queue, with the blocking client of the AWS SDK.
 *
 * <p>SQS runs one task per dead-letter queue at a time, for at most 36 hours. Every method blocks for some round trips and
 * throws {@link QueueCallException} if SQS refuses. Safe for use by any thread.
 *
 * <p>Needs {@code sqs:StartMessageMoveTask}, {@code sqs:GetQueueAttributes} and {@code sqs:ListDeadLetterSourceQueues}; and
 * for the move itself {@code sqs:ReceiveMessage}, {@code sqs:DeleteMessage} on the dead-letter queue and {@code
 * sqs:SendMessage} on the destination.
 *
 * @param sqs the client; its owner closes it
 */
public record AwsDeadLetterRedrive(SqsClient sqs) {

    /**
     * {@return the names of the queues whose redrive policy names this dead-letter queue}
     *
     * @param deadLetterQueue the dead-letter queue
     * @throws InterruptedException if the calling thread is interrupted
     */
    public List<String> sources(Queue deadLetterQueue) throws InterruptedException {
        return CallFailures.call(
                "ListDeadLetterSourceQueues",
                deadLetterQueue.name(),
                () -> sqs
                        .listDeadLetterSourceQueuesPaginator(request -> request.queueUrl(deadLetterQueue.url()))
                        .queueUrls()
                        .stream()
                        .map(url -> url.substring(url.lastIndexOf('/') + 1))
                        .toList());
    }

    /**
     * Starts a task.
     *
     * @param deadLetterQueue the dead-letter queue whose messages the task moves
     * @param destination the destination, or {@code null} for the queue from which SQS moved each message; then messages
     *     that were sent to the dead-letter queue directly stay there
     * @param messagesPerSecond the maximum number of messages per second, 1 to 500, or {@code null} for the rate of SQS
     * @return the handle of the task
     * @throws InterruptedException if the calling thread is interrupted
     */
    public String start(Queue deadLetterQueue, @Nullable Queue destination, @Nullable Integer messagesPerSecond)
            throws InterruptedException {
        String source = arn(deadLetterQueue);
        String target = destination == null ? null : arn(destination);
        return CallFailures.call(
                "StartMessageMoveTask",
                deadLetterQueue.name(),
                () -> sqs.startMessageMoveTask(request -> request.sourceArn(source)
                                .destinationArn(target)
                                .maxNumberOfMessagesPerSecond(messagesPerSecond))
                        .taskHandle());
    }

    private String arn(Queue queue) throws InterruptedException {
        String operation = "GetQueueAttributes";
        String arn = CallFailures.call(
                        operation,
                        queue.name(),
                        () -> sqs.getQueueAttributes(request ->
                                        request.queueUrl(queue.url()).attributeNames(QueueAttributeName.QUEUE_ARN))
                                .attributes())
                .get(QueueAttributeName.QUEUE_ARN);
        if (arn == null) {
            throw new QueueCallException(
                    operation,
                    "NoQueueArn",
                    operation + " on the queue '" + queue.name() + "' returned no QueueArn, which a redrive needs",
                    false,
                    null);
        }
        return arn;
    }
}
