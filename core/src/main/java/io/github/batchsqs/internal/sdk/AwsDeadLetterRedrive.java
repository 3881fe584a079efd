/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.sdk;

import io.github.batchsqs.client.Queue;
import io.github.batchsqs.client.QueueCallException;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.ListMessageMoveTasksResultEntry;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;

/**
 * Redrives messages with the blocking client of the AWS SDK. The caller closes the client.
 *
 * <p>Needs {@code sqs:StartMessageMoveTask}, {@code sqs:ListMessageMoveTasks}, {@code sqs:CancelMessageMoveTask}, {@code
 * sqs:GetQueueAttributes} and {@code sqs:ListDeadLetterSourceQueues}; and for the move itself {@code sqs:ReceiveMessage},
 * {@code sqs:DeleteMessage} on the dead-letter queue and {@code sqs:SendMessage} on the destination.
 *
 * @param sqs the client; its owner closes it
 */
public record AwsDeadLetterRedrive(SqsClient sqs) implements DeadLetterRedrive {

    private static final int MAX_TASKS = 10;

    @Override
    public List<String> sources(Queue deadLetterQueue) throws InterruptedException {
        return call(
                "ListDeadLetterSourceQueues",
                deadLetterQueue,
                () -> sqs
                        .listDeadLetterSourceQueuesPaginator(request -> request.queueUrl(deadLetterQueue.url()))
                        .queueUrls()
                        .stream()
                        .map(url -> url.substring(url.lastIndexOf('/') + 1))
                        .toList());
    }

    @Override
    public void start(Queue deadLetterQueue, @Nullable Queue destination, @Nullable Integer messagesPerSecond)
            throws InterruptedException {
        String source = arn(deadLetterQueue);
        String target = destination == null ? null : arn(destination);
        String ignored = call(
                "StartMessageMoveTask",
                deadLetterQueue,
                () -> sqs.startMessageMoveTask(request -> request.sourceArn(source)
                                .destinationArn(target)
                                .maxNumberOfMessagesPerSecond(messagesPerSecond))
                        .taskHandle());
    }

    @Override
    public List<RedriveTask> tasks(Queue deadLetterQueue) throws InterruptedException {
        String source = arn(deadLetterQueue);
        return call(
                "ListMessageMoveTasks",
                deadLetterQueue,
                () ->
                        sqs
                                .listMessageMoveTasks(
                                        request -> request.sourceArn(source).maxResults(MAX_TASKS))
                                .results()
                                .stream()
                                .map(AwsDeadLetterRedrive::task)
                                .toList());
    }

    @Override
    public long cancel(Queue deadLetterQueue, String handle) throws InterruptedException {
        Long moved = call(
                "CancelMessageMoveTask",
                deadLetterQueue,
                () -> sqs.cancelMessageMoveTask(request -> request.taskHandle(handle))
                        .approximateNumberOfMessagesMoved());
        return moved == null ? 0 : moved;
    }

    private static RedriveTask task(ListMessageMoveTasksResultEntry task) {
        Long startedAt = task.startedTimestamp();
        return new RedriveTask(
                task.taskHandle(),
                Objects.requireNonNullElse(task.status(), "UNKNOWN"),
                task.destinationArn(),
                Objects.requireNonNullElse(task.approximateNumberOfMessagesMoved(), 0L),
                task.approximateNumberOfMessagesToMove(),
                startedAt == null ? null : Instant.ofEpochMilli(startedAt),
                task.failureReason());
    }

    private String arn(Queue queue) throws InterruptedException {
        String operation = "GetQueueAttributes";
        String arn = call(
                        operation,
                        queue,
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

    private static <T> T call(String operation, Queue queue, SdkCall<T> call) throws InterruptedException {
        return CallFailures.call(operation, queue.name(), call);
    }
}
