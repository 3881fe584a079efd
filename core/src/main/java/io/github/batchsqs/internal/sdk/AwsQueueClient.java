/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.sdk;

import io.github.batchsqs.ReceivedMessage;
import io.github.batchsqs.client.Queue;
import io.github.batchsqs.client.QueueCallException;
import io.github.batchsqs.internal.client.EntryResult;
import io.github.batchsqs.internal.client.QueueClient;
import io.github.batchsqs.internal.client.ReceiveCall;
import io.github.batchsqs.internal.client.SendEntry;
import io.github.batchsqs.internal.client.SentMessage;
import io.github.batchsqs.internal.client.VisibilityChange;
import io.github.batchsqs.send.SendFailedException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.BatchResultErrorEntry;
import software.amazon.awssdk.services.sqs.model.ChangeMessageVisibilityBatchRequestEntry;
import software.amazon.awssdk.services.sqs.model.ChangeMessageVisibilityBatchResponse;
import software.amazon.awssdk.services.sqs.model.ChangeMessageVisibilityBatchResultEntry;
import software.amazon.awssdk.services.sqs.model.DeleteMessageBatchRequestEntry;
import software.amazon.awssdk.services.sqs.model.DeleteMessageBatchResponse;
import software.amazon.awssdk.services.sqs.model.DeleteMessageBatchResultEntry;
import software.amazon.awssdk.services.sqs.model.MessageSystemAttributeName;
import software.amazon.awssdk.services.sqs.model.ReceiveMessageRequest;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchRequestEntry;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchResponse;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchResultEntry;

/**
 * Calls SQS with the blocking client of the AWS SDK.
 *
 * <p>Durations are sent in whole seconds, rounded up: a wait of 200 ms polls for a second rather than not at all, and
 * no message becomes visible earlier than requested. Entry ids are places in the call ({@code "0"} to {@code "9"}),
 * because the same message can occur twice in one batch and SQS refuses a call with equal ids.
 *
 * <p>An interrupt ends a call early on a virtual thread: the JDK closes the socket that it waits on. On a platform thread
 * the call ends with its response or the client's read timeout, because a socket read there ignores interrupts. In both
 * cases the call then throws {@link InterruptedException}, unless it succeeded: then it returns the result and the thread
 * stays interrupted.
 *
 * <p>The client is the caller's: it decides on timeouts (the read timeout must be above the wait), connections (one for
 * each poll and each batch in flight), and closes it. It should not retry, because listeners and senders do: a send that the SDK
 * has repeated and SQS then refuses may have been accepted before.
 */
public final class AwsQueueClient implements QueueClient {

    private static final List<MessageSystemAttributeName> ALL_SYSTEM_ATTRIBUTES =
            List.of(MessageSystemAttributeName.ALL);
    private static final List<String> ALL_ATTRIBUTES = List.of("All");

    private final SqsClient sqs;
    private final Attempts attempts;

    /**
     * Creates the queue client over this SDK client.
     *
     * @param sqs the SDK client; its owner closes it
     */
    public AwsQueueClient(SqsClient sqs) {
        this.sqs = sqs;
        this.attempts = new Attempts(sqs);
    }

    @Override
    public List<ReceivedMessage> receive(ReceiveCall call) throws InterruptedException {
        Duration visibility = call.visibilityTimeout();
        ReceiveMessageRequest request = ReceiveMessageRequest.builder()
                .queueUrl(call.queue().url())
                .maxNumberOfMessages(call.maxMessages())
                .waitTimeSeconds(RequestRules.wholeSeconds(call.waitTime()))
                .visibilityTimeout(visibility == null ? null : RequestRules.wholeSeconds(visibility))
                .receiveRequestAttemptId(call.attemptId())
                .messageSystemAttributeNames(ALL_SYSTEM_ATTRIBUTES)
                .messageAttributeNames(ALL_ATTRIBUTES)
                .overrideConfiguration(override -> attempts.limit(override, RequestRules.limitOf(call)))
                .build();
        return CallFailures.call(
                "ReceiveMessage",
                call.queue().name(),
                () -> UnexpectedResponseException.settleable(sqs.receiveMessage(request).messages().stream()
                        .filter(Objects::nonNull)
                        .<ReceivedMessage>map(ParsedMessage::of)
                        .toList()));
    }

