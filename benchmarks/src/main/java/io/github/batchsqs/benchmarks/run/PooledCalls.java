/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.run;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.concurrent.Semaphore;

/** For each message, calls a service over one of ten connections. An invocation that finds none waits, in the order of arrival. */
final class PooledCalls implements MessageHandler {

    private static final int CONNECTIONS = 10;

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final Semaphore connections = new Semaphore(CONNECTIONS, true);
    private final HttpRequest request;

    PooledCalls(URI service) {
        this.request = HttpRequest.newBuilder(service).build();
    }

    @Override
    public void handle(List<String> bodies) throws InterruptedException {
        for (String unused : bodies) {
            connections.acquire();
            try {
                var ignored = client.send(request, BodyHandlers.discarding());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } finally {
                connections.release();
            }
        }
    }
}
