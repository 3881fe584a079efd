/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.ladder;

import io.github.batchsqs.benchmarks.contestants.Clients;
import io.github.batchsqs.benchmarks.run.Sending;
import io.github.batchsqs.benchmarks.run.Target;
import java.util.List;
import java.util.stream.IntStream;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.DeleteMessageBatchRequestEntry;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchRequestEntry;

/** A queue by the plain SDK; what all rungs share. */
record PlainQueue(SqsClient sqs, Target target) {

    static PlainQueue of(Target target) {
        return new PlainQueue(Clients.blocking(target.endpoint()), target);
    }

    List<Message> receive(int max) {
        return sqs.receiveMessage(request ->
                        request.queueUrl(target.url()).maxNumberOfMessages(max).waitTimeSeconds(20))
                .messages();
    }

    void delete(Message message) {
        var unused =
                sqs.deleteMessage(request -> request.queueUrl(target.url()).receiptHandle(message.receiptHandle()));
    }

    void delete(List<Message> messages) {
        var unused = sqs.deleteMessageBatch(request -> request.queueUrl(target.url())
                .entries(IntStream.range(0, messages.size())
                        .mapToObj(i -> DeleteMessageBatchRequestEntry.builder()
                                .id(Integer.toString(i))
                                .receiptHandle(messages.get(i).receiptHandle())
                                .build())
                        .toList()));
    }

    void send(Sending.Load load, int index) {
        var unused = sqs.sendMessage(request -> {
            request.queueUrl(target.url()).messageBody(load.body(index));
            if (fifo()) {
                request.messageGroupId(load.group(index)).messageDeduplicationId(deduplicationId(load, index));
            }
        });
    }

    void send(Sending.Load load, List<Integer> indexes) {
        var unused = sqs.sendMessageBatch(request -> request.queueUrl(target.url())
                .entries(indexes.stream().map(index -> entry(load, index)).toList()));
    }

    private SendMessageBatchRequestEntry entry(Sending.Load load, int index) {
        SendMessageBatchRequestEntry.Builder entry =
                SendMessageBatchRequestEntry.builder().id("m" + index).messageBody(load.body(index));
        if (fifo()) {
            entry.messageGroupId(load.group(index)).messageDeduplicationId(deduplicationId(load, index));
        }
        return entry.build();
    }

    private boolean fifo() {
        return target.queue().endsWith(".fifo");
    }

    /** The same for the same message, however often it is sent. */
    private static String deduplicationId(Sending.Load load, int index) {
        return "message-" + (load.first() + index);
    }
}
