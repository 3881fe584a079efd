/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.client.sdk.http;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.batchsqs.errors.InvalidOptionException;
import io.github.batchsqs.testkit.ConnectionServer;
import io.github.batchsqs.testkit.Progress;
import io.github.batchsqs.testkit.SettableTime;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import software.amazon.awssdk.http.AbortableInputStream;
import software.amazon.awssdk.http.ExecutableHttpRequest;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.HttpExecuteResponse;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.SdkHttpConfigurationOption;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.SdkHttpResponse;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.utils.AttributeMap;

@ParameterizedClass
@EnumSource
class DeadlineHttpClientTests {

    /** The clients that it watches. */
    enum Engine {
        POOLED,
        /** Where there is a proxy. */
        APACHE;

        SdkHttpClient client(AttributeMap options) {
            return switch (this) {
                case POOLED -> new PooledHttpClient(options);
                case APACHE -> Apache5HttpClient.builder().buildWithDefaults(options);
            };
        }
    }

    private final Engine engine;

    private static final Duration SHORT = Duration.ofMillis(200);
    private static final Duration LONG = Duration.ofMinutes(10);
    private static final byte[] WHOLE = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}".getBytes(US_ASCII);
    private static final byte[] ENDLESS = "HTTP/1.1 200 OK\r\nContent-Length: 1000000000000\r\n\r\n".getBytes(US_ASCII);

    /** What a server does with a connection. */
    @FunctionalInterface
    private interface Conversation {
        void hold(InputStream in, OutputStream out) throws IOException;
    }

    private final List<AutoCloseable> toClose = new ArrayList<>();
    private final LinkedBlockingQueue<String> ended = new LinkedBlockingQueue<>();

    DeadlineHttpClientTests(Engine engine) {
        this.engine = engine;
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : toClose.reversed()) {
            each.close();
        }
    }

    @Test
    void aServerThatDoesNotRespondIsLeft() throws Exception {
        int port = serve((in, out) -> in.transferTo(OutputStream.nullOutputStream()));
        assertThatExceptionOfType(SocketTimeoutException.class)
                .isThrownBy(() -> call(client(SHORT, LONG), "http", port))
                .withMessage("No byte was sent or received for 200ms");
        assertThat(Progress.take(ended)).isEqualTo("connection");
    }

    @Test
    void aServerThatDoesNotShakeHandsIsLeft() throws Exception {
        int port = serve((in, out) -> in.transferTo(OutputStream.nullOutputStream()));
        assertThatExceptionOfType(SocketTimeoutException.class)
                .isThrownBy(() -> call(client(SHORT, LONG), "https", port))
                .withMessage("No byte was sent or received for 200ms");
        assertThat(Progress.take(ended)).isEqualTo("connection");
    }

    @Test
    void aResponseThatStallsIsLeft() throws Exception {
        int port = serve((in, out) -> {
            out.write(ENDLESS);
            in.transferTo(OutputStream.nullOutputStream());
        });
        assertThatExceptionOfType(SocketTimeoutException.class)
                .isThrownBy(() -> call(client(SHORT, LONG), "http", port))
                .withMessage("No byte was sent or received for 200ms");
        assertThat(Progress.take(ended)).isEqualTo("connection");
    }

    @Test
    void aResponseThatTricklesIsLeft() throws Exception {
        int port = serve((in, out) -> {
            out.write(ENDLESS);
            while (true) {
                out.write('x');
            }
        });
        assertThatExceptionOfType(SocketTimeoutException.class)
                .isThrownBy(() -> call(client(SHORT, SHORT), "http", port))
                .withMessage("The response was not complete after 200ms");
        assertThat(Progress.take(ended)).isEqualTo("connection");
    }

    @Test
    void theConnectionsOfLateCallsReturnToTheClient() throws Exception {
        var connections = new CountDownLatch(3);
        int port = serve((in, out) -> {
            connections.countDown();
            if (connections.getCount() == 0) {
                out.write(WHOLE);
            }
            in.transferTo(OutputStream.nullOutputStream());
        });
        SdkHttpClient one = client(SHORT, LONG);
        for (int i = 0; i < 2; i++) {
            assertThatExceptionOfType(SocketTimeoutException.class).isThrownBy(() -> call(one, "http", port));
        }
        assertThat(callOnABusyMachine(one, port)).isEqualTo("{}");
    }

    /** Any call may be late where this machine has no time for it; a connection that does not return makes all of them late. */
    private static String callOnABusyMachine(SdkHttpClient client, int port) throws IOException {
        for (int late = 0; ; late++) {
            try {
                return call(client, "http", port);
            } catch (SocketTimeoutException e) {
                if (late == 50) {
                    throw e;
                }
            }
        }
    }

    @Test
    void aFailureInTimeIsThrownAsItIs() throws Exception {
        int port;
        try (ServerSocket closed = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = closed.getLocalPort();
        }
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> call(client(LONG, LONG), "http", port))
                .isNotInstanceOf(SocketTimeoutException.class)
                .withMessageContaining("refused");
    }

    @Test
    void eachByteOfTheResponseIsProgressUntilTheCallIsTooLong() throws Exception {
        var time = new SettableTime();
        var watch = new DeadlineWatch(Duration.ofSeconds(30), Duration.ofSeconds(100), time, task -> {});
        var request = new FakeRequest();
        InputStream body = body(new DeadlineRequest(request, watch).call());
        for (int i = 0; i < 3; i++) {
            time.advance(Duration.ofSeconds(29));
            watch.endLate(time.nanos());
            assertThat(body.read()).isEqualTo('x');
        }
        assertThat(request.aborted.getCount()).isOne();
        time.advance(Duration.ofSeconds(13));
        watch.endLate(time.nanos());
        request.aborted.await();
        assertThat(watch.inFlight()).isZero();
    }

    @Test
    void aCallWhoseBodyIsReadOrClosedOrAbortedIsNotWatchedAnyMore() throws Exception {
        var time = new SettableTime();
        var watch = new DeadlineWatch(Duration.ofSeconds(30), Duration.ofSeconds(100), time, task -> {});
        body(new DeadlineRequest(new FakeRequest(), watch).call()).close();
        AbortableInputStream aborted = body(new DeadlineRequest(new FakeRequest(), watch).call());
        assertThat(watch.inFlight()).isOne();
        aborted.abort();
        InputStream read = body(new DeadlineRequest(new FakeRequest(), watch).call());
        assertThat(read.readAllBytes()).hasSize(FakeRequest.LENGTH);
        assertThat(watch.inFlight()).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void eachPartOfTheRequestIsProgress(Upload upload) throws Exception {
        var time = new SettableTime();
        var watch = new DeadlineWatch(Duration.ofSeconds(30), Duration.ofSeconds(100), time, task -> {});
        var slow = new SlowUpload(upload, () -> {
            time.advance(Duration.ofSeconds(29));
            watch.endLate(time.nanos());
        });
        try (var client = new DeadlineHttpClient(slow, watch)) {
            ExecutableHttpRequest request = client.prepareRequest(HttpExecuteRequest.builder()
                    .request(SdkHttpRequest.builder()
                            .method(SdkHttpMethod.POST)
                            .uri(URI.create("http://localhost/"))
                            .build())
                    .contentStreamProvider(() -> new ByteArrayInputStream(new byte[upload.length]))
                    .build());
            body(request.call()).close();
        }
        assertThat(slow.aborted.getCount()).isOne();
    }

    @Test
    void aCloseThatReadsTheRestHasADeadline() throws Exception {
        var time = new SettableTime();
        var watch = new DeadlineWatch(Duration.ofSeconds(30), Duration.ofSeconds(100), time, task -> {});
        var request = new FakeRequest();
        var inFlight = new ArrayList<Integer>();
        InputStream whole = body(new DeadlineRequest(request, watch).call());
        InputStream body = new WatchedStream(
                new ByteArrayInputStream(new byte[1]) {
                    @Override
                    public void close() {
                        inFlight.add(watch.inFlight());
                    }
                },
                watch.begin(request));
        whole.close();
        body.close();
        assertThat(inFlight).containsExactly(1);
        assertThat(watch.inFlight()).isZero();
    }

    @Test
    void aLookThatIsLateItselfEndsNoCall() throws Exception {
        var time = new SettableTime();
        var watch = new DeadlineWatch(Duration.ofSeconds(30), Duration.ofSeconds(100), time, task -> {});
        var request = new FakeRequest();
        InputStream body = body(new DeadlineRequest(request, watch).call());
        time.advance(Duration.ofSeconds(40)); // the whole process stood still
        watch.look();
        assertThat(watch.inFlight()).isOne();
        time.advance(Duration.ofSeconds(40)); // and again: no deadline is put off for ever
        watch.look();
        assertThat(watch.inFlight()).isZero();
        request.aborted.await();
        body.close();
    }

    @Test
    void aThreadThatCannotBeStartedFailsItsCallAndIsTriedAgain() throws Exception {
        var started = new ArrayList<Runnable>();
        var watch = new DeadlineWatch(LONG, LONG, new SettableTime(), task -> {
            started.add(task);
            if (started.size() == 1) {
                throw new OutOfMemoryError("unable to create native thread");
            }
        });
        assertThatExceptionOfType(OutOfMemoryError.class)
                .isThrownBy(() -> new DeadlineRequest(new FakeRequest(), watch).call());
        assertThat(watch.inFlight()).isZero();
        body(new DeadlineRequest(new FakeRequest(), watch).call()).close();
        body(new DeadlineRequest(new FakeRequest(), watch).call()).close();
        assertThat(started).hasSize(2);
    }

    @Test
    void limitsThatCannotHoldAreRefused() {
        assertThatExceptionOfType(InvalidOptionException.class).isThrownBy(() -> client(Duration.ZERO, LONG));
        assertThatExceptionOfType(InvalidOptionException.class).isThrownBy(() -> client(LONG, SHORT));
    }

    private SdkHttpClient client(Duration idle, Duration total) {
        SdkHttpClient client = new DeadlineHttpClient(
                engine::client,
                AttributeMap.builder()
                        .put(SdkHttpConfigurationOption.MAX_CONNECTIONS, 1)
                        .put(SdkHttpConfigurationOption.CONNECTION_ACQUIRE_TIMEOUT, LONG)
                        .build(),
                idle,
                total);
        toClose.add(client);
        return client;
    }

    private static String call(SdkHttpClient client, String scheme, int port) throws IOException {
        HttpExecuteResponse response = client.prepareRequest(HttpExecuteRequest.builder()
                        .request(SdkHttpRequest.builder()
                                .method(SdkHttpMethod.GET)
                                .uri(URI.create(scheme + "://localhost:" + port + "/"))
                                .putHeader("Host", "localhost")
                                .build())
                        .build())
                .call();
        try (InputStream body = body(response)) {
            StringBuilder text = new StringBuilder();
            byte[] some = new byte[1 << 16];
            for (int read = body.read(some); read >= 0; read = body.read(some)) {
                text.append(new String(some, 0, Math.min(read, 10), US_ASCII));
            }
            return text.toString();
        }
    }

    private static AbortableInputStream body(HttpExecuteResponse response) {
        return response.responseBody().orElseThrow();
    }

    /** Serves each connection by the conversation, which reads the request itself; returns the port. */
    private int serve(Conversation conversation) {
        ConnectionServer server = new ConnectionServer(socket -> {
            try {
                conversation.hold(socket.getInputStream(), socket.getOutputStream());
            } finally {
                ended.add("connection");
            }
        });
        toClose.add(server);
        return server.port();
    }

    /** Responds at once, and notes that it is aborted. */
    private static final class FakeRequest implements ExecutableHttpRequest {

        static final int LENGTH = 5;

        private final CountDownLatch aborted = new CountDownLatch(1);

        @Override
        public HttpExecuteResponse call() {
            return HttpExecuteResponse.builder()
                    .response(SdkHttpResponse.builder().statusCode(200).build())
                    .responseBody(AbortableInputStream.create(
                            new ByteArrayInputStream("x".repeat(LENGTH).getBytes(US_ASCII))))
                    .build();
        }

        @Override
        public void abort() {
            aborted.countDown();
        }
    }

    /** How a client takes a body. */
    enum Upload {
        BYTE_BY_BYTE(2),
        WRITTEN_BY_ITSELF(40_000);

        private final int length;

        Upload(int length) {
            this.length = length;
        }
    }

    /** Takes a body by parts, and needs time for each. */
    private static final class SlowUpload implements SdkHttpClient {

        private final Upload upload;
        private final Runnable timeForAPart;
        private final CountDownLatch aborted = new CountDownLatch(1);

        SlowUpload(Upload upload, Runnable timeForAPart) {
            this.upload = upload;
            this.timeForAPart = timeForAPart;
        }

        @Override
        public ExecutableHttpRequest prepareRequest(HttpExecuteRequest request) {
            return new ExecutableHttpRequest() {
                @Override
                public HttpExecuteResponse call() throws IOException {
                    InputStream content =
                            request.contentStreamProvider().orElseThrow().newStream();
                    if (upload == Upload.WRITTEN_BY_ITSELF) {
                        long unused = content.transferTo(new OutputStream() {
                            @Override
                            public void write(byte[] bytes, int offset, int length) {
                                timeForAPart.run();
                            }

                            @Override
                            public void write(int oneByte) {
                                timeForAPart.run();
                            }
                        });
                        return new FakeRequest().call();
                    }
                    byte[] one = new byte[1];
                    for (boolean array = true; (array ? content.read(one) : content.read()) >= 0; array = !array) {
                        timeForAPart.run();
                    }
                    return new FakeRequest().call();
                }

                @Override
                public void abort() {
                    aborted.countDown();
                }
            };
        }

        @Override
        public void close() {}
    }
}
