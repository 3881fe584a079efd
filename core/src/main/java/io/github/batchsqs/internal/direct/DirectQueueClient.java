/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.direct;

import io.github.batchsqs.ReceivedMessage;
import io.github.batchsqs.client.Queue;
import io.github.batchsqs.internal.client.EntryResult;
import io.github.batchsqs.internal.client.QueueClient;
import io.github.batchsqs.internal.client.ReceiveCall;
import io.github.batchsqs.internal.client.SendEntry;
import io.github.batchsqs.internal.client.SentMessage;
import io.github.batchsqs.internal.client.VisibilityChange;
import io.github.batchsqs.internal.http.PooledHttpClient;
import io.github.batchsqs.internal.http.ResponseBody;
import io.github.batchsqs.internal.sdk.AwsQueueClient;
import io.github.batchsqs.internal.sdk.CallFailures;
import io.github.batchsqs.internal.sdk.RequestRules;
import io.github.batchsqs.internal.sdk.UnexpectedResponseException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.http.ExecutableHttpRequest;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.HttpExecuteResponse;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.SdkHttpResponse;
import software.amazon.awssdk.services.sqs.SqsClient;
import tools.jackson.core.JacksonException;

/**
 * Calls SQS with parts of the AWS SDK, but without its request pipeline: the same credentials, region, endpoint, signer
 * and HTTP client, and the same requests with the same headers, for less CPU time and memory. A call is one attempt, whatever the
 * retry strategy of the client is: listeners and senders own the retries.
 *
 * <p>The endpoint, headers and signing region are those of one request that the given {@link SqsClient} prepares and does not
 * send. SQS's digests are not compared. Calls block, end on interrupts
 * and round durations like those of {@link AwsQueueClient}.
 *
 * <p>The SDK's hooks do not run: execution interceptors, metric publishers, plugins, call timeouts, retries. {@link UnsupportedFeatures}
 * finds them in a client.
 *
 * <p>The caller closes both clients. Safe for use by any number of threads.
 */
public final class DirectQueueClient implements QueueClient {

    private final SqsClient sqs;
    private final SdkHttpClient http;
    private final Supplier<Instant> now;
    private final CurrentCredentials credentials;

    private volatile @Nullable RequestTemplate template;

    /**
     * Creates a client; it makes no call yet.
     *
     * @param sqs provides the configuration, at the first call
     * @param http sends the requests; a {@code PooledHttpClient} also ends those that last too long, 4 s beyond the wait of a
     *     receive and at least 5 s, 10 s for any other call
     */
    public DirectQueueClient(SqsClient sqs, SdkHttpClient http) {
        this(sqs, http, Instant::now);
    }

    DirectQueueClient(SqsClient sqs, SdkHttpClient http, Supplier<Instant> now) {
        this.sqs = sqs;
        this.http = http;
        this.now = now;
        this.credentials =
                new CurrentCredentials(sqs.serviceClientConfiguration().credentialsProvider());
    }

    @Override
    public List<ReceivedMessage> receive(ReceiveCall call) throws InterruptedException {
        return call(
                "ReceiveMessage",
                call.queue(),
                () -> Requests.receive(call),
                RequestRules.limitOf(call),
                Responses::received);
    }

    @Override
    public List<EntryResult<Void>> delete(Queue queue, List<String> receiptHandles) throws InterruptedException {
        return call(
                "DeleteMessageBatch",
                queue,
                () -> Requests.delete(queue, receiptHandles),
                RequestRules.LIMIT,
                json -> Responses.accepted(json, receiptHandles.size()));
    }

    @Override
    public List<EntryResult<Void>> changeVisibility(Queue queue, List<VisibilityChange> changes)
            throws InterruptedException {
        return call(
                "ChangeMessageVisibilityBatch",
                queue,
                () -> Requests.changeVisibility(queue, changes),
                RequestRules.LIMIT,
                json -> Responses.accepted(json, changes.size()));
    }

