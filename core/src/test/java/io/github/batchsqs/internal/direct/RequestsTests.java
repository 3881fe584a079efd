/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.direct;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.MessageAttribute;
import io.github.batchsqs.client.Queue;
import io.github.batchsqs.internal.client.QueueClient;
import io.github.batchsqs.internal.client.ReceiveCall;
import io.github.batchsqs.internal.client.SendEntry;
import io.github.batchsqs.internal.client.VisibilityChange;
import io.github.batchsqs.internal.sdk.AwsQueueClient;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.auth.credentials.AwsSessionCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.AbortableInputStream;
import software.amazon.awssdk.http.ExecutableHttpRequest;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.HttpExecuteResponse;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.SdkHttpResponse;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4HttpSigner;
import software.amazon.awssdk.http.auth.spi.signer.HttpSigner;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.SqsClientBuilder;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Direct calls against the SDK's own, request by request: the same address, the same headers, the same JSON, and a signature
 * that the SDK's signer gives for the same request at the same second.
 */
class RequestsTests {

    private static final JsonMapper JSON = JsonMapper.shared();
    private static final Queue QUEUE =
            new Queue("orders", "https://sqs.eu-central-1.amazonaws.com/123456789012/orders");

    /** What the SDK counts and makes up for each request, and what changes with the time. */
    private static final List<String> ITS_OWN = List.of("amz-sdk-invocation-id", "amz-sdk-request");

    private static final List<String> OF_THE_TIME = List.of("x-amz-date", "authorization");

    private final Recorder recorder = new Recorder();

    static Stream<Arguments> callsAndClients() {
        Map<String, Call> calls = new TreeMap<>(Map.of(
                "receive",
                client -> client.receive(
                        new ReceiveCall(QUEUE, 10, Duration.ofSeconds(20), Duration.ofSeconds(30), "attempt")),
                "receive with the least",
                client -> client.receive(new ReceiveCall(QUEUE, 1, Duration.ZERO, null, null)),
                "delete",
                client -> client.delete(QUEUE, List.of("AQEB+/=", "h\u00fc\"\\\n")),
                "change visibility",
                client -> client.changeVisibility(
                        QUEUE,
                        List.of(
                                new VisibilityChange("a", Duration.ZERO),
                                new VisibilityChange("b", Duration.ofHours(12)))),
                "send",
                client -> client.send(
                        QUEUE,
                        List.of(
                                new SendEntry("{\"a\":\"\u00fc \uD83D\uDE00\"}", Map.of(), null, null, null),
                                new SendEntry(
                                        "b",
                                        Map.of(
                                                "text", MessageAttribute.string("t\u00fc"),
                                                "number", MessageAttribute.text("Number.int", "42"),
                                                "bytes", MessageAttribute.binary(new byte[] {0, 1, -1, 77})),
                                        Duration.ofSeconds(900),
                                        "group",
                                        "id")))));
        Map<String, SqsClientBuilder> clients = new TreeMap<>(Map.of(
                "a region", SqsClient.builder().region(Region.EU_CENTRAL_1),
                "dual stack", SqsClient.builder().region(Region.US_WEST_2).dualstackEnabled(true),
                "FIPS", SqsClient.builder().region(Region.US_EAST_1).fipsEnabled(true),
                "China", SqsClient.builder().region(Region.CN_NORTH_1),
                "an endpoint with port and path",
                        SqsClient.builder()
                                .region(Region.US_EAST_1)
                                .endpointOverride(URI.create("http://localhost:4566/some/p%20ath"))));
        return calls.entrySet().stream()
                .flatMap(call -> clients.entrySet().stream()
                        .flatMap(client -> Stream.of(
                                        AwsBasicCredentials.create("AKIDEXAMPLE", "wJalrXUtnFEMI/K7MDENG"),
                                        AwsSessionCredentials.create("ASIAEXAMPLE", "secret", "session+token/=="))
                                .map(credentials -> Arguments.of(
                                        call.getKey(),
                                        client.getKey(),
                                        call.getValue(),
                                        client.getValue(),
                                        credentials))));
    }

