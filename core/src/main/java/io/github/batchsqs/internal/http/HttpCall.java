/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.http;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.http.AbortableInputStream;
import software.amazon.awssdk.http.ExecutableHttpRequest;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.HttpExecuteResponse;

/**
 * One call, from the wait for a connection to the end of the response's body. Its connection goes back once: for the next call, or
 * closed. Its methods belong to the call's thread, apart from {@link #abort}.
 */
final class HttpCall implements ExecutableHttpRequest {

    private final ConnectionPool pool;
    private final ConnectionOpener opener;
    private final CallWatch watch;
    private final HttpExecuteRequest request;
    private final Route route;
    private final CallDeadline deadline;
    private boolean holdsPlace;
    private @Nullable HttpConnection connection;
    private @Nullable ResponseHead head;

    HttpCall(
            ConnectionPool pool,
            ConnectionOpener opener,
            CallWatch watch,
            HttpExecuteRequest request,
            Route route,
            Duration limit) {
        this.pool = pool;
        this.opener = opener;
        this.watch = watch;
        this.request = request;
        this.route = route;
        this.deadline = new CallDeadline(limit, pool::wake);
    }

    @Override
    public HttpExecuteResponse call() throws IOException {
        deadline.begin();
        watch.begin(deadline);
        boolean failed = true;
        try {
            HttpExecuteResponse response = exchange();
            failed = false;
            return response;
        } catch (IOException e) {
            IOException failure = deadline.failure(e);
            if (failure instanceof SocketTimeoutException) {
                pool.closeIdleSince(deadline.began());
            }
            throw failure;
        } finally {
            if (failed) {
                ended(false);
            }
        }
    }

    private HttpExecuteResponse exchange() throws IOException {
        HttpConnection used = connection();
        connection = used;
        RequestWriter writer = new RequestWriter(used);
        deadline.sends(writer.take(request, route));
        writer.send();
        ResponseHead read = ResponseHead.read(used);
        head = read;
        long length = read.length();
        var response = HttpExecuteResponse.builder().response(read);
        if (length == 0) {
            ended(true);
            boolean none = read.matchingHeaders("Content-Length").isEmpty();
            return none
                    ? response.build()
                    : response.responseBody(AbortableInputStream.create(new ByteArrayInputStream(new byte[0])))
                            .build();
        }
        ResponseStream body = new ResponseStream(deadline, used, length, this::ended);
        return response.responseBody(AbortableInputStream.create(body, this::giveUp))
                .build();
    }

    private HttpConnection connection() throws IOException {
        HttpConnection pooled = pool.take(deadline, route);
        holdsPlace = true;
        if (pooled == null) {
            return opener.open(deadline, route);
        }
        deadline.uses(pooled.channel());
        return pooled;
    }

    /**
     * The call is over; does nothing if it was before.
     *
     * @param whole whether the body was read to its end, so that the connection may be used again
     */
    private void ended(boolean whole) {
        HttpConnection used = connection;
        connection = null;
        if (whole && used != null && head != null && head.persistent() && deadline.end()) {
            watch.end(deadline);
            holdsPlace = false;
            used.becomeIdle(System.nanoTime(), head.kept());
            pool.giveBack(used);
            return;
        }
        deadline.endAndClose();
        watch.end(deadline);
        if (holdsPlace) {
            holdsPlace = false;
            pool.giveBackPlace();
        }
    }

    @Override
    public void abort() {
        deadline.abort();
    }

    /** Nobody reads the rest of the response. */
    private void giveUp() {
        abort();
        ended(false);
    }
}
