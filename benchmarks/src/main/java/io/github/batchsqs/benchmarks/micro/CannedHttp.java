/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.micro;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.Objects;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import software.amazon.awssdk.http.AbortableInputStream;
import software.amazon.awssdk.http.ExecutableHttpRequest;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.HttpExecuteResponse;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.SdkHttpResponse;

/** An HTTP client without a network: each operation has one response, of ten entries. */
final class CannedHttp implements SdkHttpClient {

    static final String BODY = "{\"order\":".concat("1".repeat(90)).concat("}");

    private static final String TARGET = "AmazonSQS.";

    private final Map<String, byte[]> bodies = Map.of(
            TARGET + "ReceiveMessage", bytes("{\"Messages\":[" + ten(CannedHttp::message) + "]}"),
            TARGET + "DeleteMessageBatch",
                    bytes("{\"Successful\":[" + ten("{\"Id\":\"%d\"}"::formatted) + "],\"Failed\":[]}"),
            TARGET + "SendMessageBatch", bytes("{\"Successful\":[" + ten(CannedHttp::sent) + "],\"Failed\":[]}"));

    @Override
    public ExecutableHttpRequest prepareRequest(HttpExecuteRequest request) {
        String target =
                request.httpRequest().firstMatchingHeader("X-Amz-Target").orElseThrow();
        byte[] body = Objects.requireNonNull(bodies.get(target), target);
        SdkHttpResponse head = SdkHttpResponse.builder()
                .statusCode(200)
                .putHeader("Content-Type", "application/x-amz-json-1.0")
                .putHeader("Content-Length", Integer.toString(body.length))
                .build();
        return new ExecutableHttpRequest() {
            @Override
            public HttpExecuteResponse call() {
                return HttpExecuteResponse.builder()
                        .response(head)
                        .responseBody(AbortableInputStream.create(new ByteArrayInputStream(body)))
                        .build();
            }

            @Override
            public void abort() {}
        };
    }

    @Override
    public void close() {}

    private static String ten(IntFunction<String> entry) {
        return IntStream.range(0, 10).mapToObj(entry).collect(Collectors.joining(","));
    }

    private static String message(int index) {
        return """
                {"MessageId":"00000000-0000-0000-0000-%012d","ReceiptHandle":"%s-%d","MD5OfBody":"%s","Body":"%s",\
                "Attributes":{"SenderId":"AIDA","SentTimestamp":"1767225600000","ApproximateReceiveCount":"1",\
                "ApproximateFirstReceiveTimestamp":"1767225600001"}}""".formatted(index, "A".repeat(120), index, digest(), BODY.replace("\"", "\\\""));
    }

    private static String sent(int index) {
        return "{\"Id\":\"%d\",\"MessageId\":\"00000000-0000-0000-0000-%012d\",\"MD5OfMessageBody\":\"%s\"}"
                .formatted(index, index, digest());
    }

    private static String digest() {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("MD5").digest(bytes(BODY)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every JVM has MD5", e);
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