    @Test
    void aBodyThatIsClosedTwiceIsGivenBackOnce() throws Exception {
        InputStream body = Requests.delete(QUEUE, List.of("handle")).stream();
        body.close();
        body.close();
        assertThat(body.read()).isNegative();
        assertThat(Stream.generate(JsonWriter::take).limit(200)).doesNotHaveDuplicates();
    }

    @ParameterizedTest(name = "{0}, {1}, {4}")
    @MethodSource("callsAndClients")
    void sendsWhatTheSdkSends(
            String callName, String clientName, Call call, SqsClientBuilder builder, AwsCredentials credentials)
            throws Exception {
        SqsClient sqs = builder.credentialsProvider(StaticCredentialsProvider.create(credentials))
                .httpClient(recorder)
                .build();

        call.on(new AwsQueueClient(sqs));
        call.on(new DirectQueueClient(sqs, recorder));

        Recorded theirs = recorder.requests.get(0);
        Recorded ours = recorder.requests.get(1);
        assertThat(ours.request().method()).isEqualTo(theirs.request().method());
        assertThat(ours.request().getUri()).isEqualTo(theirs.request().getUri());
        assertThat(ours.json()).isEqualTo(theirs.json());
        assertThat(withoutBody(headers(ours))).isEqualTo(withoutBody(headers(theirs)));
        assertThat(ours.request().firstMatchingHeader("content-length")).contains(Integer.toString(ours.body().length));
        assertThat(ours.request().firstMatchingHeader("authorization"))
                .isEqualTo(signedBySdk(ours, credentials, region(theirs)).firstMatchingHeader("authorization"));
    }

