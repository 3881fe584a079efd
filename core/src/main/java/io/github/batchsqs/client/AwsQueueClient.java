/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.client;

import io.github.batchsqs.MessageAttribute;
import io.github.batchsqs.batch.EntryResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.ChangeMessageVisibilityBatchRequestEntry;
import software.amazon.awssdk.services.sqs.model.ChangeMessageVisibilityBatchResponse;
import software.amazon.awssdk.services.sqs.model.ChangeMessageVisibilityBatchResultEntry;
import software.amazon.awssdk.services.sqs.model.DeleteMessageBatchRequestEntry;
import software.amazon.awssdk.services.sqs.model.DeleteMessageBatchResponse;
import software.amazon.awssdk.services.sqs.model.DeleteMessageBatchResultEntry;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageAttributeValue;
import software.amazon.awssdk.services.sqs.model.MessageSystemAttributeName;
import software.amazon.awssdk.services.sqs.model.MessageSystemAttributeNameForSends;
import software.amazon.awssdk.services.sqs.model.MessageSystemAttributeValue;
import software.amazon.awssdk.services.sqs.model.ReceiveMessageRequest;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchRequestEntry;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchResponse;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchResultEntry;

/**
 * SQS by the AWS SDK's blocking client.
 *
 * <p>Durations are sent in whole seconds, rounded up: a wait of 200 ms polls for a second rather than not at all, and
 * nothing becomes visible sooner than was asked for. Entry ids are places in the call ({@code "0"} to {@code "9"}),
 * because the same message can be twice in one batch and SQS refuses a call with equal ids.
 *
 * <p>An interrupt ends a call early on a virtual thread: the JDK closes the socket that it waits on. On a platform thread
 * the call ends with its answer or the client's read timeout, as a socket read there is deaf to interrupts. Either way
 * the call then throws {@link InterruptedException}, unless it succeeded: then the answer counts and the thread stays
 * interrupted.
 *
 * <p>The client is the caller's: it decides on timeouts (the read timeout must be above the wait), connections (one for
 * each poll and each batch in flight) and retries (mode STANDARD), and closes it.
 */
public final class AwsQueueClient implements QueueClient {

    private static final String[] IDS = {"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"};
    private static final List<MessageSystemAttributeName> ALL_SYSTEM_ATTRIBUTES =
            List.of(MessageSystemAttributeName.ALL);
    private static final List<String> ALL_ATTRIBUTES = List.of("All");

    private final SqsClient sqs;

    public AwsQueueClient(SqsClient sqs) {
        this.sqs = sqs;
    }

    @Override
    public List<ReceivedMessage> receive(ReceiveCall call) throws InterruptedException {
        Duration visibility = call.visibilityTimeout();
        ReceiveMessageRequest request = ReceiveMessageRequest.builder()
                .queueUrl(call.queue().url())
                .maxNumberOfMessages(call.maxMessages())
                .waitTimeSeconds(wholeSeconds(call.waitTime()))
                .visibilityTimeout(visibility == null ? null : wholeSeconds(visibility))
                .receiveRequestAttemptId(call.attemptId())
                .messageSystemAttributeNames(ALL_SYSTEM_ATTRIBUTES)
                .messageAttributeNames(ALL_ATTRIBUTES)
                .build();
        List<Message> messages = call("ReceiveMessage", call.queue(), () -> sqs.receiveMessage(request))
                .messages();
        List<ReceivedMessage> received = new ArrayList<>(messages.size());
        for (Message message : messages) {
            received.add(new SdkReceivedMessage(message));
        }
        return Collections.unmodifiableList(received);
    }

    @Override
    public List<EntryResult<Void>> delete(Queue queue, List<String> receiptHandles) throws InterruptedException {
        requireBatch(receiptHandles);
        List<DeleteMessageBatchRequestEntry> entries = new ArrayList<>(receiptHandles.size());
        for (int i = 0; i < receiptHandles.size(); i++) {
            entries.add(DeleteMessageBatchRequestEntry.builder()
                    .id(IDS[i])
                    .receiptHandle(receiptHandles.get(i))
                    .build());
        }
        DeleteMessageBatchResponse response = call(
                "DeleteMessageBatch",
                queue,
                () -> sqs.deleteMessageBatch(
                        request -> request.queueUrl(queue.url()).entries(entries)));
        BatchAnswer<Void> answer = new BatchAnswer<>(entries.size());
        for (DeleteMessageBatchResultEntry entry : response.successful()) {
            answer.accepted(entry.id(), BatchAnswer.ACCEPTED);
        }
        return answer.rejected(response.failed()).inOrder();
    }

