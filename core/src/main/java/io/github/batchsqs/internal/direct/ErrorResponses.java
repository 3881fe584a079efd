/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.direct;

import io.github.batchsqs.internal.http.ResponseBody;
import io.github.batchsqs.internal.support.ForeignCode;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.util.Optional;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.core.http.HttpResponseHandler;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.SdkExecutionAttribute;
import software.amazon.awssdk.http.AbortableInputStream;
import software.amazon.awssdk.http.SdkHttpFullResponse;
import software.amazon.awssdk.http.SdkHttpResponse;
import software.amazon.awssdk.protocols.json.AwsJsonProtocol;
import software.amazon.awssdk.protocols.json.AwsJsonProtocolFactory;
import software.amazon.awssdk.protocols.json.JsonOperationMetadata;
import software.amazon.awssdk.services.sqs.model.SqsException;

/**
 * Turns the response of a refused call into the exception that the SDK throws, by the SDK's own reader, but of SQS's general class: the
 * code says the rest. It is that of the query protocol where there is one, because SQS's documentation and permissions use it.
 */
final class ErrorResponses {

    private static final HttpResponseHandler<AwsServiceException> READER = AwsJsonProtocolFactory.builder()
            .defaultServiceExceptionSupplier(SqsException::builder)
            .protocol(AwsJsonProtocol.AWS_JSON)
            .hasAwsQueryCompatible(true)
            .build()
            .createErrorResponseHandler(JsonOperationMetadata.builder().build(), code -> Optional.empty());

    private ErrorResponses() {}

    /**
     * Returns the exception for a response that is no success.
     *
     * @param usedOffset the offset of the clock that the request was signed with, in seconds
     */
    static AwsServiceException of(SdkHttpResponse response, ResponseBody body, int usedOffset) {
        SdkHttpFullResponse whole = SdkHttpResponse.builder()
                .statusCode(response.statusCode())
                .statusText(response.statusText().orElse(null))
                .headers(response.headers())
                .content(AbortableInputStream.create(new ByteArrayInputStream(body.bytes(), 0, body.length())))
                .build();
        ExecutionAttributes used =
                new ExecutionAttributes().putAttribute(SdkExecutionAttribute.TIME_OFFSET, usedOffset);
        AwsServiceException read =
                ForeignCode.call(() -> READER.handle(whole, used)).value();
        if (read != null) {
            return read;
        }
        try { // a proxy's code may be no text, for example
            return READER.handle(
                    whole.toBuilder()
                            .content(AbortableInputStream.create(InputStream.nullInputStream()))
                            .build(),
                    used);
        } catch (Exception e) {
            throw SdkClientException.create("The response of a refused call cannot be read: " + e.getMessage(), e);
        }
    }
}
