/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.testkit;

import io.github.batchsqs.testkit.Progress;
import java.util.Map;
import org.springframework.context.ApplicationContext;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.MessageAttributeValue;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;

/** Queues of a context, read and written by the SDK's client. */
public final class Queues {

    private Queues() {}

    public static SqsClient sqs(ApplicationContext context) {
        return context.getBean("batchSqsClient", SqsClient.class);
    }

    public static String url(ApplicationContext context, String queue) {
        return sqs(context).getQueueUrl(request -> request.queueName(queue)).queueUrl();
    }

    public static Map<QueueAttributeName, String> attributes(ApplicationContext context, String queue) {
        return sqs(context)
                .getQueueAttributes(
                        request -> request.queueUrl(url(context, queue)).attributeNames(QueueAttributeName.ALL))
                .attributes();
    }

    public static void send(
            ApplicationContext context, String queue, String body, Map<String, MessageAttributeValue> attributes) {
        sqs(context)
                .sendMessage(request ->
                        request.queueUrl(url(context, queue)).messageBody(body).messageAttributes(attributes));
    }

    /** Returns the number of messages, visible or not. */
    public static int count(ApplicationContext context, String queue) {
        Map<QueueAttributeName, String> found = attributes(context, queue);
        return Integer.parseInt(found.getOrDefault(QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES, "0"))
                + Integer.parseInt(
                        found.getOrDefault(QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES_NOT_VISIBLE, "0"));
    }

    public static void awaitEmpty(ApplicationContext context, String... queues) {
        for (String queue : queues) {
            Progress.until(() -> count(context, queue) == 0);
        }
    }
}
