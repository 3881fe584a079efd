/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.direct;

import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;

/**
 * A request with the headers of all requests and a few of its own, which that one does not have.
 *
 * @param template what is the same on all requests
 * @param names of its own headers
 * @param values of its own headers, one each
 */
record SignedRequest(SdkHttpRequest template, List<String> names, List<List<String>> values) implements SdkHttpRequest {

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
        for (int i = 0; i < names.size(); i++) {
            consumer.accept(names.get(i), values.get(i));
        }
    }

    @Override
    public int numHeaders() {
        return template.numHeaders() + names.size();
    }

    @Override
    public Builder toBuilder() {
        Builder builder = template.toBuilder();
        for (int i = 0; i < names.size(); i++) {
            builder.putHeader(names.get(i), values.get(i));
        }
        return builder;
    }

    /** The address alone: the headers have the signature. */
    @Override
    public String toString() {
        return "SignedRequest[" + method() + " " + getUri() + "]";
    }
}