    @Override
    public List<EntryResult<Void>> delete(Queue queue, List<String> receiptHandles) throws InterruptedException {
        List<DeleteMessageBatchRequestEntry> entries = new ArrayList<>(receiptHandles.size());
        for (int i = 0; i < receiptHandles.size(); i++) {
            entries.add(DeleteMessageBatchRequestEntry.builder()
                    .id(RequestRules.id(i))
                    .receiptHandle(receiptHandles.get(i))
                    .build());
        }
        DeleteMessageBatchResponse response = CallFailures.call(
                "DeleteMessageBatch",
                queue.name(),
                () -> sqs.deleteMessageBatch(request -> request.queueUrl(queue.url())
                        .entries(entries)
                        .overrideConfiguration(override -> attempts.limit(override, RequestRules.LIMIT))));
        return results(entries.size(), response.successful(), DeleteMessageBatchResultEntry::id, response.failed());
    }

    @Override
    public List<EntryResult<Void>> changeVisibility(Queue queue, List<VisibilityChange> changes)
            throws InterruptedException {
        List<ChangeMessageVisibilityBatchRequestEntry> entries = new ArrayList<>(changes.size());
        for (int i = 0; i < changes.size(); i++) {
            VisibilityChange change = changes.get(i);
            entries.add(ChangeMessageVisibilityBatchRequestEntry.builder()
                    .id(RequestRules.id(i))
                    .receiptHandle(change.receiptHandle())
                    .visibilityTimeout(RequestRules.wholeSeconds(change.timeout()))
                    .build());
        }
        ChangeMessageVisibilityBatchResponse response = CallFailures.call(
                "ChangeMessageVisibilityBatch",
                queue.name(),
                () -> sqs.changeMessageVisibilityBatch(request -> request.queueUrl(queue.url())
                        .entries(entries)
                        .overrideConfiguration(override -> attempts.limit(override, RequestRules.LIMIT))));
        return results(
                entries.size(), response.successful(), ChangeMessageVisibilityBatchResultEntry::id, response.failed());
    }

    private static <E> List<EntryResult<Void>> results(
            int entries, List<E> successful, Function<E, String> id, List<BatchResultErrorEntry> failed) {
        BatchResults<Void> results = new BatchResults<>(entries);
        for (E entry : successful) {
            if (entry != null) {
                results.accepted(id.apply(entry), BatchResults.ACCEPTED);
            }
        }
        return results.rejected(failed).inOrder();
    }

    @Override
    public List<EntryResult<SentMessage>> send(Queue queue, List<SendEntry> toSend) throws InterruptedException {
        List<SendMessageBatchRequestEntry> entries = new ArrayList<>(toSend.size());
        for (int i = 0; i < toSend.size(); i++) {
            entries.add(entry(RequestRules.id(i), toSend.get(i)));
        }
        SendMessageBatchResponse response;
        Attempts.Count count = attempts.count();
        try {
            response = CallFailures.call(
                    "SendMessageBatch",
                    queue.name(),
                    () -> sqs.sendMessageBatch(request -> request.queueUrl(queue.url())
                            .entries(entries)
                            .overrideConfiguration(override -> count.of(override))));
        } catch (QueueCallException e) {
            throw isDigestMismatch(e) ? changed(e) : e;
        }
        BatchResults<SentMessage> results = new BatchResults<>(entries.size(), count.repeated());
        for (SendMessageBatchResultEntry entry : response.successful()) {
            if (entry == null || entry.messageId() == null) {
                continue; // no result: the entry counts as missing
            }
            results.accepted(
                    entry.id(), new EntryResult.Accepted<>(new SentMessage(entry.messageId(), entry.sequenceNumber())));
        }
        return results.rejected(response.failed()).inOrder();
    }

    /** Returns whether the SDK's check of the digests failed, which has no type of its own. */
    private static boolean isDigestMismatch(QueueCallException failure) {
        return failure.getCause() instanceof SdkClientException cause
                && String.valueOf(cause.getMessage()).startsWith("MD5 returned by SQS does not match");
    }

    /** SQS has stored every message of the call, and the SDK keeps the results to itself. */
    private static QueueCallException changed(QueueCallException failure) {
        return new QueueCallException(
                failure.operation(),
                SendFailedException.DIGEST_MISMATCH,
                failure.getMessage() + ". SQS stored the messages of this call, at least one of them changed",
                false,
                failure.getCause());
    }

    private static SendMessageBatchRequestEntry entry(String id, SendEntry entry) {
        Duration delay = entry.delay();
        SendMessageBatchRequestEntry.Builder request = SendMessageBatchRequestEntry.builder()
                .id(id)
                .messageBody(entry.body())
                .delaySeconds(delay == null ? null : RequestRules.wholeSeconds(delay))
                .messageGroupId(entry.groupId())
                .messageDeduplicationId(entry.deduplicationId());
        if (!entry.attributes().isEmpty()) {
            request.messageAttributes(ParsedMessage.sdkAttributes(entry.attributes()));
        }
        return request.build();
    }
}
