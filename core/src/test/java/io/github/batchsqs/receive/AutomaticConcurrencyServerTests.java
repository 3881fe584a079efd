/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive;

import static io.github.batchsqs.receive.TestQueue.work;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.github.batchsqs.BatchOutcome;
import io.github.batchsqs.listener.ListenerOptions;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * An automatic concurrency on a real server, with a handler that calls a service of ten threads. How good the limit is, is the
 * business of {@link AutomaticLimitTests}: here nothing depends on the time that anything takes.
 */
@Execution(ExecutionMode.CONCURRENT)
class AutomaticConcurrencyServerTests {

    private static final int SERVICE_THREADS = 10;
    private static final Duration SERVICE_TIME = Duration.ofMillis(20);
    private static final int MAX = 40;
    private static final int MESSAGES = 1_000;

    private final Runs runs = new Runs();
    private final AtomicInteger running = new AtomicInteger();
    private final AtomicInteger mostRunning = new AtomicInteger();

    @Test
    void handlesEachMessageOnceWithinItsMaximum() throws Exception {
        try (ExecutorService threads = Executors.newFixedThreadPool(SERVICE_THREADS);
                HttpClient client = HttpClient.newHttpClient();
                TestQueue queue = TestQueue.standard(Duration.ofMinutes(1))) {
            HttpServer service = service(threads);
            try {
                URI uri = URI.create("http://localhost:" + service.getAddress().getPort() + "/");
                queue.send(MESSAGES);
                ListenerContainer container = queue.listen(
                        options -> options.batchSize(1)
                                .concurrency(ListenerOptions.AUTO_CONCURRENCY)
                                .concurrencyMax(MAX),
                        batch -> {
                            mostRunning.accumulateAndGet(running.incrementAndGet(), Math::max);
                            try {
                                int status = client.send(
                                                HttpRequest.newBuilder(uri).build(),
                                                HttpResponse.BodyHandlers.discarding())
                                        .statusCode();
                                assertThat(status).isEqualTo(200);
                            } finally {
                                running.decrementAndGet();
                            }
                            runs.addAll(batch);
                            return BatchOutcome.done();
                        });

                queue.eventuallyEmpty();

                assertThat(runs.messages()).isEqualTo(MESSAGES);
                assertThat(runs.repeated()).isEmpty();
                assertThat(mostRunning.get()).isBetween(1, MAX);
                assertThat(container.status().concurrency()).isBetween(1, MAX);
                assertThat(queue.failures).isEmpty();
            } finally {
                service.stop(0);
            }
        }
    }

    private static HttpServer service(ExecutorService threads) throws Exception {
        HttpServer service = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        service.setExecutor(threads);
        service.createContext("/", exchange -> {
            try (exchange) {
                work(SERVICE_TIME);
                exchange.sendResponseHeaders(200, -1);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        service.start();
        return service;
    }
}
