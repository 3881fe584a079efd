/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.s3;

import io.github.batchsqs.internal.support.Causes;
import io.github.batchsqs.payload.PayloadStoreException;
import java.io.IOException;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.http.HttpStatusCode;

/** Explains failures of calls to S3: whether another try may help, the remedy, and a code for the meters. Pure. */
final class S3Errors {

    static final String INVALID_OBJECT_STATE = "InvalidObjectState";

    /** The code of a call without a response. */
    static final String NO_RESPONSE = "NoResponse";

    /** The code of a payload that the store refuses without a call, or whose object it does not read. */
    static final String REFUSED = "Refused";

    /** The code of errors that have none, and of failures that are not those of S3. */
    static final String OTHER = "Other";

    /** Refusals that pass by themselves, or with the next credentials of the provider, beside those that the SDK knows as throttling. */
    private static final Set<String> PASSING = Set.of(
            "ConditionalRequestConflict",
            "ExpiredToken",
            "KMS.ThrottlingException",
            "OperationAborted",
            "RequestTimeTooSkewed",
            "RequestTimeout",
            "TemporaryRedirect",
            "TokenRefreshRequired",
            "TooManyRequests");

    /** The client calls another region than that of the bucket. */
    private static final Set<String> OTHER_REGION =
            Set.of("AuthorizationHeaderMalformed", "IllegalLocationConstraintException", "PermanentRedirect");

    private static final Set<String> CREDENTIALS = Set.of("InvalidAccessKeyId", "SignatureDoesNotMatch");

    private static final int REDIRECTION = 300;
    private static final int NOT_IMPLEMENTED = 501;

    private S3Errors() {}

    /** Returns whether the same call may succeed soon, without a change of settings, permissions or the bucket. */
    static boolean passes(RuntimeException failure) {
        int status = status(failure);
        return status < REDIRECTION
                || (status >= HttpStatusCode.INTERNAL_SERVER_ERROR && status != NOT_IMPLEMENTED)
                || status == HttpStatusCode.REQUEST_TIMEOUT
                || (failure instanceof AwsServiceException service && service.isThrottlingException())
                || PASSING.contains(codeOf(failure));
    }

    /** Returns whether the server refused a call for what is in it, or because it has no such call. */
    static boolean blamesContent(PayloadStoreException failure) {
        return failure.getCause() instanceof AwsServiceException service
                && !passes(service)
                && (status(service) == HttpStatusCode.BAD_REQUEST || status(service) == NOT_IMPLEMENTED);
    }

    /**
     * Returns what mends the failure, as the end of a sentence; empty if nothing is known.
     *
     * @param action the action to allow
     */
    static String remedy(RuntimeException failure, String action) {
        String code = codeOf(failure);
        if (OTHER_REGION.contains(code) || (isRedirection(failure) && !passes(failure))) {
            String region = region(failure);
            return "; the bucket is in " + (region == null ? "another region" : "the region " + region)
                    + ", which the S3Client does not call: set spring.cloud.aws.s3.region to it, or"
                    + " spring.cloud.aws.s3.cross-region-enabled to true";
        }
        if (CREDENTIALS.contains(code)) {
            return "; check the credentials of the S3Client";
        }
        if (code.equals(INVALID_OBJECT_STATE)) {
            return "; restore the object from its archive, and let no lifecycle rule archive payloads";
        }
        return switch (status(failure)) {
            case HttpStatusCode.FORBIDDEN -> denied(String.valueOf(failure.getMessage()), action);
            case HttpStatusCode.NOT_FOUND ->
                "; create the bucket, or correct its name in batchsqs.s3.bucket or read-buckets";
            default -> "";
        };
    }

    private static String denied(String message, String action) {
        if (message.contains("kms:")) {
            return "; allow the action of the KMS key that the error names, for the key that encrypts the bucket";
        }
        return "; allow " + action + " on the objects of the bucket"
                + (action.equals("s3:GetObject")
                        ? ", and s3:ListBucket on the bucket, without which S3 does not tell that an object is missing"
                        : "");
    }

    /** Returns the reason in the words of S3, or of the connection. */
    static String reason(RuntimeException failure) {
        AwsErrorDetails details = details(failure);
        if (details != null) {
            return details.errorCode() == null
                    ? "status " + status(failure)
                    : details.errorCode() + " (" + details.errorMessage() + ")";
        }
        if (!(failure instanceof SdkException)) { // of a custom client
            return failure.toString();
        }
        IOException broken = Causes.find(failure, IOException.class);
        return String.valueOf(broken == null ? failure.getMessage() : broken.getMessage());
    }

    /** Returns the code of a failure for the meters. */
    static String meterCode(PayloadStoreException failure) {
        return switch (failure.getCause()) {
            case AwsServiceException service -> meterCode(codeOf(service));
            case SdkClientException unsent -> NO_RESPONSE;
            case null -> REFUSED;
            default -> OTHER;
        };
    }

    /** Returns a code of S3 for the meters. */
    static String meterCode(@Nullable String code) {
        return code == null || code.isEmpty() ? OTHER : code;
    }

    /** Returns the code of S3's error; empty without one. */
    static String codeOf(RuntimeException failure) {
        AwsErrorDetails details = details(failure);
        return details == null || details.errorCode() == null ? "" : details.errorCode();
    }

    private static @Nullable AwsErrorDetails details(RuntimeException failure) {
        return failure instanceof AwsServiceException service ? service.awsErrorDetails() : null;
    }

    private static int status(RuntimeException failure) {
        return failure instanceof AwsServiceException service ? service.statusCode() : 0;
    }

    private static boolean isRedirection(RuntimeException failure) {
        return status(failure) >= REDIRECTION && status(failure) < HttpStatusCode.BAD_REQUEST;
    }

    private static @Nullable String region(RuntimeException failure) {
        AwsErrorDetails details = details(failure);
        return details == null || details.sdkHttpResponse() == null
                ? null
                : details.sdkHttpResponse()
                        .firstMatchingHeader("x-amz-bucket-region")
                        .orElse(null);
    }
}
