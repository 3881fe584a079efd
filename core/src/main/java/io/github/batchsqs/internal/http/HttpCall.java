/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.http;

import java.io.IOException;
import java.net.SocketTimeoutException;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.http.AbortableInputStream;
import software.amazon.awssdk.http.ExecutableHttpRequest;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.HttpExecuteResponse;

/**
 * One call, from the wait for a connection to the end of the response's body, which it reads as a whole. Its connection goes back once: for
 * the next call, or closed. Its methods belong to the call's thread, apart from {@link #abort}.
 */
record HttpCall(
        ConnectionPool pool,
        ConnectionOpener opener,
        CallWatch watch,
        HttpExecuteRequest request,
        Route route,
        CallDeadline deadline)
        implements ExecutableHttpRequest {

    @Override
    public HttpExecuteResponse call() throws IOException {
        deadline.begin();
        watch.begin(deadline);
        try {
            return onConnection(pool.take(deadline, route));
        } catch (IOException e) {
            IOException failure = deadline.failure(e);
            if (failure instanceof SocketTimeoutException) {
                pool.closeIdleSince(deadline.began());
            }
            throw failure;
        } finally {
            watch.end(deadline);
        }
    }

    /** Makes the call on a connection of the pool, or in the place for one, and gives either back. */
    private HttpExecuteResponse onConnection(@Nullable HttpConnection pooled) throws IOException {
        HttpConnection connection = pooled;
        boolean reusable = false;
        try {
            if (connection == null) {
                connection = opener.open(deadline, route);
            } else {
                deadline.uses(connection.channel());
            }
            RequestWriter writer = new RequestWriter(connection);
            deadline.sends(writer.take(request, route));
            writer.send();
            ResponseHead head = ResponseHead.read(connection);
            long length = head.length();
            ResponseBody body = ResponseBody.read(connection, length, deadline);
            connection.becomeIdle(System.nanoTime());
            reusable = length != ResponseHead.UNTIL_CLOSED && head.persistent();
            return HttpExecuteResponse.builder()
                    .response(head)
                    .responseBody(AbortableInputStream.create(body))
                    .build();
        } finally {
            if (connection != null && reusable && deadline.end()) {
                pool.giveBack(connection);
            } else {
                deadline.endAndClose();
                pool.giveBackPlace();
            }
        }
    }

    @Override
    public void abort() {
        deadline.abort();
    }
}
