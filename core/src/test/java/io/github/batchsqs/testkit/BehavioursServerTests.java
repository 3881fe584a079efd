/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.testkit;

import io.github.batchsqs.client.Queue;
import io.github.batchsqs.internal.client.QueueClient;
import java.util.Map;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;

/** ElasticMQ, or LocalStack at the system property {@code batchsqs.test.endpoint}. */
class BehavioursServerTests extends SqsBehaviours {

    private final ElasticMqServer server = ElasticMqServer.shared();

    @Override
    protected Server server() {
        return server.elasticMq() ? Server.ELASTICMQ : Server.LOCALSTACK;
    }

    @Override
    protected QueueClient client() {
        return server.queueClient();
    }

    @Override
    protected Queue create(String name, Map<String, String> attributes) {
        String url = server.client()
                .createQueue(request -> request.queueName(name).attributesWithStrings(attributes))
                .queueUrl();
        return new Queue(name, url);
    }

    @Override
    protected String arn(Queue queue) {
        return String.valueOf(server.client()
                .getQueueAttributes(
                        request -> request.queueUrl(queue.url()).attributeNames(QueueAttributeName.QUEUE_ARN))
                .attributes()
                .get(QueueAttributeName.QUEUE_ARN));
    }
}
