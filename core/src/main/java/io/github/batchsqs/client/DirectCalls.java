/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.client;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Clock;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.HttpExecuteResponse;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.SdkHttpResponse;
import software.amazon.awssdk.identity.spi.AwsCredentialsIdentity;
import software.amazon.awssdk.identity.spi.IdentityProvider;
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

/** Signs, sends, and repeats what failed as the client's retry strategy has it. */
final class DirectCalls {

    /** Waits before a retry. */
    interface Pause {
        void await(Duration delay) throws InterruptedException;
    }

    static final Pause SLEEPING = delay -> TimeUnit.NANOSECONDS.sleep(delay.toNanos());

    /** One bucket of retry tokens for all calls of a client, as the SDK has it. */
    private static final String SCOPE = "GLOBAL";

    private final SqsClient sqs;
    private final SdkHttpClient http;
    private final Pause pause;
    private final RetryStrategy retries;
    private final IdentityProvider<? extends AwsCredentialsIdentity> credentials;

    private volatile @Nullable DirectTemplate template;

    /** Runs with the server's clock where ours was found to be off. */
    private volatile Clock clock = Clock.systemUTC();

    DirectCalls(SqsClient sqs, SdkHttpClient http, Pause pause) {
        this.sqs = sqs;
        this.http = http;
        this.pause = pause;
        SqsServiceClientConfiguration configuration = sqs.serviceClientConfiguration();
        this.credentials = configuration.credentialsProvider();
        this.retries = configuration
                .overrideConfiguration()
                .retryStrategy()
                .map(AwsRetryStrategy::addRetryConditions)
                .orElseGet(AwsRetryStrategy::standardRetryStrategy);
    }

    /**
     * Calls the operation until it succeeds or the retry strategy gives up.
     *
     * @return the answer's body
     * @throws SdkException the last failure
     */
    byte[] call(String operation, Queue queue, byte[] body) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException(operation + " on the queue '" + queue.name() + "' was interrupted");
        }
        AcquireInitialTokenResponse first = retries.acquireInitialToken(AcquireInitialTokenRequest.create(SCOPE));
        RetryToken token = first.token();
        await(first.delay());
        while (true) {
            try {
                byte[] answer = attempt(operation, queue, body);
                var unused = retries.recordSuccess(RecordSuccessRequest.create(token));
                return answer;
            } catch (SdkException failure) {
                if (Thread.currentThread().isInterrupted()) {
                    throw failure;
                }
                RefreshRetryTokenResponse next = next(token, failure);
                token = next.token();
                await(next.delay());
            }
        }
    }

    private RefreshRetryTokenResponse next(RetryToken token, SdkException failure) {
        try {
            return retries.refreshRetryToken(RefreshRetryTokenRequest.builder()
                    .token(token)
                    .failure(failure)
                    .suggestedDelay(Duration.ZERO)
                    .build());
        } catch (TokenAcquisitionFailedException enough) {
            throw failure;
        }
    }

    private void await(Duration delay) throws InterruptedException {
        if (delay.isPositive()) {
            pause.await(delay);
        }
    }

    private byte[] attempt(String operation, Queue queue, byte[] body) {
        HttpExecuteRequest request = signed(operation, queue, body);
        try {
            HttpExecuteResponse response = http.prepareRequest(request).call();
            byte[] answer = read(response);
            if (response.httpResponse().isSuccessful()) {
                return answer;
            }
            throw refused(response.httpResponse(), answer);
        } catch (IOException e) {
            throw SdkClientException.create("Unable to execute HTTP request: " + e.getMessage(), e);
        }
    }

    private HttpExecuteRequest signed(String operation, Queue queue, byte[] body) {
        DirectTemplate known = template(queue);
        Map<String, String> own =
                Map.of("content-length", Integer.toString(body.length), "x-amz-target", "AmazonSQS." + operation);
        SdkHttpRequest.Builder request = known.request().toBuilder();
        known.signer().sign(identity(), clock.instant(), own, body).forEach(request::putHeader);
        return HttpExecuteRequest.builder()
                .request(request.build())
                .contentStreamProvider(() -> new ByteArrayInputStream(body))
                .build();
    }

    private DirectTemplate template(Queue queue) {
        DirectTemplate known = template;
        if (known == null) {
            known = DirectTemplate.learn(sqs, queue);
            template = known;
        }
        return known;
    }

    private AwsCredentialsIdentity identity() {
        try {
            return credentials.resolveIdentity().join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw e;
        }
    }

    /** All of the body, so that the connection can be used again. */
    private static byte[] read(HttpExecuteResponse response) throws IOException {
        if (response.responseBody().isEmpty()) {
            return new byte[0];
        }
        int length = response.httpResponse()
                .firstMatchingHeader("Content-Length")
                .map(Integer::parseInt)
                .orElse(-1);
        try (InputStream stream = response.responseBody().get()) {
            if (length < 0) {
                return stream.readAllBytes();
            }
            byte[] bytes = stream.readNBytes(length); // what comes, whatever length the answer claims
            if (bytes.length < length) {
                throw new IOException("The answer ended after " + bytes.length + " of " + length + " bytes");
            }
            return bytes;
        }
    }

    private AwsServiceException refused(SdkHttpResponse response, byte[] body) {
        Instant now = Instant.now();
        Duration skew = skew(response, now);
        AwsServiceException refused = DirectErrors.of(response, body, skew);
        if (refused.isClockSkewException() && skew != null) {
            // The offset from the system's clock to the server's, never from one corrected before
            clock = Clock.offset(Clock.systemUTC(), skew.negated());
        }
        return refused;
    }

    /** How far our clock is ahead of the server's. */
    private static @Nullable Duration skew(SdkHttpResponse response, Instant now) {
        String date = response.firstMatchingHeader("Date").orElse("");
        try {
            return Duration.between(Instant.from(DateTimeFormatter.RFC_1123_DATE_TIME.parse(date)), now);
        } catch (DateTimeException e) {
            return null; // without a date there is nothing to correct by
        }
    }
}
