/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.client;

import io.github.batchsqs.batch.EntryResult;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.services.sqs.SqsClient;

/**
 * SQS by the AWS SDK's parts, but without its request pipeline: the same credentials, region, endpoint, signer, retries and
 * HTTP client, and requests that are the same header by header, for less CPU time and memory.
 *
 * <p>What the SDK puts on a request (endpoint, headers, signing region) is learned from one request that the given
 * {@link SqsClient} prepares and does not send. Bodies and attributes are checked against SQS's digests unless the client
 * was told not to. Calls block, end on interrupts and round durations as those of {@link AwsQueueClient} do.
 *
 * <p>The SDK's hooks do not run: execution interceptors, metric publishers, plugins, call timeouts. {@link #obstacle} says
 * whether a client has any of them.
 *
 * <p>Both clients are the caller's, who closes them. Safe for use by any number of threads.
 */
public final class DirectQueueClient implements QueueClient {

    private final DirectCalls calls;
    private final DirectAnswers answers;

    /**
     * Makes no call yet.
     *
     * @param sqs the client to take the configuration from; the first call learns from it
     * @param http sends the requests; its read timeout must be above the wait of a receive
     */
    public DirectQueueClient(SqsClient sqs, SdkHttpClient http) {
        this(sqs, http, DirectCalls.SLEEPING);
    }

    DirectQueueClient(SqsClient sqs, SdkHttpClient http, DirectCalls.Pause pause) {
        this.calls = new DirectCalls(sqs, http, pause);
        Boolean digests = sqs.serviceClientConfiguration().checksumValidationEnabled();
        this.answers = new DirectAnswers(!Boolean.FALSE.equals(digests));
    }

    /** What the client was told to do on each request that direct calls would leave out; empty if there is nothing. */
    public static Optional<String> obstacle(SqsClient sqs) {
        return DirectObstacles.of(sqs.serviceClientConfiguration());
    }

    @Override
    public List<ReceivedMessage> receive(ReceiveCall call) throws InterruptedException {
        return call("ReceiveMessage", call.queue(), () -> {
            byte[] answer = calls.call("ReceiveMessage", call.queue(), DirectRequests.receive(call));
            return Collections.unmodifiableList(answers.received(answer));
        });
    }

    @Override
    public List<EntryResult<Void>> delete(Queue queue, List<String> receiptHandles) throws InterruptedException {
        AwsQueueClient.requireBatch(receiptHandles);
        return call("DeleteMessageBatch", queue, () -> {
            byte[] answer = calls.call("DeleteMessageBatch", queue, DirectRequests.delete(queue, receiptHandles));
            return answers.accepted(answer, receiptHandles.size());
        });
    }

    @Override
    public List<EntryResult<Void>> changeVisibility(Queue queue, List<VisibilityChange> changes)
            throws InterruptedException {
        AwsQueueClient.requireBatch(changes);
        return call("ChangeMessageVisibilityBatch", queue, () -> {
            byte[] answer =
                    calls.call("ChangeMessageVisibilityBatch", queue, DirectRequests.changeVisibility(queue, changes));
            return answers.accepted(answer, changes.size());
        });
    }

    @Override
    public List<EntryResult<SentMessage>> send(Queue queue, List<SendEntry> entries) throws InterruptedException {
        AwsQueueClient.requireBatch(entries);
        return call("SendMessageBatch", queue, () -> {
            byte[] answer = calls.call("SendMessageBatch", queue, DirectRequests.send(queue, entries));
            return answers.sent(answer, entries);
        });
    }

    private static <T> T call(String operation, Queue queue, Call<T> call) throws InterruptedException {
        try {
            return call.run();
        } catch (RuntimeException e) {
            throw CallFailures.translate(operation, queue.name(), e);
        }
    }

    private interface Call<T> {
        T run() throws InterruptedException;
    }
}
