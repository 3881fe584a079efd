/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.client.sdk.http;

import java.io.IOException;
import software.amazon.awssdk.http.AbortableInputStream;
import software.amazon.awssdk.http.ExecutableHttpRequest;
import software.amazon.awssdk.http.HttpExecuteResponse;

/** A request whose call is watched until its response's body is read or closed. */
final class DeadlineRequest implements ExecutableHttpRequest {

    private final ExecutableHttpRequest request;
    private final DeadlineWatch watch;

    DeadlineRequest(ExecutableHttpRequest request, DeadlineWatch watch) {
        this.request = request;
        this.watch = watch;
    }

    @Override
    public HttpExecuteResponse call() throws IOException {
        WatchedCall call = watch.begin(request);
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
}
