/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.s3;

import io.github.batchsqs.internal.support.Causes;
import io.github.batchsqs.internal.support.PayloadPointers;
import io.github.batchsqs.payload.PayloadStoreException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Future;
import software.amazon.awssdk.core.exception.AbortedException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.http.AbortableInputStream;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.GetObjectRequest;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;
import software.amazon.awssdk.services.s3.model.NoSuchKeyException;
import software.amazon.awssdk.services.s3.model.ObjectIdentifier;
import software.amazon.awssdk.services.s3.model.S3Error;

/** Calls to S3, whose failures become errors that name the object, the reason and the remedy. */
record S3Objects(S3Client client) {

    private static final String CONTENT_TYPE = "text/plain; charset=UTF-8";
    private static final String PUT = "s3:PutObject";
    private static final String GET = "s3:GetObject";
    private static final String DELETE = "s3:DeleteObject";

    /**
     * Stores an object. The sender learns at once of a failure that nobody mends within its delivery timeout, as it does with SQS.
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
        } catch (RuntimeException e) {
            throw failed("The payload cannot be stored as " + pointer, e, PUT, S3Errors.passes(e));
        }
    }

    /**
     * Returns the content of an object.
     *
     * @param maxBytes the maximum size of the object, of which no byte is read if it is larger
     * @param limit the maximum duration, until the last byte and with all tries of the SDK
     */
    byte[] get(Pointer pointer, long maxBytes, Duration limit) throws InterruptedException {
        try {
            return client.getObject(
                    GetObjectRequest.builder()
                            .bucket(pointer.bucket())
                            .key(pointer.key())
                            .overrideConfiguration(call -> call.apiCallTimeout(limit))
                            .build(),
                    (response, in) -> content(pointer, maxBytes, response, in));
        } catch (NoSuchKeyException e) {
            throw new PayloadStoreException(
                    "The payload " + pointer + " is missing: the message was handled before, or a lifecycle rule or"
                            + " somebody else deleted the object; keep objects for longer than the queue and its"
                            + " dead-letter queue keep messages",
                    false,
                    e);
        } catch (RuntimeException e) {
            PayloadStoreException refusal = Causes.find(e, PayloadStoreException.class);
            if (refusal != null) { // the SDK wraps what is thrown while it reads
                throw refusal;
            }
            boolean archived = S3Errors.codeOf(e).equals(S3Errors.INVALID_OBJECT_STATE);
            throw failed("The payload " + pointer + " cannot be fetched", e, GET, !archived);
        }
    }

    private static byte[] content(Pointer pointer, long maxBytes, GetObjectResponse response, AbortableInputStream in)
            throws IOException {
        Long length = response.contentLength();
        if (length == null) {
            throw new IOException("the response names no length");
        }
        if (length > maxBytes) {
            in.abort();
            throw new PayloadStoreException(
                    "The payload " + pointer + " has " + length + " bytes, but its message claims " + maxBytes
                            + "; let the sender of the message put the size into the attribute "
                            + PayloadPointers.MARKER,
                    false,
                    null);
        }
        return read(in, length.intValue());
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
     * Deletes objects by one call. One alone has a call in which any key is possible; several are sent in XML 1.0, which cannot hold
     * each key.
     *
     * @param keys one to 1,000
     * @return the objects that S3 did not delete
     * @throws PayloadStoreException if the call failed
     */
    List<S3Error> delete(String bucket, List<String> keys) throws InterruptedException {
        try {
            if (keys.size() == 1) {
                var ignored =
                        client.deleteObject(request -> request.bucket(bucket).key(keys.getFirst()));
                return List.of();
            }
            List<ObjectIdentifier> named = keys.stream()
                    .map(key -> ObjectIdentifier.builder().key(key).build())
                    .toList();
            return client.deleteObjects(request -> request.bucket(bucket)
                            .delete(delete -> delete.quiet(true).objects(named)))
                    .errors();
        } catch (RuntimeException e) {
            throw failed("Objects of " + bucket + " cannot be deleted", e, DELETE, S3Errors.passes(e));
        }
    }

    private static PayloadStoreException failed(String what, RuntimeException failure, String action, boolean retryable)
            throws InterruptedException {
        if (failure instanceof AbortedException || Thread.interrupted()) {
            throw interrupted(failure);
        }
        return new PayloadStoreException(
                what + ": " + S3Errors.reason(failure) + S3Errors.remedy(failure, action), retryable, failure);
    }

    /** Returns the failure of a call that has ended with one; that of an {@code Error} too. */
    static PayloadStoreException failure(Future<?> call) {
        Throwable failure = call.exceptionNow();
        return failure instanceof PayloadStoreException known
                ? known
                : new PayloadStoreException("The call to S3 failed: " + failure, true, failure);
    }

    private static InterruptedException interrupted(Exception cause) {
        InterruptedException interrupted = new InterruptedException("A call to S3 was interrupted");
        interrupted.initCause(cause);
        return interrupted;
    }
}