    @Override
    public List<EntryResult<Void>> changeVisibility(Queue queue, List<VisibilityChange> changes)
            throws InterruptedException {
        requireBatch(changes);
        List<ChangeMessageVisibilityBatchRequestEntry> entries = new ArrayList<>(changes.size());
        for (int i = 0; i < changes.size(); i++) {
            VisibilityChange change = changes.get(i);
            entries.add(ChangeMessageVisibilityBatchRequestEntry.builder()
                    .id(IDS[i])
                    .receiptHandle(change.receiptHandle())
                    .visibilityTimeout(wholeSeconds(change.timeout()))
                    .build());
        }
        ChangeMessageVisibilityBatchResponse response = call(
                "ChangeMessageVisibilityBatch",
                queue,
                () -> sqs.changeMessageVisibilityBatch(
                        request -> request.queueUrl(queue.url()).entries(entries)));
        BatchAnswer<Void> answer = new BatchAnswer<>(entries.size());
        for (ChangeMessageVisibilityBatchResultEntry entry : response.successful()) {
            answer.accepted(entry.id(), BatchAnswer.ACCEPTED);
        }
        return answer.rejected(response.failed()).inOrder();
    }

    @Override
    public List<EntryResult<SentMessage>> send(Queue queue, List<SendEntry> toSend) throws InterruptedException {
        requireBatch(toSend);
        List<SendMessageBatchRequestEntry> entries = new ArrayList<>(toSend.size());
        for (int i = 0; i < toSend.size(); i++) {
            entries.add(entry(IDS[i], toSend.get(i)));
        }
        SendMessageBatchResponse response = call(
                "SendMessageBatch",
                queue,
                () -> sqs.sendMessageBatch(
                        request -> request.queueUrl(queue.url()).entries(entries)));
        BatchAnswer<SentMessage> answer = new BatchAnswer<>(entries.size());
        for (SendMessageBatchResultEntry entry : response.successful()) {
            SentMessage sent = new SentMessage(entry.messageId(), entry.sequenceNumber());
            answer.accepted(entry.id(), new EntryResult.Accepted<>(sent));
        }
        return answer.rejected(response.failed()).inOrder();
    }

    private static SendMessageBatchRequestEntry entry(String id, SendEntry entry) {
        Duration delay = entry.delay();
        SendMessageBatchRequestEntry.Builder request = SendMessageBatchRequestEntry.builder()
                .id(id)
                .messageBody(entry.body())
                .delaySeconds(delay == null ? null : wholeSeconds(delay))
                .messageGroupId(entry.groupId())
                .messageDeduplicationId(entry.deduplicationId());
        if (!entry.attributes().isEmpty()) {
            request.messageAttributes(sdkAttributes(entry.attributes()));
        }
        String traceHeader = entry.traceHeader();
        if (traceHeader != null) {
            request.messageSystemAttributes(Map.of(
                    MessageSystemAttributeNameForSends.AWS_TRACE_HEADER,
                    MessageSystemAttributeValue.builder()
                            .dataType("String")
                            .stringValue(traceHeader)
                            .build()));
        }
        return request.build();
    }

    private static Map<String, MessageAttributeValue> sdkAttributes(Map<String, MessageAttribute> attributes) {
        Map<String, MessageAttributeValue> values = HashMap.newHashMap(attributes.size());
        for (Map.Entry<String, MessageAttribute> entry : attributes.entrySet()) {
            MessageAttribute attribute = entry.getValue();
            MessageAttributeValue.Builder value =
                    MessageAttributeValue.builder().dataType(attribute.dataType());
            if (attribute.isBinary()) {
                value.binaryValue(SdkBytes.fromByteArrayUnsafe(attribute.binaryValue()));
            } else {
                value.stringValue(attribute.stringValue());
            }
            values.put(entry.getKey(), value.build());
        }
        return values;
    }

    private static <T> T call(String operation, Queue queue, Supplier<T> call) throws InterruptedException {
        try {
            return call.get();
        } catch (RuntimeException e) {
            throw CallFailures.translate(operation, queue.name(), e);
        }
    }

    /** The id of an entry: its place in the call. */
    static String id(int place) {
        return IDS[place];
    }

    static void requireBatch(List<?> entries) {
        if (entries.isEmpty() || entries.size() > IDS.length) {
            throw new IllegalArgumentException(
                    "A batch call carries 1 to " + IDS.length + " entries, but was given " + entries.size());
        }
    }

    static int wholeSeconds(Duration duration) {
        return Math.toIntExact(duration.plusNanos(999_999_999).toSeconds());
    }
}
