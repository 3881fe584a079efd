/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.client;

import io.github.batchsqs.client.QueueClient;
import io.github.batchsqs.internal.direct.DirectQueueClient;
import io.github.batchsqs.internal.sdk.AwsQueueClient;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.services.sqs.SqsClient;

/** Chooses between direct calls and the SDK's request pipeline. */
final class QueueClients {

    private static final Logger LOG = LoggerFactory.getLogger(QueueClients.class);

    private QueueClients() {}

    /**
     * Makes the client that listeners and the template call.
     *
     * @param http the HTTP client that the SDK's client was built with, or {@code null} if it was not ours
     * @param direct whether direct calls are wanted
     */
    static QueueClient of(SqsClient sqs, @Nullable SdkHttpClient http, boolean direct) {
        return of(sqs, http, direct, LOG);
    }

    static QueueClient of(SqsClient sqs, @Nullable SdkHttpClient http, boolean direct, Logger log) {
        if (!direct) {
            return new AwsQueueClient(sqs);
        }
        Optional<String> obstacle = DirectQueueClient.obstacle(sqs);
        if (http != null && obstacle.isEmpty()) {
            return new DirectQueueClient(sqs, http);
        }
        log.info(
                "SQS is called through the AWS SDK's request pipeline, because its client has {}. Direct calls, which"
                        + " need less CPU time, would bypass that. Set batchsqs.client.direct=false to hide this line.",
                obstacle.orElse("a custom HTTP client"));
        return new AwsQueueClient(sqs);
    }
}
