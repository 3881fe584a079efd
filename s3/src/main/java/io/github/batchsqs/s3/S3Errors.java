/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.s3;

import io.github.batchsqs.payload.PayloadStoreException;
import java.io.IOException;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.core.exception.SdkException;

/** Explains failures of calls to S3: whether another try may help, the remedy, and a code for the meters. Pure. */
final class S3Errors {

    static final String ACCESS_DENIED = "AccessDenied";
    static final String NO_SUCH_BUCKET = "NoSuchBucket";
    static final String INVALID_OBJECT_STATE = "InvalidObjectState";
    static final String NOT_IMPLEMENTED = "NotImplemented";

    /** The code of a call without a response. */
    static final String NO_RESPONSE = "NoResponse";

    /** The code of a payload that the store refuses without a call, or whose object it does not read. */
    static final String REFUSED = "Refused";

    /** The code of all errors that are not known here, so that a meter has few codes, whatever a server responds. */
    static final String OTHER = "Other";

    /** Refusals that pass by themselves, or with the next credentials of the provider. */
    private static final Set<String> PASSING = Set.of(
            "ConditionalRequestConflict",
            "ExpiredToken",
            "KMS.ThrottlingException",
            "OperationAborted",
            "RequestTimeTooSkewed",
            "RequestTimeout",
            "SlowDown",
            "TemporaryRedirect",
            "Throttling",
            "ThrottlingException",
            "TokenRefreshRequired",
            "TooManyRequests");

    /** The client calls another region than that of the bucket. */
    private static final Set<String> OTHER_REGION =
            Set.of("AuthorizationHeaderMalformed", "IllegalLocationConstraintException", "PermanentRedirect");

    private static final Set<String> CREDENTIALS = Set.of("InvalidAccessKeyId", "SignatureDoesNotMatch");

    /** Further codes that the meters show. */
    private static final Set<String> SHOWN = Set.of(
            ACCESS_DENIED,
            NO_SUCH_BUCKET,
            INVALID_OBJECT_STATE,
            NOT_IMPLEMENTED,
            "InternalError",
            "MalformedXML",
            "NoSuchKey",
            "ServiceUnavailable");

    private static final int REDIRECTION = 300;
    private static final int REFUSAL = 400;
    private static final int FORBIDDEN = 403;
    private static final int NOT_FOUND = 404;
    private static final int REQUEST_TIMEOUT = 408;
    private static final int TOO_MANY_REQUESTS = 429;
    private static final int SERVER_ERROR = 500;
    private static final int NOT_IMPLEMENTED_STATUS = 501;

    private S3Errors() {}

    /** Returns whether the same call may succeed soon, without a change of settings, permissions or the bucket. */
    static boolean passes(SdkException failure) {
        int status = status(failure);
        return status < REDIRECTION
                || (status >= SERVER_ERROR && !isNotImplemented(failure))
                || status == REQUEST_TIMEOUT
                || status == TOO_MANY_REQUESTS
                || PASSING.contains(codeOf(failure));
    }

    /** Returns whether the server, which is not that of AWS, has no such call. */
    static boolean isNotImplemented(SdkException failure) {
        return status(failure) == NOT_IMPLEMENTED_STATUS || codeOf(failure).equals(NOT_IMPLEMENTED);
    }

    /** Returns whether S3 refused a call for what is in it, and not for the bucket, the credentials or the moment. */
    static boolean blamesContent(SdkException failure) {
        String code = codeOf(failure);
        return status(failure) >= REFUSAL
                && !passes(failure)
                && status(failure) != FORBIDDEN
                && !code.equals(NO_SUCH_BUCKET)
                && !OTHER_REGION.contains(code)
                && !CREDENTIALS.contains(code);
    }

    /**
     * Returns what mends the failure, as the end of a sentence; empty if nothing is known.
     *
     * @param action the action to allow
     */
    static String remedy(SdkException failure, String action) {
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
            case FORBIDDEN -> denied(String.valueOf(failure.getMessage()), action);
            case NOT_FOUND -> "; create the bucket, or correct its name in batchsqs.s3.bucket or read-buckets";
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
    static String reason(SdkException failure) {
        AwsErrorDetails details = details(failure);
        if (details != null) {
            return details.errorCode() == null
                    ? "status " + status(failure)
                    : details.errorCode() + " (" + details.errorMessage() + ")";
        }
        IOException broken = causeOf(failure, IOException.class);
        return broken != null ? String.valueOf(broken.getMessage()) : String.valueOf(failure.getMessage());
    }

    /** Returns the code of a failure for the meters: one of a few. */
    static String meterCode(PayloadStoreException failure) {
        return switch (failure.getCause()) {
            case AwsServiceException service when isNotImplemented(service) -> NOT_IMPLEMENTED;
            case AwsServiceException service -> meterCode(codeOf(service));
            case SdkClientException unsent -> NO_RESPONSE;
            case null -> REFUSED;
            default -> OTHER;
        };
    }

    /** Returns a code of S3 for the meters: one of a few. */
    static String meterCode(String code) {
        boolean known = SHOWN.contains(code)
                || PASSING.contains(code)
                || OTHER_REGION.contains(code)
                || CREDENTIALS.contains(code);
        return known ? code : OTHER;
    }

    /** Returns a cause of this type, or {@code null}. */
    static <E extends Exception> @Nullable E causeOf(Throwable failure, Class<E> type) {
        Throwable cause = failure.getCause();
        while (cause != null && !type.isInstance(cause)) {
            cause = cause.getCause();
        }
        return type.cast(cause);
    }

    /** Returns the code of S3's error; empty without one. */
    static String codeOf(SdkException failure) {
        AwsErrorDetails details = details(failure);
        return details == null || details.errorCode() == null ? "" : details.errorCode();
    }

    private static @Nullable AwsErrorDetails details(SdkException failure) {
        return failure instanceof AwsServiceException service ? service.awsErrorDetails() : null;
    }

    private static int status(SdkException failure) {
        return failure instanceof AwsServiceException service ? service.statusCode() : 0;
    }

    private static boolean isRedirection(SdkException failure) {
        return status(failure) >= REDIRECTION && status(failure) < REFUSAL;
    }

    private static @Nullable String region(SdkException failure) {
        AwsErrorDetails details = details(failure);
        return details == null || details.sdkHttpResponse() == null
                ? null
                : details.sdkHttpResponse()
                        .firstMatchingHeader("x-amz-bucket-region")
                        .orElse(null);
    }
}
