/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.direct;

import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;

/** What is the same on all requests, with the headers of one: nothing is copied until a builder is asked for. */
@SuppressWarnings("ArrayRecordComponent") // nobody compares requests
record SignedRequest(SdkHttpRequest same, List<String> names, String[] values) implements SdkHttpRequest {

    @Override
    public void forEachHeader(BiConsumer<? super String, ? super List<String>> consumer) {
        same.headers().forEach(consumer);
        for (int i = 0; i < values.length; i++) {
            consumer.accept(names.get(i), List.of(values[i]));
        }
    }

    @Override
    public Builder toBuilder() {
        Builder builder = same.toBuilder();
        for (int i = 0; i < values.length; i++) {
            builder.putHeader(names.get(i), values[i]);
        }
        return builder;
    }

    @Override
    public Map<String, List<String>> headers() {
        return toBuilder().build().headers();
    }

    @Override
    public SdkHttpMethod method() {
        return same.method();
    }

    @Override
    public String protocol() {
        return same.protocol();
    }

    @Override
    public String host() {
        return same.host();
    }

    @Override
    public int port() {
        return same.port();
    }

    @Override
    public String encodedPath() {
        return same.encodedPath();
    }

    @Override
    public Map<String, List<String>> rawQueryParameters() {
        return same.rawQueryParameters();
    }
}
