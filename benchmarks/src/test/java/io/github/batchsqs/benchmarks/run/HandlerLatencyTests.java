/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.run;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class HandlerLatencyTests {

    private final Durations latencies = new Durations();

    @Test
    void isTheMeanOfTheInvocationsAndHowManyRanOnAverage() {
        latencies.add(10_000);
        latencies.add(30_000);

        assertThat(HandlerLatency.of(latencies, 0.02)).isEqualTo(new HandlerLatency(20, 30, 2));
    }

    @Test
    void isNothingWithoutInvocations() {
        assertThat(HandlerLatency.of(latencies, 1)).isNull();
    }

    @Test
    void countsEachInvocationOnce() throws InterruptedException {
        MessageHandler timed = new TimedHandler(bodies -> {}, latencies);
        timed.handle(List.of("a", "b"));
        timed.handle(List.of("c"));

        assertThat(latencies.count()).isEqualTo(2);
    }

    @Test
    void thePoolCallsTheServiceForEachMessageOverTenConnectionsAtMost() throws Exception {
        AtomicInteger running = new AtomicInteger();
        AtomicInteger mostRunning = new AtomicInteger();
        AtomicInteger calls = new AtomicInteger();
        HttpServer service = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            service.setExecutor(threads);
            service.createContext("/", exchange -> {
                mostRunning.accumulateAndGet(running.incrementAndGet(), Math::max);
                calls.incrementAndGet();
                running.decrementAndGet(); // before the response, which frees the connection
                exchange.sendResponseHeaders(200, -1);
                exchange.close();
            });
            service.start();
            MessageHandler handler = new PooledCalls(
                    URI.create("http://localhost:" + service.getAddress().getPort() + "/"));

            List<Future<?>> invocations = new ArrayList<>();
            for (int i = 0; i < 30; i++) {
                invocations.add(threads.submit(() -> {
                    handler.handle(List.of("a", "b"));
                    return true;
                }));
            }
            for (Future<?> invocation : invocations) {
                var ignored = invocation.get();
            }

            assertThat(calls.get()).isEqualTo(60);
            assertThat(mostRunning.get()).isBetween(1, 10);
        } finally {
            service.stop(0);
        }
    }
}
