/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.s3;

import io.github.batchsqs.payload.PayloadStoreException;
import io.github.batchsqs.support.Check;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.AbortedException;
import software.amazon.awssdk.core.exception.ApiCallTimeoutException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.http.AbortableInputStream;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.Delete;
import software.amazon.awssdk.services.s3.model.GetObjectRequest;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;
import software.amazon.awssdk.services.s3.model.NoSuchKeyException;
import software.amazon.awssdk.services.s3.model.ObjectIdentifier;
import software.amazon.awssdk.services.s3.model.S3Error;

/** Calls to S3, whose failures become errors that name the object, the reason and the remedy. */
final class S3Objects {

    private static final String CONTENT_TYPE = "text/plain; charset=UTF-8";
    private static final int FORBIDDEN = 403;
    private static final int NOT_FOUND = 404;
    private static final int REQUEST_TIMEOUT = 408;
    private static final int TOO_MANY_REQUESTS = 429;
    private static final int SERVER_ERROR = 500;

    private final S3Client client;
    private final long maxBytes;

    S3Objects(S3Client client, long maxBytes) {
        this.client = client;
        this.maxBytes = maxBytes;
    }

    /**
     * Stores an object.
     *
     * @param limit the maximum duration, with all tries of the SDK
     */
    void put(Pointer pointer, byte[] content, Duration limit) throws InterruptedException {
        try {
            var ignored = client.putObject(
                    request -> request.bucket(pointer.bucket())
                            .key(pointer.key())
                            .contentType(CONTENT_TYPE)
                            .overrideConfiguration(call -> call.apiCallTimeout(limit)),
                    RequestBody.fromContentProvider(
                            () -> new ByteArrayInputStream(content), content.length, CONTENT_TYPE));
        } catch (SdkException e) {
            throw failed("The payload cannot be stored as " + pointer, e, "s3:PutObject", pointer, retryableUpload(e));
        }
    }

    /**
     * Returns the content of an object.
     *
     * @param claimed the size that the message claims, for which memory is taken
     * @param memory takes more if the object is larger
     * @param limit the maximum duration, until the last byte and with all tries of the SDK
     */
    byte[] get(Pointer pointer, long claimed, ByteBudget.Reservation memory, Duration limit)
            throws InterruptedException {
        String what = "The payload " + pointer + " cannot be fetched";
        try {
            return client.getObject(
                    GetObjectRequest.builder()
                            .bucket(pointer.bucket())
                            .key(pointer.key())
                            .overrideConfiguration(call -> call.apiCallTimeout(limit))
                            .build(),
                    (response, in) -> content(pointer, claimed, memory, response, in));
        } catch (NoSuchKeyException e) {
            throw new PayloadStoreException(
                    "The payload " + pointer + " is missing: the message was handled before, or a lifecycle rule or"
                            + " somebody else deleted the object; keep objects for longer than the queue and its"
                            + " dead-letter queue keep messages",
                    false,
                    e);
        } catch (SdkException e) {
            PayloadStoreException refusal = causeOf(e, PayloadStoreException.class);
            if (refusal != null) { // the SDK wraps what is thrown while it reads
                throw refusal;
            }
            throw failed(what, e, "s3:GetObject", pointer, true);
        }
    }

    private byte[] content(
            Pointer pointer,
            long claimed,
            ByteBudget.Reservation memory,
            GetObjectResponse response,
            AbortableInputStream in)
            throws IOException, InterruptedException {
        Long length = response.contentLength();
        if (length == null) {
            throw new IOException("the response names no length");
        }
        if (length > maxBytes) {
            in.abort();
            throw tooLarge(pointer, length);
        }
        if (length > claimed) {
            memory.add(length - claimed);
        }
        return read(in, length.intValue());
    }

    /** The refusal of an object that is larger than all the memory for payloads. */
    PayloadStoreException tooLarge(Pointer pointer, long bytes) {
        return new PayloadStoreException(
                "The payload " + pointer + " has " + bytes + " bytes, but batchsqs.s3.memory is "
                        + Check.bytes(maxBytes) + "; raise it",
                false,
                null);
    }

    private static byte[] read(InputStream in, int length) throws IOException {
        byte[] content = new byte[length];
        int read = in.readNBytes(content, 0, length);
        if (read < length || in.read() >= 0) { // the read at the end makes the client compare the checksum
            throw new IOException("the response ended after " + read + " of " + length + " bytes, or did not end");
        }
        return content;
    }

    /**
     * Deletes objects by one call.
     *
     * @param keys at most 1,000
     * @return the objects that S3 did not delete
     */
    List<S3Error> delete(String bucket, List<String> keys) throws InterruptedException {
        Delete delete = Delete.builder()
                .quiet(true)
                .objects(keys.stream()
                        .map(key -> ObjectIdentifier.builder().key(key).build())
                        .toList())
                .build();
        try {
            return client.deleteObjects(request -> request.bucket(bucket).delete(delete))
                    .errors();
        } catch (SdkException e) {
            throw failed("Objects of " + bucket + " cannot be deleted", e, "s3:DeleteObject", null, true);
        }
    }

    /** Converts a body for an object. */
    static byte[] encode(String body) {
        return body.getBytes(StandardCharsets.UTF_8);
    }

    /** The sender learns of what nobody mends within its delivery timeout at once, as it does with SQS. */
    private static boolean retryableUpload(SdkException failure) {
        int status = status(failure);
        return status < 400 || status >= SERVER_ERROR || status == REQUEST_TIMEOUT || status == TOO_MANY_REQUESTS;
    }

    private static int status(SdkException failure) {
        return failure instanceof AwsServiceException service ? service.statusCode() : 0;
    }

    private static PayloadStoreException failed(
            String what, SdkException failure, String action, @Nullable Pointer pointer, boolean retryable)
            throws InterruptedException {
        if (failure instanceof AbortedException || Thread.interrupted()) {
            throw interrupted(failure);
        }
        String remedy = switch (status(failure)) {
            case FORBIDDEN ->
                "; allow " + action + " on the objects of the bucket"
                        + (pointer != null && action.equals("s3:GetObject")
                                ? ", and s3:ListBucket on the bucket, without which S3 does not tell that an object"
                                        + " is missing"
                                : "");
            case NOT_FOUND -> "; create the bucket, or correct batchsqs.s3.bucket";
            default -> "";
        };
        if (failure instanceof ApiCallTimeoutException) {
            remedy = "; raise batchsqs.s3."
                    + (action.equals("s3:PutObject") ? "upload-timeout" : "fetch-timeout")
                    + " if payloads need longer";
        }
        return new PayloadStoreException(what + ": " + reason(failure) + remedy, retryable, failure);
    }

    private static String reason(SdkException failure) {
        if (failure instanceof AwsServiceException service && service.awsErrorDetails() != null) {
            return service.awsErrorDetails().errorCode() + " ("
                    + service.awsErrorDetails().errorMessage() + ")";
        }
        IOException broken = causeOf(failure, IOException.class);
        return broken != null ? String.valueOf(broken.getMessage()) : String.valueOf(failure.getMessage());
    }

    private static <E extends Exception> @Nullable E causeOf(SdkException failure, Class<E> type) {
        Throwable cause = failure.getCause();
        while (cause != null && !type.isInstance(cause)) {
            cause = cause.getCause();
        }
        return type.cast(cause);
    }

    private static InterruptedException interrupted(Exception cause) {
        InterruptedException interrupted = new InterruptedException("A call to S3 was interrupted");
        interrupted.initCause(cause);
        return interrupted;
    }
}