    @Override
    public List<EntryResult<SentMessage>> send(Queue queue, List<SendEntry> entries) throws InterruptedException {
        return call(
                "SendMessageBatch",
                queue,
                () -> Requests.send(queue, entries),
                RequestRules.LIMIT,
                json -> Responses.sent(json, entries.size()));
    }

    /**
     * Calls the operation once.
     *
     * @param limit how long the call may last: the wait for credentials and for a connection, and the exchange
     * @return what the reader made of the response's body
     */
    <T> T call(
            String operation,
            Queue queue,
            Supplier<JsonWriter> request,
            Duration limit,
            Function<ResponseJson, T> reader)
            throws InterruptedException {
        long began = System.nanoTime();
        if (Thread.interrupted()) {
            throw new InterruptedException(operation + " on the queue '" + queue.name() + "' was interrupted");
        }
        Signed signed = CallFailures.before(
                operation, queue.name(), () -> signed(operation, queue, request.get(), credentials.current(limit)));
        Duration left = limit.minusNanos(System.nanoTime() - began);
        return CallFailures.call(operation, queue.name(), () -> exchanged(signed, left, reader));
    }

    private Signed signed(String operation, Queue queue, JsonWriter body, AwsCredentials identity) {
        RequestTemplate known = template(queue, identity);
        int offset = known.clock().offset();
        HttpExecuteRequest request = HttpExecuteRequest.builder()
                .request(known.signer().sign(identity, known.clock().at(offset), "AmazonSQS." + operation, body))
                .contentStreamProvider(body::stream)
                .build();
        return new Signed(request, known.clock(), offset);
    }

    private <T> T exchanged(Signed signed, Duration limit, Function<ResponseJson, T> reader) {
        try {
            HttpExecuteResponse executed = prepared(signed.request, limit).call();
            SdkHttpResponse response = executed.httpResponse();
            try (ResponseBody received = ResponseBody.of(executed)) {
                if (response.isSuccessful()) {
                    return result(response, received, reader);
                }
                AwsServiceException refused = ErrorResponses.of(response, received, signed.offset);
                if (refused.isClockSkewException()) {
                    signed.clock.correct(response);
                }
                throw refused;
            }
        } catch (IOException e) {
            throw SdkClientException.create("Unable to execute HTTP request: " + e.getMessage(), e);
        }
    }

    /** An unreadable body counts as a failure of the connection, as it does in the SDK: another attempt may bring a whole one. */
    private static <T> T result(SdkHttpResponse response, ResponseBody received, Function<ResponseJson, T> reader) {
        try (ResponseJson json = new ResponseJson(received.bytes(), received.length())) {
            return reader.apply(json);
        } catch (JacksonException e) {
            IOException unexpected =
                    new IOException("The response is not the JSON that was expected"); // e may quote it
            throw unreadable(response, new UncheckedIOException(unexpected));
        } catch (SdkException | UnexpectedResponseException e) {
            throw e;
        } catch (RuntimeException e) {
            throw unreadable(response, e);
        }
    }

    private static SdkClientException unreadable(SdkHttpResponse response, RuntimeException cause) {
        return SdkClientException.create(
                "Unable to unmarshall response (" + cause.getMessage() + "). Response Code: " + response.statusCode()
                        + ", Response Text: " + response.statusText().orElse(null),
                cause);
    }

    private ExecutableHttpRequest prepared(HttpExecuteRequest request, Duration limit) {
        return http instanceof PooledHttpClient pooled
                ? pooled.prepareRequest(request, limit)
                : http.prepareRequest(request);
    }

    private RequestTemplate template(Queue queue, AwsCredentials identity) {
        RequestTemplate known = template;
        if (known == null) {
            known = RequestTemplate.learn(sqs, queue, identity, now);
            template = known;
        }
        return known;
    }

    /** A request, and the offset of the clock that it was signed by. */
    private record Signed(HttpExecuteRequest request, ServerClock clock, int offset) {}
}
