/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.http;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.batchsqs.client.HttpClientOptions;
import io.github.batchsqs.client.HttpClientOptions.Proxy;
import io.github.batchsqs.internal.sdk.NotSentException;
import io.github.batchsqs.testkit.ConnectionServer;
import io.github.batchsqs.testkit.Progress;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.security.KeyStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ServerSocketFactory;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.http.ContentStreamProvider;
import software.amazon.awssdk.http.ExecutableHttpRequest;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.HttpExecuteResponse;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;

class PooledHttpClientTests {

    private static final String WHOLE = "HTTP/1.1 200 OK\r\nx-amzn-RequestId: 7\r\nContent-Length: 2\r\n\r\n{}";
    private static final char[] PASSWORD = "changeit".toCharArray();

    /** Responds to the requests of a connection; returns whether to wait for another one. */
    @FunctionalInterface
    private interface Responder {
        boolean respond(String request, OutputStream out) throws IOException;
    }

    private final List<AutoCloseable> toClose = new ArrayList<>();
    private final PooledHttpClient client = client(options());
    private final AtomicInteger connections = new AtomicInteger();
    private final LinkedBlockingQueue<String> requests = new LinkedBlockingQueue<>();
    private final LinkedBlockingQueue<String> ended = new LinkedBlockingQueue<>();
    private final LinkedBlockingQueue<String> protocols = new LinkedBlockingQueue<>();

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : toClose.reversed()) {
            each.close();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                WHOLE,
                "HTTP/1.1 200 OK\r\nContent-Length-Of-All: 99\r\nConnection-Id: close\r\n"
                        + "Content-Length : 2\r\n\r\n{}",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{\r\n1\r\n}\r\n0\r\n\r\n"
            })
    void callsUseOneConnection(String response) throws Exception {
        URI server = serve(response);
        for (int i = 0; i < 3; i++) {
            assertThat(call(client, server)).isEqualTo("{}");
        }
        assertThat(connections).hasValue(1);
        assertThat(Progress.take(requests)).endsWith("Content-Length: 0\r\n\r\n");
    }

    @Test
    void aRequestIsWrittenAsItIs() throws Exception {
        URI server = serve(WHOLE);
        HttpExecuteResponse response = client.prepareRequest(
                        request(server, ContentStreamProvider.fromUtf8String("{\"a\":1}"))
                                .build())
                .call();
        response.responseBody().orElseThrow().close();
        assertThat(response.httpResponse().statusCode()).isEqualTo(200);
        assertThat(response.httpResponse().statusText()).contains("OK");
        assertThat(response.httpResponse().firstMatchingHeader("X-Amzn-Requestid"))
                .contains("7");
        assertThat(Progress.take(requests))
                .isEqualTo(
                        "POST /orders?x=1 HTTP/1.1\r\nX-Amz-Target: a\r\nHost: localhost:%d\r\nContent-Length: 7\r\n\r\n"
                                        .formatted(server.getPort())
                                + "{\"a\":1}");
    }

    @Test
    void noValueOfAHeaderAddsAnother() throws Exception {
        URI server = serve(WHOLE);
        String longer = "v".repeat(5_000);
        HttpExecuteRequest given = request(server, ContentStreamProvider.fromUtf8String("{}"))
                .request(SdkHttpRequest.builder()
                        .method(SdkHttpMethod.POST)
                        .uri(server)
                        .putHeader("host", "sqs.example")
                        .putHeader("A", List.of("1", "2"))
                        .putHeader("B", "one\r\nInjected: two\u000b\u0001\u20ac\u00e9\tend")
                        .putHeader("Long", longer)
                        .putHeader("transfer-encoding", "chunked")
                        .build())
                .build();
        client.prepareRequest(given).call().responseBody().orElseThrow().close();
        List<String> lines = Progress.take(requests).lines().toList();
        assertThat(lines)
                .filteredOn(line -> line.regionMatches(true, 0, "Host:", 0, 5))
                .hasSize(1);
        assertThat(lines)
                .startsWith("POST / HTTP/1.1")
                .contains(
                        "host: sqs.example",
                        "A: 1",
                        "A: 2",
                        "B: one  Injected: two ??\u00e9\tend",
                        "Long: " + longer,
                        "Content-Length: 2")
                .noneMatch(line -> line.toLowerCase(Locale.ROOT).startsWith("transfer-encoding"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}",
                "HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\n{}"
            })
    void aConnectionThatTheServerEndsIsNotUsedAgain(String response) throws Exception {
        URI server = serve(response);
        assertThat(call(client, server)).isEqualTo("{}");
        assertThat(call(client, server)).isEqualTo("{}");
        assertThat(connections).hasValue(2);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void anAbortOrAnInterruptEndsACallThatWaitsForItsResponse(boolean abort) throws Exception {
        var asked = new CountDownLatch(1);
        ExecutableHttpRequest call =
                client.prepareRequest(request(serve(silent(asked)), null).build());
        var failure = new CompletableFuture<Throwable>();
        Thread thread = Thread.ofVirtual().start(() -> failure.complete(failureOf(call)));
        asked.await();
        end(call, thread, abort);
        assertThat(failure.get()).isInstanceOf(IOException.class);
        assertThat(Progress.take(ended)).isEqualTo("connection");
        assertThat(call(client, serve(WHOLE))).isEqualTo("{}");
    }

    private static void end(ExecutableHttpRequest call, Thread thread, boolean abort) {
        if (abort) {
            call.abort();
        } else {
            thread.interrupt();
        }
    }

    @Test
    void aCallThatWasAbortedBeforeIsNotMade() throws Exception {
        URI server = serve(WHOLE);
        ExecutableHttpRequest call = client.prepareRequest(request(server, null).build());
        call.abort();
        assertThatExceptionOfType(InterruptedIOException.class).isThrownBy(call::call);
        assertThat(call(client, server)).isEqualTo("{}");
        assertThat(requests).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource({"true, The call was aborted", "false, The wait for a connection was interrupted"})
    void anAbortOrAnInterruptEndsTheWaitForAConnection(boolean abort, String message) throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        URI server = serve(held(release));
        FutureTask<String> held = hold(client, server);
        ExecutableHttpRequest call = client.prepareRequest(request(server, null).build());
        var failure = new CompletableFuture<Throwable>();
        var interrupted = new CompletableFuture<Boolean>();
        Thread thread = Thread.ofVirtual().start(() -> {
            failure.complete(failureOf(call));
            interrupted.complete(Thread.currentThread().isInterrupted());
        });
        awaitWait(thread);
        end(call, thread, abort);
        assertThat(failure.get()).isInstanceOf(InterruptedIOException.class).hasMessage(message);
        assertThat(interrupted.get()).isNotEqualTo(abort);
        release.countDown();
        assertThat(held.get()).isEqualTo("{}");
        assertThat(call(client, server)).isEqualTo("{}");
        assertThat(connections).hasValue(1);
    }

    @Test
    void anErrorFailsItsOwnCallAlone() throws Exception {
        URI server = serve(WHOLE);
        ContentStreamProvider none = () -> {
            throw new OutOfMemoryError("no room for the body");
        };
        HttpExecuteRequest request = request(server, none)
                .request(head(server).putHeader("Content-Length", "2").build())
                .build();
        assertThatExceptionOfType(OutOfMemoryError.class)
                .isThrownBy(() -> client.prepareRequest(request).call());
        assertThat(call(client, server)).isEqualTo("{}");
    }

    @Test
    void aBodyThatIsNotAsLongAsItSaysFails() throws Exception {
        URI server = serve(WHOLE);
        HttpExecuteRequest request = request(server, () -> new ByteArrayInputStream(new byte[3]))
                .request(head(server).putHeader("Content-Length", "2").build())
                .build();
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> client.prepareRequest(request).call())
                .withMessage("The request's body has 3 bytes, but its Content-Length is 2");
        assertThat(call(client, server)).isEqualTo("{}");
    }

    @Test
    void aCallFailsThatFindsNoFreeConnection() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        URI server = serve(held(release));
        FutureTask<String> held = hold(client, server);
        ExecutableHttpRequest call = client.prepareRequest(request(server, null).build(), Duration.ofMillis(100));
        assertThatExceptionOfType(NotSentException.class)
                .isThrownBy(call::call)
                .withMessageStartingWith("No connection was free for");
        release.countDown();
        assertThat(held.get()).isEqualTo("{}");
        assertThat(call(client, server)).isEqualTo("{}");
    }

    @Test
    void headersBeyondTheLimitsFail() throws Exception {
        URI longLine = serve("HTTP/1.1 200 OK\r\nx: " + "y".repeat(70_000) + "\r\nContent-Length: 0\r\n\r\n");
        URI manyLines = serve("HTTP/1.1 200 OK\r\n" + "x: y\r\n".repeat(300) + "Content-Length: 0\r\n\r\n");
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> call(client, longLine))
                .withMessageContaining("line length limit");
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> call(client, manyLines))
                .withMessageContaining("header count");
    }

    @Test
    void idleConnectionsAreClosed() throws Exception {
        URI server = serve(WHOLE);
        SdkHttpClient client = new PooledHttpClient(
                options(), Duration.ofMinutes(1), Duration.ofMillis(20), new HostAddresses(InetAddress::getAllByName));
        toClose.add(client);
        assertThat(call(client, server)).isEqualTo("{}");
        assertThat(Progress.take(ended)).isEqualTo("connection");
    }

    @Test
    void connectionsHaveATimeToLive() throws Exception {
        URI server = serve(WHOLE);
        SdkHttpClient client = client(options().withTimeToLive(Duration.ofSeconds(1)));
        while (connections.get() < 2) {
            assertThat(call(client, server)).isEqualTo("{}");
        }
        assertThat(Progress.take(ended)).isEqualTo("connection");
    }

    @Test
    void aClosedClientClosesItsConnections() throws Exception {
        URI server = serve(WHOLE);
        assertThat(call(client, server)).isEqualTo("{}");
        client.close();
        assertThat(Progress.take(ended)).isEqualTo("connection");
    }

    @Test
    void callsAreEncryptedByTls13() throws Exception {
        URI server = serveTls("localhost");
        SdkHttpClient client = client(trusting("localhost"));
        assertThat(call(client, server)).isEqualTo("{}");
        assertThat(call(client, server)).isEqualTo("{}");
        assertThat(Progress.take(protocols)).isEqualTo("TLSv1.3");
        assertThat(connections).hasValue(1);
    }

    @ParameterizedTest
    @CsvSource({"elsewhere, elsewhere", "localhost, elsewhere", "localhost,"})
    void aCertificateOfAnotherHostOrThatNobodyTrustsIsRefused(String shown, @Nullable String trusted) throws Exception {
        URI server = serveTls(shown);
        PooledHttpClient client = client(trusted == null ? options() : trusting(trusted));
        assertThatExceptionOfType(NotSentException.class)
                .isThrownBy(() -> call(client, server))
                .withCauseInstanceOf(SSLException.class);
    }

    @Test
    void tunnelsThroughAProxyToAServerByTls() throws Exception {
        URI server = serveTls("localhost");
        LinkedBlockingQueue<String> asked = new LinkedBlockingQueue<>();
        ConnectionServer between = new ConnectionServer(socket -> {
            asked.add(next(socket.getInputStream()));
            try (Socket onward = new Socket("localhost", server.getPort())) {
                socket.getOutputStream().write("HTTP/1.1 200 Connected\r\n\r\n".getBytes(US_ASCII));
                Thread back = Thread.startVirtualThread(() -> copy(onward, socket));
                copy(socket, onward);
                back.interrupt();
            }
        });
        toClose.add(between);
        Proxy proxy = new Proxy("localhost", between.port(), "me", "secret", Set.of("other.*"));
        SdkHttpClient client = new PooledHttpClient(trusting("localhost").withProxy(proxy), Duration.ofMinutes(1));
        toClose.add(client);
        assertThat(call(client, server)).isEqualTo("{}");
        assertThat(Progress.take(asked))
                .isEqualTo("CONNECT localhost:%1$d HTTP/1.1\r\nHost: localhost:%1$d\r\n".formatted(server.getPort())
                        + "Proxy-Authorization: Basic bWU6c2VjcmV0\r\n\r\n");
        assertThat(proxy).hasToString("localhost:" + between.port());
    }

    private static void copy(Socket from, Socket to) {
        try {
            from.getInputStream().transferTo(to.getOutputStream());
        } catch (IOException e) {
            // one of them has closed
        }
    }

    private PooledHttpClient client(HttpClientOptions options) {
        PooledHttpClient client = new PooledHttpClient(options, Duration.ofMinutes(1));
        toClose.add(client);
        return client;
    }

    private static HttpClientOptions options() {
        return HttpClientOptions.defaults().withMaxConnections(1);
    }

    private static HttpClientOptions trusting(String certificate) throws Exception {
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        KeyStore own = keys(certificate);
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry("server", own.getCertificate("server"));
        factory.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, factory.getTrustManagers(), null);
        return options().withSslContext(context);
    }

    private static KeyStore keys(String certificate) throws Exception {
        try (InputStream file = PooledHttpClientTests.class.getResourceAsStream("/tls/" + certificate + ".p12")) {
            KeyStore keys = KeyStore.getInstance("PKCS12");
            keys.load(file, PASSWORD);
            return keys;
        }
    }

    private static SdkHttpRequest.Builder head(URI server) {
        return SdkHttpRequest.builder()
                .method(SdkHttpMethod.POST)
                .uri(server.resolve("/orders?x=1"))
                .putHeader("X-Amz-Target", "a");
    }

    private static HttpExecuteRequest.Builder request(URI server, @Nullable ContentStreamProvider body) {
        return HttpExecuteRequest.builder().request(head(server).build()).contentStreamProvider(body);
    }

    private static String call(SdkHttpClient client, URI server) throws IOException {
        HttpExecuteResponse response =
                client.prepareRequest(request(server, null).build()).call();
        try (InputStream body = response.responseBody().orElseThrow()) {
            return new String(body.readAllBytes(), US_ASCII);
        }
    }

    /** Makes a call whose connection is in use until the server responds. */
    private FutureTask<String> hold(SdkHttpClient client, URI server) throws Exception {
        var held = new FutureTask<>(() -> call(client, server));
        Thread.ofVirtual().start(held);
        assertThat(Progress.take(requests)).startsWith("POST");
        return held;
    }

    private static Responder held(CountDownLatch release) {
        return (request, out) -> {
            Progress.await(release);
            return always(WHOLE).respond(request, out);
        };
    }

    private static void awaitWait(Thread thread) {
        Set<Thread.State> waits = Set.of(Thread.State.TIMED_WAITING, Thread.State.WAITING); // without a limit
        while (!waits.contains(thread.getState())) {
            Thread.onSpinWait();
        }
    }

    private static Responder silent(CountDownLatch asked) {
        return (request, out) -> {
            asked.countDown();
            return true;
        };
    }

    private static Throwable failureOf(ExecutableHttpRequest call) {
        try {
            HttpExecuteResponse response = call.call();
            return new AssertionError("There was a response: " + response.httpResponse());
        } catch (Throwable failure) {
            return failure;
        }
    }

    /** Gives each request this response, on any number of connections. */
    private URI serve(String response) {
        return serve(always(response));
    }

    private static Responder always(String response) {
        return (request, out) -> {
            out.write(response.getBytes(US_ASCII));
            return true;
        };
    }

    private URI serve(Responder responder) {
        return URI.create("http://localhost:" + listen(ServerSocketFactory.getDefault(), responder));
    }

    private URI serveTls(String certificate) throws Exception {
        KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        factory.init(keys(certificate), PASSWORD);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(factory.getKeyManagers(), null, null);
        return URI.create("https://localhost:" + listen(context.getServerSocketFactory(), always(WHOLE)));
    }

    private int listen(ServerSocketFactory sockets, Responder responder) {
        ConnectionServer server = new ConnectionServer(sockets, socket -> hold(socket, responder));
        toClose.add(server);
        return server.port();
    }

    private void hold(Socket socket, Responder responder) throws IOException {
        connections.incrementAndGet();
        try {
            if (socket instanceof SSLSocket tls) {
                protocols.add(tls.getSession().getProtocol());
            }
            String request = next(socket.getInputStream());
            while (!request.isEmpty()) {
                requests.add(request);
                request = responder.respond(request, socket.getOutputStream()) ? next(socket.getInputStream()) : "";
            }
        } finally {
            ended.add("connection");
        }
    }

    /** Reads a request; returns nothing at the end of the connection. */
    private static String next(InputStream in) throws IOException {
        StringBuilder request = new StringBuilder();
        while (request.indexOf("\r\n\r\n") < 0) {
            int read = in.read();
            if (read < 0) {
                return "";
            }
            request.append((char) read);
        }
        String length = request.toString().replaceFirst("(?s).*Content-Length: (\\d+).*", "$1");
        int body = length.length() < request.length() ? Integer.parseInt(length) : 0;
        return request + new String(in.readNBytes(body), US_ASCII);
    }
}
