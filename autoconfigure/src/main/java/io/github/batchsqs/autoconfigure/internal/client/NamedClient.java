/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.client;

import io.github.batchsqs.client.QueueResolver;
import io.github.batchsqs.internal.client.QueueClient;
import io.github.batchsqs.internal.sdk.AwsDeadLetterRedrive;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.sqs.SqsClient;

/**
 * One client to SQS, for one region and one account, in its several roles.
 *
 * @param queues receives, deletes and sends
 * @param resolver finds queues
 * @param redrive supplies what moves messages of dead-letter queues back
 * @param sqs supplies the client of the SDK, or {@code null} if none is used
 * @param closing closes what was built for this client alone
 */
public record NamedClient(
        QueueClient queues,
        QueueResolver resolver,
        Supplier<AwsDeadLetterRedrive> redrive,
        Supplier<@Nullable SqsClient> sqs,
        Runnable closing) {}