    @Test
    void signsWithTheKeyOfTheDayAndOfTheSecret() {
        RequestSigner signer = new RequestSigner(
                "eu-central-1",
                "sqs",
                SdkHttpRequest.builder()
                        .method(SdkHttpMethod.POST)
                        .uri(URI.create("https://sqs.eu-central-1.amazonaws.com/"))
                        .putHeader("Host", "sqs.eu-central-1.amazonaws.com")
                        .build(),
                Map.of("host", List.of("sqs.eu-central-1.amazonaws.com")));
        byte[] body = "{}".getBytes(StandardCharsets.UTF_8);
        Instant day = Instant.parse("2026-11-21T23:59:59Z");
        for (int i = 0; i < 3; i++) {
            AwsCredentials credentials = AwsBasicCredentials.create(i < 2 ? "AKID" : "OTHER", "secret" + i);
            for (Instant now : List.of(day, day.plusSeconds(1), day)) {
                SdkHttpRequest signed = signer.sign(
                        credentials,
                        now,
                        "AmazonSQS.DeleteMessageBatch",
                        JsonWriter.take().raw("{}"));
                assertThat(signed.firstMatchingHeader("authorization"))
                        .isEqualTo(signedBySdk(new Recorded(signed, body), credentials, "eu-central-1")
                                .firstMatchingHeader("authorization"));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://localhost:4566",
                "http://localhost:4566/",
                "http://localhost:4566/a",
                "http://localhost:4566/a/",
                "http://localhost:4566/a//b",
                "http://localhost:4566//a",
                "http://localhost:4566/a/./b/../c",
                "http://localhost:4566/a/b/..",
                "http://localhost:4566/a/b/.",
                "http://localhost:4566/../a",
                "http://localhost:4566/a%20b/%2F/%C3%BC",
                "http://localhost:4566/a+b~c*d"
            })
    void signsOddPathsHeadersAndCredentialsAsTheSdkDoes(String endpoint) throws Exception {
        AwsCredentials spaced = AwsSessionCredentials.create(" ASIAEXAMPLE\n", "\tsecret ", "the\ttoken\n");
        SqsClient sqs = SqsClient.builder()
                .region(Region.US_EAST_1)
                .endpointOverride(URI.create(endpoint))
                .credentialsProvider(StaticCredentialsProvider.create(spaced))
                .httpClient(recorder)
                .overrideConfiguration(override -> override.putHeader("X-Odd", "  two   words\tand  more ")
                        .putHeader("X-Tab", "a\tb")
                        .putHeader("X-Many", List.of(" a ", "b  c")))
                .build();

        new DirectQueueClient(sqs, recorder).delete(QUEUE, List.of("h"));
        new AwsQueueClient(sqs).delete(QUEUE, List.of("h"));

        Recorded ours = recorder.requests.get(0);
        Recorded theirs = recorder.requests.get(1);
        assertThat(headers(ours)).isEqualTo(headers(theirs));
        assertThat(ours.request().headers().get("Authorization")).isNotNull();
        assertThat(ours.request().headers()).containsKeys("authorization", "X-AMZ-DATE", "host");
        assertThat(ours.request().firstMatchingHeader("x-amz-security-token")).contains("the\ttoken");
        assertThat(ours.request().firstMatchingHeader("authorization"))
                .isEqualTo(signedBySdk(ours, spaced, "us-east-1").firstMatchingHeader("authorization"));
    }

    private static Map<String, List<String>> headers(Recorded recorded) {
        Map<String, List<String>> headers = new TreeMap<>();
        recorded.request().headers().forEach((name, values) -> headers.put(name.toLowerCase(Locale.ROOT), values));
        ITS_OWN.forEach(headers::remove);
        OF_THE_TIME.forEach(headers::remove);
        return headers;
    }

    /** JSON has more than one spelling, and so have what follows from it: length and digest. */
    private static Map<String, List<String>> withoutBody(Map<String, List<String>> headers) {
        headers.remove("content-length");
        headers.remove("x-amz-content-sha256");
        return headers;
    }

    private static String region(Recorded recorded) {
        String credential =
                recorded.request().firstMatchingHeader("authorization").orElseThrow();
        return credential.replaceFirst("[^/]+/\\d+/([^/]+)/.*", "$1");
    }

    /** The request as the SDK's signer signs it at the time that it bears. */
    private static SdkHttpRequest signedBySdk(Recorded recorded, AwsCredentials credentials, String region) {
        String date = recorded.request().firstMatchingHeader("x-amz-date").orElseThrow();
        Instant time =
                Instant.from(DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmssX").parse(date));
        SdkHttpRequest unsigned = recorded.request().toBuilder()
                .removeHeader("authorization")
                .removeHeader("x-amz-date")
                .removeHeader("x-amz-content-sha256")
                .removeHeader("x-amz-security-token")
                .build();
        return AwsV4HttpSigner.create()
                .sign(sign -> sign.request(unsigned)
                        .payload(() -> new ByteArrayInputStream(recorded.body()))
                        .identity(credentials)
                        .putProperty(AwsV4HttpSigner.REGION_NAME, region)
                        .putProperty(AwsV4HttpSigner.SERVICE_SIGNING_NAME, "sqs")
                        .putProperty(HttpSigner.SIGNING_CLOCK, Clock.fixed(time, ZoneOffset.UTC)))
                .request();
    }

    interface Call {
        void on(QueueClient client) throws InterruptedException;
    }

    @SuppressWarnings("ArrayRecordComponent") // nobody compares them
    private record Recorded(SdkHttpRequest request, byte[] body) {

        JsonNode json() {
            return JSON.readTree(body);
        }
    }

    /** Answers everything with an empty object. */
    private static final class Recorder implements SdkHttpClient {

        private final List<Recorded> requests = new ArrayList<>();

        @Override
        public ExecutableHttpRequest prepareRequest(HttpExecuteRequest request) {
            return new ExecutableHttpRequest() {
                @Override
                public HttpExecuteResponse call() {
                    requests.add(new Recorded(request.httpRequest(), body(request)));
                    return HttpExecuteResponse.builder()
                            .response(SdkHttpResponse.builder().statusCode(200).build())
                            .responseBody(AbortableInputStream.create(new ByteArrayInputStream(new byte[] {'{', '}'})))
                            .build();
                }

                @Override
                public void abort() {}
            };
        }

        private static byte[] body(HttpExecuteRequest request) {
            try (InputStream stream =
                    request.contentStreamProvider().orElseThrow().newStream()) {
                return stream.readAllBytes();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public void close() {}
    }
}
