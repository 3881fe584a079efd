/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.sdk;

import io.github.batchsqs.client.QueueCallException;
import io.github.batchsqs.internal.client.EntryResult;
import io.github.batchsqs.internal.client.SendEntry;
import io.github.batchsqs.internal.client.SentMessage;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.SdkPlugin;
import software.amazon.awssdk.core.client.config.ClientOverrideConfiguration;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.core.interceptor.ExecutionAttribute;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.SqsServiceClientConfiguration;

/**
 * Compares the MD5 digests in the response to a send with what was sent, for each entry on its own.
 *
 * <p>SQS has stored an entry whose digest differs, so the call is not repeated: that would store the entry and its
 * neighbours once more. The entry alone fails.
 */
public final class SentDigests {

    /** {@link EntryResult.Rejected#code()}: SQS took the entry, but what it stored is not what was sent. */
    static final String MISMATCH = "DigestMismatch";

    /** On a client: the SDK's check is off, and this one takes its place. */
    private static final ExecutionAttribute<Boolean> CHECKED_HERE = new ExecutionAttribute<>("BatchSqsChecksDigests");

    /** How the message of the SDK's own failed check begins; it has no type of its own. */
    private static final String WORDS_OF_THE_SDK = "MD5 returned by SQS does not match";

    public static final SdkPlugin CHECK_HERE = configuration -> {
        if (configuration instanceof SqsServiceClientConfiguration.Builder sqs
                && !Boolean.FALSE.equals(sqs.checksumValidationEnabled())) {
            sqs.checksumValidationEnabled(false);
            ClientOverrideConfiguration override = sqs.overrideConfiguration();
            sqs.overrideConfiguration(override.toBuilder()
                    .executionAttributes(override.executionAttributes().toBuilder()
                            .put(CHECKED_HERE, true)
                            .build())
                    .build());
        }
    };

    private SentDigests() {}

    /** Returns whether the client leaves the check to this class. */
    public static boolean checkedHere(SqsClient sqs) {
        return checkedHere(Attempts.configuration(sqs));
    }

    /** Returns whether a client so configured leaves the check to this class. */
    public static boolean checkedHere(ClientOverrideConfiguration configuration) {
        return Boolean.TRUE.equals(configuration.executionAttributes().getAttribute(CHECKED_HERE));
    }

    /** Returns whether digests are checked: unless the client disables that, as it must where MD5 is not available. */
    public static boolean wanted(SqsClient sqs) {
        return checkedHere(sqs)
                || !Boolean.FALSE.equals(sqs.serviceClientConfiguration().checksumValidationEnabled());
    }

    /**
     * Returns the failure of a send, not retryable if it was the SDK's check that failed: SQS has stored every message of
     * the call, and the SDK keeps the results to itself.
     */
    public static QueueCallException ofTheSdk(QueueCallException failure) {
        Throwable cause = failure.getCause();
        return cause instanceof SdkClientException
                        && String.valueOf(cause.getMessage()).startsWith(WORDS_OF_THE_SDK)
                ? new QueueCallException(
                        failure.operation(),
                        MISMATCH,
                        failure.getMessage() + ". SQS stored the messages of this call, at least one of them changed",
                        false,
                        cause)
                : failure;
    }

    /** Returns the result of an entry that SQS reports as accepted. */
    public static EntryResult<SentMessage> check(
            SendEntry entry, SentMessage sent, @Nullable String bodyDigest, @Nullable String attributesDigest) {
        if (!Digests.isOfBody(entry.body(), bodyDigest)) {
            return mismatch("body", sent, Digests.ofBody(entry.body()), bodyDigest);
        }
        if (!entry.attributes().isEmpty()) {
            String expected = Digests.ofAttributes(entry.attributes());
            if (!expected.equals(attributesDigest)) {
                return mismatch("attributes", sent, expected, attributesDigest);
            }
        }
        return new EntryResult.Accepted<>(sent);
    }

    private static EntryResult<SentMessage> mismatch(
            String part, SentMessage sent, String expected, @Nullable String returned) {
        return new EntryResult.Rejected<>(
                MISMATCH,
                "SQS stored the message as " + sent.messageId() + ", but with other " + part + " than were sent (MD5 "
                        + expected + " was sent, SQS reports " + returned
                        + "). Receivers see the changed message. Something on the way to SQS changes requests",
                false,
                true);
    }
}
