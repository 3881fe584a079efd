/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.direct;

import io.github.batchsqs.client.Queue;
import io.github.batchsqs.internal.http.PooledHttpClient;
import io.github.batchsqs.internal.sdk.IncompleteResponseException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
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

/** Signs, sends and reads: one attempt for each call. Whoever calls owns the retries. */
final class HttpCalls {

    private final SqsClient sqs;
    private final SdkHttpClient http;
    private final Supplier<Instant> now;
    private final CurrentCredentials credentials;

    private volatile @Nullable RequestTemplate template;

    HttpCalls(SqsClient sqs, SdkHttpClient http, Supplier<Instant> now) {
        this.sqs = sqs;
        this.http = http;
        this.now = now;
        this.credentials =
                new CurrentCredentials(sqs.serviceClientConfiguration().credentialsProvider());
    }

    /**
     * Calls the operation once.
     *
     * @param limit how long the call may last: the wait for credentials and for a connection, and the exchange
     * @return what the reader made of the response's body
     * @throws software.amazon.awssdk.core.exception.SdkException the failure
     */
    <T> T call(String operation, Queue queue, JsonWriter body, Duration limit, Function<ResponseJson, T> reader)
            throws InterruptedException {
        long began = System.nanoTime();
        if (Thread.interrupted()) {
            throw new InterruptedException(operation + " on the queue '" + queue.name() + "' was interrupted");
        }
        AwsCredentials identity = credentials.current(limit);
        RequestTemplate known = template(queue, identity);
        Duration left = limit.minusNanos(System.nanoTime() - began);
        return attempt(known, identity, operation, body, left.isPositive() ? left : Duration.ofNanos(1), reader);
    }

    private <T> T attempt(
            RequestTemplate known,
            AwsCredentials identity,
            String operation,
            JsonWriter body,
            Duration limit,
            Function<ResponseJson, T> reader) {
        int offset = known.clock().offset();
        HttpExecuteRequest request = HttpExecuteRequest.builder()
                .request(known.signer().sign(identity, known.clock().at(offset), "AmazonSQS." + operation, body))
                .contentStreamProvider(body::stream)
                .build();
        try {
            HttpExecuteResponse executed = prepared(request, limit).call();
            SdkHttpResponse response = executed.httpResponse();
            try (ResponseBody received = new ResponseBody(executed)) {
                if (response.isSuccessful()) {
                    return result(response, received, reader);
                }
                AwsServiceException refused = ErrorResponses.of(response, received, offset);
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
    private static <T> T result(SdkHttpResponse response, ResponseBody received, Function<ResponseJson, T> reader) {
        try {
            IOException cut = received.cut();
            if (cut != null) {
                throw cut;
            }
            try (ResponseJson json = new ResponseJson(received.bytes(), received.length())) {
                return reader.apply(json);
            }
        } catch (IOException e) {
            throw unreadable(response, new UncheckedIOException(e));
        } catch (JacksonException e) {
            IOException unexpected =
                    new IOException("The response is not the JSON that was expected"); // e may quote it
            throw unreadable(response, new UncheckedIOException(unexpected));
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
}
