/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.testkit;

import io.github.batchsqs.testkit.Progress;
import io.github.batchsqs.testkit.SqsQueues;
import java.util.Map;
import org.springframework.context.ApplicationContext;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.MessageAttributeValue;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;

/** Queues of a context, read and written by the SDK's client. */
public final class Queues {

    private Queues() {}

    public static SqsQueues of(ApplicationContext context) {
        return new SqsQueues(context.getBean("batchSqsClient", SqsClient.class));
    }

    public static Map<QueueAttributeName, String> attributes(ApplicationContext context, String queue) {
        SqsQueues queues = of(context);
        return queues.client()
                .getQueueAttributes(
                        request -> request.queueUrl(queues.url(queue)).attributeNames(QueueAttributeName.ALL))
                .attributes();
    }

    public static void send(
            ApplicationContext context, String queue, String body, Map<String, MessageAttributeValue> attributes) {
        SqsQueues queues = of(context);
        queues.client()
                .sendMessage(request ->
                        request.queueUrl(queues.url(queue)).messageBody(body).messageAttributes(attributes));
    }

    public static void awaitEmpty(ApplicationContext context, String... queues) {
        for (String queue : queues) {
            Progress.until(() -> of(context).size(queue) == 0);
        }
    }
}
