/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.client.sdk.http;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.apache.hc.core5.http.HttpHost;
import org.apache.hc.core5.http.message.BasicClassicHttpRequest;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.http.ContentStreamProvider;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.utils.http.SdkHttpUtils;

/**
 * A request of the SDK as Apache's connections take it. As Apache's message it has only the headers that these connections read;
 * the {@link RequestWriter} writes all headers, without an object of Apache's for each.
 */
final class SentRequest extends BasicClassicHttpRequest {

    private static final long serialVersionUID = 1;

    private static final String CONTENT_LENGTH = "Content-Length";

    private final transient SdkHttpRequest given;

    private @Nullable String host;
    private @Nullable String length;

    private SentRequest(SdkHttpRequest given, HttpHost target) {
        super(given.method().name(), target, path(given));
        this.given = given;
    }

    static SentRequest of(HttpExecuteRequest request, HttpHost target) throws IOException {
        SdkHttpRequest given = request.httpRequest();
        SentRequest sent = new SentRequest(given, target);
        given.forEachHeader(sent::read);
        ContentStreamProvider content = request.contentStreamProvider().orElse(null);
        if (content != null) {
            RequestBody body = RequestBody.of(content, sent.length);
            sent.addHeader(CONTENT_LENGTH, Long.toString(body.getContentLength()));
            sent.setEntity(body);
        } else if (given.method() != SdkHttpMethod.GET && given.method() != SdkHttpMethod.HEAD) {
            sent.addHeader(CONTENT_LENGTH, "0");
        }
        return sent;
    }

    private void read(String name, List<String> values) {
        if (values.isEmpty()) {
            return;
        }
        if (name.equalsIgnoreCase("Host")) {
            host = values.getFirst();
        } else if (name.equalsIgnoreCase(CONTENT_LENGTH)) {
            length = values.getFirst();
        } else if (name.equalsIgnoreCase("Connection") || name.equalsIgnoreCase("Expect")) {
            values.forEach(value -> addHeader(name, value));
        }
    }

    private static String path(SdkHttpRequest given) {
        String path = given.encodedPath().isEmpty() ? "/" : given.encodedPath();
        Optional<String> query = given.encodedQueryParameters();
        return query.isPresent() ? path + "?" + query.get() : path;
    }

    /** Passes each header on, one of several values once for each. */
    void forEachHeader(BiConsumer<String, String> header) {
        header.accept("Host", host == null ? addressed() : host);
        given.forEachHeader((name, values) -> {
            if (!isOfConnection(name)) {
                for (String value : values) {
                    header.accept(name, value);
                }
            }
        });
        if (containsHeader(CONTENT_LENGTH)) {
            header.accept(CONTENT_LENGTH, getFirstHeader(CONTENT_LENGTH).getValue());
        }
    }

    private static boolean isOfConnection(String name) {
        return name.equalsIgnoreCase("Host")
                || name.equalsIgnoreCase(CONTENT_LENGTH)
                || name.equalsIgnoreCase("Transfer-Encoding");
    }

    private String addressed() {
        return SdkHttpUtils.isUsingStandardPort(given.protocol(), given.port())
                ? given.host()
                : given.host() + ":" + given.port();
    }
}
