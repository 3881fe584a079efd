/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.support;

import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The error codes of SQS: one spelling of each, whether it passes, and what to do about it.
 *
 * <p>Knows nothing of the AWS SDK.
 */
public final class SqsErrors {

    private static final String PREFIX = "AWS.SimpleQueueService.";

    /** The queue does not exist. */
    public static final String NO_SUCH_QUEUE = "QueueDoesNotExist";

    /** A proxy, a gateway or a web server responded in place of SQS. */
    public static final String NOT_FROM_SQS = "NotFromSqs";

    /** The code of a call to which SQS has not responded in time, counted from its beginning. */
    public static final String NO_RESPONSE = "NoResponse";

    /** The codes of calls to which nobody has responded. */
    private static final Set<String> SILENCE = Set.of(NO_RESPONSE, "ConnectionFailed", "ReadTimedOut", "TimedOut");

    /** What the codes have in common that pass: of throttling, of outages, and of credentials and clocks that are renewed. */
    private static final Pattern PASSING =
            Pattern.compile("Throttl|SlowDown|TooManyRequests|LimitExceeded|OverLimit|PriorRequest|DeletedRecently"
                    + "|Internal|Unavailable|Timeout|Expired|InTheFuture|TooSkewed");

    /** Codes that never pass. Some servers blame themselves for them, and a retry would go on until the deadline. */
    private static final Set<String> FINAL = Set.of(
            "InvalidAttributeValue",
            "InvalidMessageContents",
            "InvalidParameterValue",
            "MessageNotInflight",
            "MissingParameter",
            "ReceiptHandleIsInvalid",
            "UnsupportedOperation");

    private static final String IN_FLIGHT = String.format(Locale.ROOT, "%,d", SqsLimits.MAX_IN_FLIGHT);

    private SqsErrors() {}

    /** Returns whether an entry that a successful call refused may be accepted later. */
    public static boolean passes(String code, boolean senderFault) {
        return senderFault ? PASSING.matcher(code).find() : !FINAL.contains(code);
    }

    /** Returns whether a call failed with this code because nobody responded to it. */
    public static boolean isSilence(String code) {
        return SILENCE.contains(code);
    }

    /** The code without the prefix that SQS puts before some, and without the older of two names for one thing. */
    public static String plain(@Nullable String code) {
        if (code == null || code.isEmpty()) {
            return "Unknown";
        }
        String plain = code.startsWith(PREFIX) ? code.substring(PREFIX.length()) : code;
        return plain.equals("NonExistentQueue") ? NO_SUCH_QUEUE : plain;
    }

    /** Returns the message of a failed call, with the remedy for its code. */
    public static String message(String operation, String queue, String code, String where, @Nullable String words) {
        return message(operation, queue, code, where, words, remedy(operation, code));
    }

    /** Returns the message of a failed call. */
    public static String message(
            String operation, String queue, String code, String where, @Nullable String words, String remedy) {
        return operation + " on the queue '" + queue + "' failed with " + code + where + ": "
                + (remedy.isEmpty() ? words : Words.unended(words) + ". " + remedy);
    }

    /** Returns what to do about a code; empty if nobody knows. */
    public static String remedy(String operation, String code) {
        return switch (code) {
            case NOT_FROM_SQS -> "Check the endpoint, and the proxies between here and SQS";
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
            case "OverLimit" ->
                "About " + IN_FLIGHT + " messages of the queue are in flight: settle some, or return them to the queue";
            case "RequestThrottled", "ThrottlingException" ->
                "On a FIFO queue, use full batches or turn on high throughput";
            case "BatchRequestTooLong" -> "Send fewer or smaller messages in a batch: it may hold 1 MiB in all";
            case "ReadTimedOut" ->
                "Check the network between here and SQS"
                        + (operation.equals("ReceiveMessage")
                                ? ". The read timeout of an HTTP client of your own must be above the wait of a receive"
                                : "");
            default -> "";
        };
    }
}
