/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.sdk;

import io.github.batchsqs.client.QueueCallException;
import io.github.batchsqs.internal.support.Causes;
import io.github.batchsqs.internal.support.SqsErrors;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import javax.net.ssl.SSLHandshakeException;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.AbortedException;
import software.amazon.awssdk.core.exception.ApiCallAttemptTimeoutException;
import software.amazon.awssdk.core.exception.ApiCallTimeoutException;
import software.amazon.awssdk.core.exception.NonRetryableException;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.exception.SdkServiceException;
import software.amazon.awssdk.core.retry.ClockSkew;
import software.amazon.awssdk.http.SdkHttpResponse;
import software.amazon.awssdk.retries.api.TokenAcquisitionFailedException;

/**
 * Makes calls, and translates the failures of the SDK into this library's errors, with one spelling of each code.
 *
 * <p>A call is one attempt, unless an application's own client of the SDK repeats it. {@code retryable} here decides whether the
 * caller, who owns the retries, should try again:
 *
 * <ul>
 *   <li>5xx, throttling (of SQS or KMS), {@code OverLimit}, no response, an unreadable response: yes.
 *   <li>Expired credentials and a clock that is off: yes. The SDK's providers fetch new credentials before they expire,
 *       so this is the moment between, and the SDK corrects the clock by the server's.
 *   <li>Credentials that cannot be loaded at all: yes, since the instance's or pod's credential endpoint has short
 *       outages.
 *   <li>A queue that was deleted a minute ago and cannot be created yet: yes.
 *   <li>Access denied, wrong keys or signature, no such queue, a KMS key that is disabled or missing, a request that is
 *       wrong in itself, a response without an error code with a 4xx status: no. Someone has to change something first.
 *   <li>A client that was closed: no.
 * </ul>
 */
public final class CallFailures {

    private static final Set<String> CLOCK_CODES =
            Set.of("RequestExpired", "RequestInTheFuture", "RequestTimeTooSkewed");

    private static final Set<String> SIGNATURE_CODES =
            Set.of("AuthFailure", "InvalidSignatureException", "SignatureDoesNotMatch");

    private static final String CLOCK =
            "Check the clock of this machine. If it is right, check the access key, the secret and the region";

    /** The attempt ended before any of it was sent; this library's HTTP client says so itself. */
    private static final Set<Class<? extends Throwable>> UNSENT = Set.of(
            NotSentException.class, ConnectException.class, UnknownHostException.class, SSLHandshakeException.class);

    private CallFailures() {}

    /**
     * Makes a call and returns its result.
     *
     * @param queue the queue as the user knows it
     * @throws QueueCallException if the call failed
     * @throws InterruptedException if the call was aborted by an interrupt; the thread's flag is cleared
     */
    public static <T> T call(String operation, String queue, SdkCall<T> call) throws InterruptedException {
        return made(operation, queue, call, true);
    }

    /** Does what precedes a call, and throws what {@link #call} does; but then SQS has got nothing. */
    public static <T> T before(String operation, String queue, SdkCall<T> step) throws InterruptedException {
        return made(operation, queue, step, false);
    }

    private static <T> T made(String operation, String queue, SdkCall<T> call, boolean sends)
            throws InterruptedException {
        try {
            return call.make();
        } catch (RuntimeException e) {
            throw translate(operation, queue, e, sends);
        }
    }

    private static QueueCallException translate(String operation, String queue, RuntimeException e, boolean sends)
            throws InterruptedException {
        if (Thread.interrupted() || e instanceof AbortedException) {
            InterruptedException interrupted =
                    new InterruptedException(operation + " on the queue '" + queue + "' was interrupted");
            interrupted.initCause(e);
            throw interrupted;
        }
        if (e instanceof AwsServiceException refusal) {
            return refused(operation, queue, refusal, sends);
        }
        boolean retryable = !(e instanceof NonRetryableException || isOfClosedClient(e));
        String code = kind(e);
        return new QueueCallException(
                operation,
                code,
                SqsErrors.message(operation, queue, code, "", e.getMessage()),
                retryable,
                false,
                sends && (isRepeated(e) || !Causes.isAny(e, UNSENT)),
                Duration.ZERO,
                e);
    }

