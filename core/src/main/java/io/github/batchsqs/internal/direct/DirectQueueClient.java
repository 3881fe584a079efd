/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.direct;

import io.github.batchsqs.client.Queue;
import io.github.batchsqs.client.ReceivedMessage;
import io.github.batchsqs.internal.client.EntryResult;
import io.github.batchsqs.internal.client.QueueClient;
import io.github.batchsqs.internal.client.ReceiveCall;
import io.github.batchsqs.internal.client.SendEntry;
import io.github.batchsqs.internal.client.SentMessage;
import io.github.batchsqs.internal.client.VisibilityChange;
import io.github.batchsqs.internal.sdk.AwsQueueClient;
import io.github.batchsqs.internal.sdk.CallFailures;
import io.github.batchsqs.internal.sdk.RequestRules;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.services.sqs.SqsClient;

/**
 * Calls SQS with parts of the AWS SDK, but without its request pipeline: the same credentials, region, endpoint, signer
 * and HTTP client, and the same requests with the same headers, for less CPU time and memory. A call is one attempt, whatever the
 * retry strategy of the client is: listeners and senders own the retries.
 *
 * <p>The endpoint, headers and signing region are those of one request that the given {@link SqsClient} prepares and does not
 * send. Bodies and attributes are compared with SQS's digests unless the client disables that. Calls block, end on interrupts
 * and round durations like those of {@link AwsQueueClient}.
 *
 * <p>The SDK's hooks do not run: execution interceptors, metric publishers, plugins, call timeouts, retries. {@link #obstacle} returns
 * whether a client has any of them.
 *
 * <p>The caller closes both clients. Safe for use by any number of threads.
 */
public final class DirectQueueClient implements QueueClient {

    private final HttpCalls calls;
    private final Responses responses;

    /**
     * Creates a client; it makes no call yet.
     *
     * @param sqs provides the configuration, at the first call
     * @param http sends the requests; a {@code PooledHttpClient} also ends those that last too long, 5 s beyond the wait of a
     *     receive, 10 s for any other call
     */
    public DirectQueueClient(SqsClient sqs, SdkHttpClient http) {
        this(sqs, http, Instant::now);
    }

    DirectQueueClient(SqsClient sqs, SdkHttpClient http, Supplier<Instant> now) {
        this.calls = new HttpCalls(sqs, http, now);
        this.responses = new Responses(!Boolean.FALSE.equals(sqs.serviceClientConfiguration().checksumValidationEnabled()));
    }

    /**
     * Detects customizations of an SqsClient that direct calls would bypass.
     *
     * @param sqs the client
     * @return the first such customization, or empty if there is none
     */
    public static Optional<String> obstacle(SqsClient sqs) {
        return UnsupportedFeatures.of(sqs);
    }

    @Override
    public List<ReceivedMessage> receive(ReceiveCall call) throws InterruptedException {
        return call(
                "ReceiveMessage",
                call.queue(),
                () -> Requests.receive(call),
                RequestRules.limitOf(call),
                responses::received);
    }

    @Override
    public List<EntryResult<Void>> delete(Queue queue, List<String> receiptHandles) throws InterruptedException {
        RequestRules.requireBatch(receiptHandles);
        return call(
                "DeleteMessageBatch",
                queue,
                () -> Requests.delete(queue, receiptHandles),
                RequestRules.LIMIT,
                json -> responses.accepted(json, receiptHandles.size()));
    }

    @Override
    public List<EntryResult<Void>> changeVisibility(Queue queue, List<VisibilityChange> changes)
            throws InterruptedException {
        RequestRules.requireBatch(changes);
        return call(
                "ChangeMessageVisibilityBatch",
                queue,
                () -> Requests.changeVisibility(queue, changes),
                RequestRules.LIMIT,
                json -> responses.accepted(json, changes.size()));
    }

    @Override
    public List<EntryResult<SentMessage>> send(Queue queue, List<SendEntry> entries) throws InterruptedException {
        RequestRules.requireBatch(entries);
        return call(
                "SendMessageBatch",
                queue,
                () -> Requests.send(queue, entries),
                RequestRules.LIMIT,
                json -> responses.sent(json, entries));
    }

    private <T> T call(
            String operation,
            Queue queue,
            Supplier<JsonWriter> request,
            Duration limit,
            Function<ResponseJson, T> reader)
            throws InterruptedException {
        return CallFailures.call(
                operation, queue.name(), () -> calls.call(operation, queue, request.get(), limit, reader));
    }
}
