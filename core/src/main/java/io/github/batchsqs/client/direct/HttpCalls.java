/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.client.direct;

import io.github.batchsqs.client.Queue;
import io.github.batchsqs.client.sdk.support.IncompleteResponseException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.HttpExecuteResponse;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.SdkHttpResponse;
import software.amazon.awssdk.identity.spi.AwsCredentialsIdentity;
import software.amazon.awssdk.retries.api.AcquireInitialTokenRequest;
import software.amazon.awssdk.retries.api.AcquireInitialTokenResponse;
import software.amazon.awssdk.retries.api.RecordSuccessRequest;
import software.amazon.awssdk.retries.api.RefreshRetryTokenRequest;
import software.amazon.awssdk.retries.api.RefreshRetryTokenResponse;
import software.amazon.awssdk.retries.api.RetryStrategy;
import software.amazon.awssdk.retries.api.RetryToken;
import software.amazon.awssdk.retries.api.TokenAcquisitionFailedException;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.SqsServiceClientConfiguration;

/**
 * Signs, sends, reads, and repeats what failed: the client's retry strategy, used as it is and asked as the SDK asks it,
 * decides whether and when.
 */
final class HttpCalls {

    /** Waits before a retry. */
    interface Pause {
        void await(Duration delay) throws InterruptedException;
    }

    /** Makes a result of a body. */
    interface Reader<T> {
        T read(byte[] bytes, int length);
    }

    static final Pause SLEEPING = delay -> TimeUnit.NANOSECONDS.sleep(delay.toNanos());

    /** One bucket of retry tokens for all calls of a client, as the SDK has it. */
    private static final String SCOPE = "GLOBAL";

    private final SqsClient sqs;
    private final SdkHttpClient http;
    private final Pause pause;
    private final Supplier<Instant> now;
    private final RetryStrategy retries;
    private final CurrentCredentials credentials;

    private volatile @Nullable RequestTemplate template;

    HttpCalls(SqsClient sqs, SdkHttpClient http, Pause pause, Supplier<Instant> now) {
        this.sqs = sqs;
        this.http = http;
        this.pause = pause;
        this.now = now;
        SqsServiceClientConfiguration configuration = sqs.serviceClientConfiguration();
        this.retries = UnsupportedFeatures.retriesOf(configuration);
        this.credentials = new CurrentCredentials(configuration.credentialsProvider(), CurrentCredentials.LONGEST_WAIT);
    }

    /**
     * Calls the operation until it succeeds or the retry strategy gives up.
     *
     * @return what the reader made of the response's body
     * @throws SdkException the last failure
     */
    <T> T call(String operation, Queue queue, byte[] body, Reader<T> reader) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException(operation + " on the queue '" + queue.name() + "' was interrupted");
        }
        AwsCredentialsIdentity identity = credentials.current();
        RequestTemplate known = template(queue, identity);
        AcquireInitialTokenResponse first = retries.acquireInitialToken(AcquireInitialTokenRequest.create(SCOPE));
        RetryToken token = first.token();
        await(first.delay());
        List<SdkException> failures = List.of();
        while (true) {
            try {
                T result = attempt(known, identity, operation, body, reader);
                var unused = retries.recordSuccess(RecordSuccessRequest.create(token));
                return result;
            } catch (SdkException failure) {
                if (Thread.currentThread().isInterrupted()) {
                    throw failure;
                }
                failures = failures.isEmpty() ? new ArrayList<>(3) : failures;
                failures.add(failure);
                token = refreshed(token, known, operation, failures);
            }
        }
    }

    /** Returns the token for another attempt when it is due; throws the last failure if there is to be none. */
    private RetryToken refreshed(RetryToken token, RequestTemplate known, String operation, List<SdkException> failures)
            throws InterruptedException {
        SdkException failure = failures.getLast();
        RefreshRetryTokenRequest.Builder request = RefreshRetryTokenRequest.builder()
                .token(token)
                .failure(failure)
                .suggestedDelay(known.retryAfter().of(failure));
        RetriesOf2026.longPolling(request, operation.equals("ReceiveMessage"));
        RefreshRetryTokenResponse next;
        try {
            next = retries.refreshRetryToken(request.build());
        } catch (TokenAcquisitionFailedException enough) {
            await(RetriesOf2026.delay(enough));
            throw last(failures);
        }
        await(next.delay());
        return next.token();
    }

    /** Returns the last failure with the count of attempts, and with the messages of those before it. */
    private static SdkException last(List<SdkException> failures) {
        SdkException last =
                failures.getLast().toBuilder().numAttempts(failures.size()).build();
        for (int i = 0; i < failures.size() - 1; i++) {
            last.addSuppressed(SdkClientException.builder()
                    .message("Request attempt " + (i + 1) + " failure: "
                            + failures.get(i).getMessage())
                    .writableStackTrace(false)
                    .build());
        }
        return last;
    }

    private void await(Duration delay) throws InterruptedException {
        if (delay.isPositive()) {
            pause.await(delay);
        }
    }

    private <T> T attempt(
            RequestTemplate known, AwsCredentialsIdentity identity, String operation, byte[] body, Reader<T> reader) {
        int offset = known.clock().offset();
        HttpExecuteRequest request = signed(known, identity, known.clock().at(offset), operation, body);
        try {
            HttpExecuteResponse executed = http.prepareRequest(request).call();
            SdkHttpResponse response = executed.httpResponse();
            try (ResponseBody received = ResponseBody.read(executed)) {
                if (response.isSuccessful()) {
                    return result(response, received, reader);
                }
                AwsServiceException refused = ErrorResponses.of(response, received, Duration.ofSeconds(offset));
                if (refused.isClockSkewException()) {
                    known.clock().correct(response);
                }
                throw refused;
            }
        } catch (IOException e) {
            throw SdkClientException.create("Unable to execute HTTP request: " + e.getMessage(), e);
        }
    }

    /** An unreadable body counts as a failure of the connection, as it does in the SDK: another attempt may bring a whole one. */
    private static <T> T result(SdkHttpResponse response, ResponseBody received, Reader<T> reader) {
        IOException cut = received.cut();
        try {
            ResponseBody content = received.content(response);
            cut = cut == null ? content.cut() : cut;
            if (cut != null && new JsonReader(content.bytes(), content.length()).isEmpty()) {
                throw cut;
            }
            return reader.read(content.bytes(), content.length());
        } catch (IOException e) {
            throw unreadable(response, new UncheckedIOException(e));
        } catch (UnreadableJsonException e) {
            IOException cause = cut == null ? new IOException(e.getMessage(), e) : cut;
            throw unreadable(response, new UncheckedIOException(cause));
        } catch (SdkException | IncompleteResponseException e) {
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

    private static HttpExecuteRequest signed(
            RequestTemplate known, AwsCredentialsIdentity identity, Instant time, String operation, byte[] body) {
        return HttpExecuteRequest.builder()
                .request(known.signer().sign(identity, time, "AmazonSQS." + operation, body))
                .contentStreamProvider(() -> new BodyStream(body))
                .build();
    }

    private RequestTemplate template(Queue queue, AwsCredentialsIdentity identity) {
        RequestTemplate known = template;
        if (known == null) {
            known = RequestTemplate.learn(sqs, queue, identity, now);
            template = known;
        }
        return known;
    }
}
