/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.client;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.http.SdkHttpResponse;
import software.amazon.awssdk.services.sqs.model.SqsException;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reads what SQS says when it refuses.
 *
 * <p>The code is that of the query protocol ({@code x-amzn-query-error: code;Sender}) where there is one, because SQS's
 * documentation and permissions use it; else the header {@code x-amzn-ErrorType} or {@code __type} in the body.
 */
final class DirectErrors {

    private static final JsonMapper JSON = JsonMapper.shared();

    private DirectErrors() {}

    static AwsServiceException of(SdkHttpResponse response, byte[] body, @Nullable Duration skew) {
        JsonNode json = parse(body);
        AwsErrorDetails details = AwsErrorDetails.builder()
                .serviceName("Sqs")
                .errorCode(code(response, json))
                .errorMessage(message(json))
                .rawResponse(SdkBytes.fromByteArrayUnsafe(body))
                .sdkHttpResponse(response)
                .build();
        return SqsException.builder()
                .awsErrorDetails(details)
                .statusCode(response.statusCode())
                .requestId(response.firstMatchingHeader("x-amzn-RequestId").orElse(null))
                .clockSkew(skew)
                .build();
    }

    /** An answer of a proxy or load balancer may be anything but JSON: it is an error without a code then. */
    private static @Nullable JsonNode parse(byte[] body) {
        try {
            JsonNode json = JSON.readTree(body);
            return json.isObject() ? json : null;
        } catch (JacksonException e) {
            return null;
        }
    }

    private static @Nullable String code(SdkHttpResponse response, @Nullable JsonNode json) {
        String query = response.firstMatchingHeader("x-amzn-query-error").orElse("");
        if (query.indexOf(';') > 0) {
            return query.substring(0, query.indexOf(';'));
        }
        String type = response.firstMatchingHeader("x-amzn-ErrorType").orElse(null);
        if (type == null && json != null) {
            type = json.path("__type").asString(null);
        }
        if (type == null) {
            return null;
        }
        int end = type.indexOf(':');
        String code = end < 0 ? type : type.substring(0, end);
        return code.substring(code.lastIndexOf('#') + 1);
    }

    private static @Nullable String message(@Nullable JsonNode json) {
        if (json == null) {
            return null;
        }
        String message = json.path("message").asString(null);
        return message != null ? message : json.path("Message").asString(null);
    }
}
