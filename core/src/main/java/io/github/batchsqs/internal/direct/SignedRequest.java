/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.direct;

import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;

/** A request with the headers of all requests and a few of its own, which that one does not have. */
final class SignedRequest implements SdkHttpRequest {

    private final SdkHttpRequest template;
    private final List<String> names;
    private final String[] values;
    private final String authorization;

    /**
     * Combines both.
     *
     * @param template what is the same on all requests
     * @param names of the request's own headers
     * @param values of its own headers, one each
     */
    SignedRequest(SdkHttpRequest template, List<String> names, String authorization, String... values) {
        this.template = template;
        this.names = names;
        this.values = values;
        this.authorization = authorization;
    }

    @Override
    public String protocol() {
        return template.protocol();
    }

    @Override
    public String host() {
        return template.host();
    }

    @Override
    public int port() {
        return template.port();
    }

    @Override
    public String encodedPath() {
        return template.encodedPath();
    }

    @Override
    public Map<String, List<String>> rawQueryParameters() {
        return template.rawQueryParameters();
    }

    @Override
    public URI getUri() {
        return template.getUri();
    }

    @Override
    public SdkHttpMethod method() {
        return template.method();
    }

    @Override
    public Map<String, List<String>> headers() {
        Map<String, List<String>> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER); // as the SDK's own requests
        forEachHeader(headers::put);
        return headers;
    }

    @Override
    public void forEachHeader(BiConsumer<? super String, ? super List<String>> consumer) {
        template.forEachHeader(consumer);
        for (int i = 0; i < values.length; i++) {
            consumer.accept(names.get(i), List.of(values[i]));
        }
        consumer.accept("authorization", List.of(authorization));
    }

    @Override
    public int numHeaders() {
        return template.numHeaders() + values.length + 1;
    }

    @Override
    public Builder toBuilder() {
        return template.toBuilder().headers(headers());
    }

    /** The address alone: the headers have the signature. */
    @Override
    public String toString() {
        return "SignedRequest[" + method() + " " + getUri() + "]";
    }
}
