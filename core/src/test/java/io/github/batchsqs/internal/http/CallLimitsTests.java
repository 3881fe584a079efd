/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.http;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.github.batchsqs.client.HttpClientOptions;
import io.github.batchsqs.internal.sdk.NotSentException;
import io.github.batchsqs.testkit.ConnectionServer;
import io.github.batchsqs.testkit.Progress;
import io.github.batchsqs.testkit.ScriptedHttpServer.Request;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import jdk.net.ExtendedSocketOptions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.HttpExecuteResponse;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;

/** Each call ends within its limit, whatever the server does, and leaves no socket behind. */
class CallLimitsTests {

    private static final int PLACES = 20;
    private static final Duration LIMIT = Duration.ofMillis(500);
    private static final String WHOLE = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}";

    private final List<AutoCloseable> toClose = new ArrayList<>();
    private final PooledHttpClient client = client(new HostAddresses(InetAddress::getAllByName));
    private final AtomicInteger open = new AtomicInteger();

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : toClose.reversed()) {
            each.close();
        }
    }

    static Stream<Talk> lateResponses() {
        return Stream.of(
                (in, out) -> read(in),
                (in, out) -> {
                    out.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{".getBytes(US_ASCII));
                    read(in);
                },
                (in, out) -> drip("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n", out),
                (in, out) -> drip("HTTP/1.1 200 OK\r\nx: ", out));
    }

    private static void drip(String begin, OutputStream out) throws IOException {
        out.write(begin.getBytes(US_ASCII));
        while (true) {
            out.write('x');
            pause();
        }
    }

    @ParameterizedTest
    @MethodSource("lateResponses")
    void endsACallWhoseResponseIsAbsentStallsOrDrips(Talk late) throws Exception {
        URI server = serve(late);
        assertThat(lateCall(client, server)).isInstanceOf(SocketTimeoutException.class);
        assertNoSocket();
        assertEveryPlaceIsFree();
    }

    @Test
    void usesNoConnectionThatWasIdleWhenACallWithoutAResponseBegan() throws Exception {
        AtomicBoolean silent = new AtomicBoolean();
        CyclicBarrier together = new CyclicBarrier(3);
        URI server = serve((in, out) -> {
            boolean old = !silent.get();
            while (Request.read(in, out) != null && !(old && silent.get())) {
                if (old) {
                    assertThatCode(together::await).doesNotThrowAnyException();
                }
                out.write(WHOLE.getBytes(US_ASCII));
            }
            read(in);
        });
        List<Thread> calls = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            calls.add(Thread.startVirtualThread(() -> assertThatCode(() -> call(client, server, Duration.ofMinutes(1)))
                    .doesNotThrowAnyException()));
        }
        for (Thread each : calls) {
            each.join();
        }
        assertThat(open).hasValue(3);
        silent.set(true);
        assertThat(lateCall(client, server)).isInstanceOf(SocketTimeoutException.class);
        assertThat(call(client, server, Duration.ofMinutes(1))).isEqualTo("{}");
    }

    /** A network that drops packets without a word also drops the probes: measured with a router between, which no test has. */
    @Test
    void probesAConnectionThatIsSilent() throws Exception {
        URI server = serve((in, out) -> read(in));
        ConnectionOpener opener =
                new ConnectionOpener(HttpClientOptions.defaults(), new HostAddresses(InetAddress::getAllByName));
        Route route = new Route(false, server.getHost(), server.getPort(), null);
        try (SocketChannel channel =
                opener.open(new CallDeadline(LIMIT, () -> {}), route).channel()) {
            assertThat(channel.getOption(StandardSocketOptions.SO_KEEPALIVE)).isTrue();
            int first = channel.getOption(ExtendedSocketOptions.TCP_KEEPIDLE);
            int further = channel.getOption(ExtendedSocketOptions.TCP_KEEPINTERVAL);
            int probes = channel.getOption(ExtendedSocketOptions.TCP_KEEPCOUNT);
            assertThat(first + probes * further).as("seconds to its end").isEqualTo(11);
        }
        assertNoSocket();
    }

    @Test
    void endsACallThatIsFloodedByInterimResponses() {
        URI server = serve((in, out) -> {
            while (true) {
                out.write("HTTP/1.1 100 Continue\r\n\r\n".getBytes(US_ASCII));
            }
        });
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> call(client, server, Duration.ofMinutes(1)))
                .withMessageContaining("interim responses");
        assertNoSocket();
    }

    @Test
    void endsACallWhoseHandshakeIsSilent() {
        URI server = URI.create(serve((in, out) -> read(in)).toString().replace("http:", "https:"));
        assertThat(catchThrowable(() -> call(client, server, LIMIT))).isInstanceOf(NotSentException.class);
        assertNoSocket();
    }

    @Test
    void endsACallWhoseHostIsNotLookedUpInTime() {
        CompletableFuture<Void> never = new CompletableFuture<>();
        PooledHttpClient client = client(new HostAddresses(host -> {
            never.join();
            throw new UnknownHostException(host);
        }));
        assertThat(catchThrowable(() -> call(client, URI.create("http://localhost:1"), LIMIT)))
                .isInstanceOf(NotSentException.class);
        never.complete(null);
    }

    @Test
    void saysWhyThereWasNoConnectionAlsoWhenTheCallIsLate() {
        CallDeadline deadline = new CallDeadline(LIMIT, () -> {});
        deadline.endIfLate(System.nanoTime() + LIMIT.toNanos());
        NotSentException why = new NotSentException("No connection was free", null);
        assertThat(deadline.failure(why)).isSameAs(why);
    }

    @Test
    void namesTheTroubleWithAHostThatIsNotKnown() {
        PooledHttpClient client = client(new HostAddresses(host -> {
            throw new UnknownHostException(host);
        }));
        assertThatExceptionOfType(NotSentException.class)
                .isThrownBy(() -> call(client, URI.create("http://sqs.invalid"), Duration.ofMinutes(1)))
                .withMessageContaining("check the region and the endpoint");
    }

    @Test
    void triesTheNextAddressOfAHost() throws Exception {
        URI server = serve(CallLimitsTests::respond);
        PooledHttpClient client = client(new HostAddresses(
                host -> new InetAddress[] {InetAddress.getByName("127.0.0.77"), InetAddress.getLoopbackAddress()}));
        assertThat(call(client, server, Duration.ofMinutes(1))).isEqualTo("{}");
    }

    @Test
    void doesNotUseAConnectionThatTheServerHasClosed() throws Exception {
        URI server = serve((in, out) -> {
            boolean asked = Request.read(in, out) != null;
            out.write(asked ? WHOLE.getBytes(US_ASCII) : new byte[0]); // and closes it without a word
        });
        for (int i = 0; i < 5; i++) {
            assertThat(call(client, server, Duration.ofMinutes(1))).isEqualTo("{}");
            Progress.until(open::get, 0);
            pause();
            pause();
        }
    }

    @Test
    void interruptedCallsLeaveNoSocket() throws Exception {
        URI server = serve(CallLimitsTests::respond);
        Random random = new Random(1);
        AtomicInteger ended = new AtomicInteger();
        for (int round = 0; round < 40; round++) {
            List<Thread> calls = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                calls.add(Thread.startVirtualThread(() -> {
                    Throwable unused = catchThrowable(() -> call(client, server, Duration.ofMinutes(1)));
                    ended.incrementAndGet();
                }));
            }
            for (Thread each : calls) {
                if (random.nextInt(3) > 0) {
                    each.interrupt();
                }
            }
        }
        Progress.until(ended::get, 4_000);
        assertEveryPlaceIsFree();
        client.close();
        assertNoSocket();
    }

    /** As many calls as there are places get connections at once. */
    private void assertEveryPlaceIsFree() throws Exception {
        CyclicBarrier together = new CyclicBarrier(PLACES);
        URI server = serve((in, out) -> {
            if (Request.read(in, out) != null) {
                assertThatCode(together::await).doesNotThrowAnyException();
                out.write(WHOLE.getBytes(US_ASCII));
            }
        });
        List<FutureTask<String>> calls = new ArrayList<>();
        for (int i = 0; i < PLACES; i++) {
            FutureTask<String> call = new FutureTask<>(() -> call(client, server, Duration.ofMinutes(1)));
            calls.add(call);
            Thread unused = Thread.startVirtualThread(call);
        }
        for (FutureTask<String> each : calls) {
            assertThat(Progress.get(each)).isEqualTo("{}");
        }
    }

    private void assertNoSocket() {
        Progress.until(open::get, 0);
    }

    private PooledHttpClient client(HostAddresses hosts) {
        PooledHttpClient client = new PooledHttpClient(
                HttpClientOptions.defaults().withMaxConnections(PLACES), LIMIT, Duration.ofMinutes(1), hosts);
        toClose.add(client);
        return client;
    }

    private static String call(PooledHttpClient client, URI server, Duration limit) throws IOException {
        HttpExecuteResponse response = client.prepareRequest(
                        HttpExecuteRequest.builder()
                                .request(SdkHttpRequest.builder()
                                        .method(SdkHttpMethod.POST)
                                        .uri(server)
                                        .build())
                                .build(),
                        limit)
                .call();
        try (InputStream body = response.responseBody().orElseThrow()) {
            return new String(body.readAllBytes(), US_ASCII);
        }
    }

    /** Makes a call that ends at its limit; again, if the limit came before the request was sent, as on a machine that stalls. */
    private static Throwable lateCall(PooledHttpClient client, URI server) {
        Throwable failure;
        do {
            failure = catchThrowable(() -> call(client, server, LIMIT));
        } while (failure instanceof NotSentException);
        return failure;
    }

    @FunctionalInterface
    interface Talk {
        void hold(InputStream in, OutputStream out) throws IOException;
    }

    private URI serve(Talk talk) {
        ConnectionServer server = new ConnectionServer(socket -> hold(socket, talk));
        toClose.add(server);
        return URI.create("http://localhost:" + server.port());
    }

    private void hold(Socket socket, Talk talk) throws IOException {
        open.incrementAndGet();
        try (socket) {
            talk.hold(socket.getInputStream(), socket.getOutputStream());
        } finally {
            open.decrementAndGet();
        }
    }

    private static void respond(InputStream in, OutputStream out) throws IOException {
        while (Request.read(in, out) != null) {
            out.write(WHOLE.getBytes(US_ASCII));
        }
    }

    /** Reads to the end of the connection. */
    private static void read(InputStream in) throws IOException {
        byte[] unused = in.readAllBytes();
    }

    private static void pause() {
        try {
            Thread.sleep(20);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
