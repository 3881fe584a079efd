/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.direct;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.http.SdkHttpResponse;
import software.amazon.awssdk.services.sqs.model.SqsException;
import tools.jackson.core.JacksonException;

/**
 * Turns the response of a refused call into the exception that the SDK would throw, but of SQS's general class: the code says the
 * rest.
 *
 * <p>The code is that of the query protocol ({@code x-amzn-query-error: code;Sender}) where there is one, because SQS's
 * documentation and permissions use it; else a header, {@code __type} or {@code code} in the body.
 */
final class ErrorResponses {

    private static final List<String> MESSAGES = List.of("message", "Message", "errorMessage");

    private ErrorResponses() {}

    /**
     * Returns the exception for a response that is no success.
     *
     * @param usedOffset the offset of the clock that the request was signed with
     */
    static AwsServiceException of(SdkHttpResponse response, ResponseBody body, Duration usedOffset) {
        Map<String, @Nullable String> members = members(body);
        String code = code(response, members);
        String message = message(response, members);
        AwsErrorDetails.Builder details = AwsErrorDetails.builder()
                .serviceName("Sqs")
                .errorCode(queryCode(response).orElse(code))
                .errorMessage(message)
                .sdkHttpResponse(response);
        AwsServiceException.Builder exception = SqsException.builder()
                .awsErrorDetails(details.build())
                .message(words(message, code, response.statusCode()))
                .statusCode(response.statusCode())
                .requestId(response.firstMatchingHeader(List.of("x-amzn-RequestId", "x-amz-request-id"))
                        .orElse(null))
                .extendedRequestId(response.firstMatchingHeader("x-amz-id-2").orElse(null));
        return exception.clockSkew(usedOffset).build();
    }

    private static String words(@Nullable String message, @Nullable String code, int status) {
        if (message != null && !message.isBlank()) {
            return message;
        }
        return code != null && !code.isBlank()
                ? "Service returned error code " + code
                : "Service returned HTTP status code " + status;
    }

    private static Optional<String> queryCode(SdkHttpResponse response) {
        return response.firstMatchingHeader("x-amzn-query-error")
                .filter(query -> query.indexOf(';') > 0)
                .map(query -> query.substring(0, query.indexOf(';')));
    }

    private static @Nullable String code(SdkHttpResponse response, Map<String, @Nullable String> members) {
        String type = response.firstMatchingHeader("x-amzn-ErrorType").orElse(null);
        if (type != null) {
            return withoutDecoration(type);
        }
        String inBody = members.get(members.containsKey("__type") ? "__type" : "code");
        return inBody == null ? null : withoutDecoration(inBody);
    }

    /** The code between the first {@code #} and the first {@code :}, as the protocol has it. */
    private static String withoutDecoration(String type) {
        int colon = type.indexOf(':');
        int end = colon < 0 ? type.length() : colon;
        int hash = type.indexOf('#');
        int start = hash >= 0 && hash + 1 < end ? hash + 1 : 0;
        return type.substring(start, end);
    }

    private static @Nullable String message(SdkHttpResponse response, Map<String, @Nullable String> members) {
        String inHeader = response.firstMatchingHeader("x-amzn-error-message").orElse(null);
        if (inHeader != null) {
            return inHeader;
        }
        for (String name : MESSAGES) {
            String text = members.get(name);
            if (text != null) {
                return text;
            }
        }
        return null;
    }

    /** A response of a proxy or load balancer may be no JSON, or incomplete: then it is an error without members. */
    private static Map<String, @Nullable String> members(ResponseBody body) {
        if (body.cut() != null) {
            return Map.of();
        }
        Map<String, @Nullable String> members = new HashMap<>();
        try (ResponseJson json = new ResponseJson(body.bytes(), body.length())) {
            String name = json.open() ? json.nextMember() : null;
            for (; name != null; name = json.nextMember()) {
                String text = json.textIfAny();
                if (name.equals("__type") || name.equals("code") || MESSAGES.contains(name)) {
                    members.put(name, text);
                }
            }
            return members;
        } catch (JacksonException | IllegalArgumentException e) {
            return Map.of();
        }
    }
}
