/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.client;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.SocketTimeoutException;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.AbortedException;
import software.amazon.awssdk.core.exception.ApiCallAttemptTimeoutException;
import software.amazon.awssdk.core.exception.ApiCallTimeoutException;
import software.amazon.awssdk.core.exception.NonRetryableException;
import software.amazon.awssdk.core.exception.SdkClientException;

/**
 * Turns what the SDK throws into this library's errors, with one spelling of each code, and says which of them pass.
 *
 * <p>The SDK has retried before, by its own rules; {@code retryable} here says whether the caller should go on, with
 * backoff and under a deadline of its own:
 *
 * <ul>
 *   <li>5xx, throttling (of SQS or KMS), {@code OverLimit}, no answer, an answer that cannot be read: yes.
 *   <li>Expired credentials and a clock that is off: yes. The SDK's providers fetch new credentials before they expire,
 *       so this is the moment between, and the SDK corrects the clock by the server's.
 *   <li>Credentials that cannot be loaded at all: yes, since the instance's or pod's credential endpoint has short
 *       outages.
 *   <li>A queue that was deleted a minute ago and cannot be created yet: yes.
 *   <li>Access denied, wrong keys or signature, no such queue, a KMS key that is disabled or missing, a request that is
 *       wrong in itself: no. Someone has to change something first.
 *   <li>A client that was closed: no.
 * </ul>
 */
final class CallFailures {

    private static final String PREFIX = "AWS.SimpleQueueService.";
    static final String NO_SUCH_QUEUE = "QueueDoesNotExist";

    private static final Set<String> PASSING = Set.of(
            "BandwidthLimitExceeded",
            "ExpiredToken",
            "ExpiredTokenException",
            "InternalError",
            "InternalFailure",
            "InternalServerError",
            "KMS.ThrottlingException",
            "KmsThrottled",
            "OverLimit",
            "PriorRequestNotComplete",
            "QueueDeletedRecently",
            "RequestExpired",
            "RequestInTheFuture",
            "RequestLimitExceeded",
            "RequestThrottled",
            "RequestThrottledException",
            "RequestTimeTooSkewed",
            "RequestTimeout",
            "RequestTimeoutException",
            "ServiceUnavailable",
            "ServiceUnavailableException",
            "SlowDown",
            "ThrottledException",
            "Throttling",
            "ThrottlingException",
            "TooManyRequestsException");

    /** Codes that never pass. Some servers blame themselves for them, and a retry would go on until the deadline. */
    private static final Set<String> FINAL = Set.of(
            "InvalidAttributeValue",
            "InvalidMessageContents",
            "InvalidParameterValue",
            "MessageNotInflight",
            "MissingParameter",
            "ReceiptHandleIsInvalid",
            "UnsupportedOperation");

    private CallFailures() {}

    /** Whether an entry that failed in an answer that is otherwise fine may be accepted later. */
    static boolean passes(String code, boolean senderFault) {
        return senderFault ? PASSING.contains(code) : !FINAL.contains(code);
    }

    /** The code without the prefix that SQS puts before some, and without the older of two names for one thing. */
    static String plain(@Nullable String code) {
        if (code == null || code.isEmpty()) {
            return "Unknown";
        }
        String plain = code.startsWith(PREFIX) ? code.substring(PREFIX.length()) : code;
        return plain.equals("NonExistentQueue") ? NO_SUCH_QUEUE : plain;
    }

    /**
     * The error to throw for what the SDK threw.
     *
     * @param queue the queue as the user knows it
     * @throws InterruptedException if the call was aborted by an interrupt; the thread's flag is cleared
     */
    static QueueCallException translate(String operation, String queue, RuntimeException e)
            throws InterruptedException {
        if (Thread.interrupted() || e instanceof AbortedException) {
            InterruptedException interrupted =
                    new InterruptedException(operation + " on the queue '" + queue + "' was interrupted");
            interrupted.initCause(e);
            throw interrupted;
        }
        if (e instanceof AwsServiceException answered) {
            return refused(operation, queue, answered);
        }
        boolean retryable = !(e instanceof NonRetryableException || e instanceof IllegalStateException);
        String code = kind(e);
        return new QueueCallException(
                operation, code, message(operation, queue, code, "", e.getMessage()), retryable, e);
    }

    private static QueueCallException refused(String operation, String queue, AwsServiceException e) {
        AwsErrorDetails details = e.awsErrorDetails();
        String code = plain(details == null ? null : details.errorCode());
        boolean retryable = e.statusCode() >= 500
                || e.statusCode() == 429
                || PASSING.contains(code)
                || e.isThrottlingException()
                || e.isClockSkewException();
        String where = " (HTTP " + e.statusCode() + ", request id " + e.requestId() + ")";
        String words = details == null ? e.getMessage() : details.errorMessage();
        return new QueueCallException(operation, code, message(operation, queue, code, where, words), retryable, e);
    }

    private static String kind(RuntimeException e) {
        if (e instanceof ApiCallTimeoutException || e instanceof ApiCallAttemptTimeoutException) {
            return "TimedOut";
        }
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (cause instanceof SocketTimeoutException) {
                return "ReadTimedOut";
            }
            if (cause instanceof UncheckedIOException) {
                return "UnreadableAnswer";
            }
            if (cause instanceof IOException) {
                return "ConnectionFailed";
            }
        }
        if (e instanceof IllegalStateException) {
            return "ClientClosed";
        }
        return e instanceof SdkClientException ? "ClientFailed" : "UnreadableAnswer";
    }

    private static String message(String operation, String queue, String code, String where, @Nullable String words) {
        String remedy = remedy(operation, code);
        return operation + " on the queue '" + queue + "' failed with " + code + where + ": " + words
                + (remedy.isEmpty() ? "" : ". " + remedy);
    }

    private static String remedy(String operation, String code) {
        return switch (code) {
            case NO_SUCH_QUEUE -> "Check the queue's name, and the region and account of the credentials";
            case "AccessDenied", "AccessDeniedException" ->
                "Allow the credentials the action sqs:" + operation.replace("Batch", "") + " on the queue";
            case "KmsAccessDenied", "KMS.AccessDeniedException" ->
                "Allow the credentials kms:Decrypt, and for sending kms:GenerateDataKey, on the queue's key";
            case "KmsThrottled", "KMS.ThrottlingException" ->
                "Raise the queue's KmsDataKeyReusePeriodSeconds or the KMS request quota";
            case "InvalidClientTokenId",
                    "UnrecognizedClientException",
                    "InvalidAccessKeyId",
                    "InvalidSecurity",
                    "InvalidSignatureException",
                    "SignatureDoesNotMatch",
                    "MissingAuthenticationToken" ->
                "Check the access key, the secret and the region of the credentials";
            case "ExpiredToken", "ExpiredTokenException" ->
                "Check that the credentials provider refreshes its session credentials";
            case "RequestTimeTooSkewed", "RequestExpired", "RequestInTheFuture" -> "Check the clock of this machine";
            case "OverLimit" -> "About 120,000 messages of the queue are in flight: settle or give back some";
            case "RequestThrottled", "ThrottlingException" ->
                "On a FIFO queue, use full batches or turn on high throughput";
            case "BatchRequestTooLong" -> "Send fewer or smaller messages in a batch: it may hold 1 MiB in all";
            case "ReadTimedOut" ->
                "The HTTP client's read timeout must be above the wait of a receive (20 s by default)";
            default -> "";
        };
    }
}