    private static QueueCallException refused(String operation, String queue, AwsServiceException e, boolean sends) {
        AwsErrorDetails details = e.awsErrorDetails();
        boolean redirect = isRedirect(e);
        String given = details == null ? null : details.errorCode();
        boolean strange = !redirect && (given == null || given.isEmpty());
        String code = strange ? SqsErrors.NOT_FROM_SQS : SqsErrors.plain(given);
        String reported = details == null ? e.getMessage() : details.errorMessage();
        String words;
        if (redirect) {
            words =
                    "The response is a redirect, which SQS does not send; check the endpoint, and the proxies between here"
                            + " and SQS";
        } else if (strange) {
            words = "The response has no error code, so it does not come from SQS itself (HTTP " + e.statusCode() + ")";
        } else {
            words = reported == null || reported.isBlank() ? "SQS gave no reason" : reported;
        }
        boolean clock = CLOCK_CODES.contains(code) || (SIGNATURE_CODES.contains(code) && isClockOff(details));
        boolean retryable =
                redirect || e.statusCode() >= 500 || SqsErrors.passes(code, true) || isThrottled(e) || clock;
        String where = strange ? "" : " (HTTP " + e.statusCode() + ", request id " + e.requestId() + ")";
        String remedy = clock ? CLOCK : SqsErrors.remedy(operation, code);
        return new QueueCallException(
                operation,
                code,
                SqsErrors.message(operation, queue, code, where, words, remedy),
                retryable,
                sends && !redirect && e.statusCode() < 500,
                sends && (redirect || e.statusCode() >= 500 || isRepeated(e)),
                retryAfter(details),
                e);
    }

    /**
     * Returns whether the failure itself, its causes aside, is the response to a throttled call of any service of AWS, as the SDK knows it:
     * by the error code, such as S3's {@code SlowDown}, and by status 429.
     */
    public static boolean isThrottled(Throwable failure) {
        return failure instanceof SdkServiceException response && response.isThrottlingException();
    }

    /** Returns whether the response came from something between here and SQS. */
    private static boolean isRedirect(AwsServiceException e) {
        return e.statusCode() >= 300 && e.statusCode() < 400;
    }

    /** Returns whether the SDK made more than one attempt; it keeps to itself how those before the last one ended. */
    private static boolean isRepeated(RuntimeException e) {
        return e instanceof SdkException failure && Objects.requireNonNullElse(failure.numAttempts(), 1) > 1;
    }

    /** Returns the delay that the response asks for, zero if it asks for none or for a date. */
    private static Duration retryAfter(@Nullable AwsErrorDetails details) {
        SdkHttpResponse response = details == null ? null : details.sdkHttpResponse();
        if (response == null) {
            return Duration.ZERO;
        }
        String millis = response.firstMatchingHeader("x-amz-retry-after").orElse("");
        String seconds = response.firstMatchingHeader("Retry-After").orElse("");
        try {
            return millis.isEmpty()
                    ? Duration.ofSeconds(Math.max(0, Integer.parseInt(seconds)))
                    : Duration.ofMillis(Math.max(0, Integer.parseInt(millis)));
        } catch (NumberFormatException e) {
            return Duration.ZERO;
        }
    }

    /**
     * Returns whether the clock of this machine may be why SQS refused a signature: the date of the response shows it. The SDK's own
     * judgement of an exception knows nothing of its first attempt.
     */
    private static boolean isClockOff(@Nullable AwsErrorDetails details) {
        SdkHttpResponse response = details == null ? null : details.sdkHttpResponse();
        Instant server =
                response == null ? null : ClockSkew.getServerTime(response).orElse(null);
        return ClockSkew.isClockSkewed(Instant.now(), server);
    }

    /** The HTTP client says so, or the SDK's timer of attempts. */
    private static boolean isOfClosedClient(RuntimeException e) {
        return e instanceof IllegalStateException
                || e instanceof RejectedExecutionException
                || e.getCause() instanceof RejectedExecutionException;
    }

    private static String kind(RuntimeException e) {
        if (isOfClosedClient(e)) {
            return "ClientClosed";
        }
        if (e instanceof ApiCallTimeoutException || e instanceof ApiCallAttemptTimeoutException) {
            return "TimedOut";
        }
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (cause instanceof SocketTimeoutException) {
                return "ReadTimedOut";
            }
            if (cause instanceof UncheckedIOException) {
                return "UnreadableResponse";
            }
            if (cause instanceof IOException) {
                return "ConnectionFailed";
            }
        }
        return e instanceof SdkClientException || e instanceof TokenAcquisitionFailedException
                ? "ClientFailed"
                : "UnreadableResponse";
    }
}
