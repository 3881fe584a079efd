/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.client.sdk.http;

import java.io.IOException;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.http.AbortableInputStream;
import software.amazon.awssdk.http.ContentStreamProvider;
import software.amazon.awssdk.http.ExecutableHttpRequest;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.HttpExecuteResponse;
import software.amazon.awssdk.http.SdkHttpClient;

/** A request whose call is watched until its response's body is read or closed. */
final class DeadlineRequest implements ExecutableHttpRequest {

    private final ExecutableHttpRequest request;
    private final DeadlineWatch watch;
    private final Upload upload;

    DeadlineRequest(ExecutableHttpRequest request, DeadlineWatch watch) {
        this(request, watch, new Upload());
    }

    private DeadlineRequest(ExecutableHttpRequest request, DeadlineWatch watch, Upload upload) {
        this.request = request;
        this.watch = watch;
        this.upload = upload;
    }

    static DeadlineRequest of(SdkHttpClient http, HttpExecuteRequest request, DeadlineWatch watch) {
        ContentStreamProvider content = request.contentStreamProvider().orElse(null);
        if (content == null) {
            return new DeadlineRequest(http.prepareRequest(request), watch);
        }
        Upload upload = new Upload();
        HttpExecuteRequest watched = HttpExecuteRequest.builder()
                .request(request.httpRequest())
                .contentStreamProvider(() -> new UploadStream(content.newStream(), upload))
                .metricCollector(request.metricCollector().orElse(null))
                .build();
        return new DeadlineRequest(http.prepareRequest(watched), watch, upload);
    }

    @Override
    public HttpExecuteResponse call() throws IOException {
        WatchedCall call = watch.begin(request);
        upload.call = call;
        HttpExecuteResponse response;
        try {
            response = request.call();
        } catch (Throwable failure) {
            throw call.failed(failure);
        }
        AbortableInputStream body = response.responseBody().orElse(null);
        if (body == null) {
            call.end();
            return response;
        }
        call.progressed();
        return HttpExecuteResponse.builder()
                .response(response.httpResponse())
                .responseBody(AbortableInputStream.create(new WatchedStream(body, call), () -> {
                    call.end();
                    body.abort();
                }))
                .build();
    }

    @Override
    public void abort() {
        request.abort();
    }

    /** Where the request's body finds its call. */
    static final class Upload {

        private volatile @Nullable WatchedCall call;

        /** The client asks for another part of the body: it has got rid of those before. */
        void progressed() {
            WatchedCall known = call;
            if (known != null) {
                known.progressed();
            }
        }
    }
}
