/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.contestants;

import io.github.batchsqs.benchmarks.run.Listening;
import io.github.batchsqs.benchmarks.run.MessageHandler;
import io.github.batchsqs.benchmarks.run.Target;
import java.util.ArrayList;
import java.util.List;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.DeleteMessageBatchRequestEntry;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageSystemAttributeName;

/**
 * The floor on the SDK: loops that receive, handle and delete, on the same client as BatchSQS, with the same attributes asked
 * for. No lease is kept, no failure is dealt with, nothing is counted.
 *
 * @param loops how many, on a virtual thread each
 */
public record BareLoop(int loops) implements Listening {

    @Override
    public void start(Target target, MessageHandler handler) {
        SqsClient sqs = Clients.blocking(target.endpoint());
        for (int i = 0; i < loops; i++) {
            Thread unused = Thread.ofVirtual().name("loop-" + i).start(() -> {
                try {
                    while (!Thread.currentThread().isInterrupted()) {
                        once(sqs, target, handler);
                    }
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
        }
    }

    private static void once(SqsClient sqs, Target target, MessageHandler handler) throws InterruptedException {
        List<Message> messages = sqs.receiveMessage(request -> request.queueUrl(target.url())
                        .maxNumberOfMessages(10)
                        .waitTimeSeconds(20)
                        .messageSystemAttributeNames(MessageSystemAttributeName.ALL)
                        .messageAttributeNames("All"))
                .messages();
        if (messages.isEmpty()) {
            return;
        }
        List<String> bodies = new ArrayList<>(messages.size());
        List<DeleteMessageBatchRequestEntry> entries = new ArrayList<>(messages.size());
        for (Message message : messages) {
            entries.add(DeleteMessageBatchRequestEntry.builder()
                    .id(Integer.toString(bodies.size()))
                    .receiptHandle(message.receiptHandle())
                    .build());
            bodies.add(message.body());
        }
        handler.handle(bodies);
        var unused =
                sqs.deleteMessageBatch(request -> request.queueUrl(target.url()).entries(entries));
    }
}
