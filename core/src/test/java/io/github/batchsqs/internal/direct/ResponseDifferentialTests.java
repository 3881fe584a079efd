/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.direct;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.ReceivedMessage;
import io.github.batchsqs.client.HttpClientOptions;
import io.github.batchsqs.client.Queue;
import io.github.batchsqs.client.QueueCallException;
import io.github.batchsqs.internal.client.EntryResult;
import io.github.batchsqs.internal.client.QueueClient;
import io.github.batchsqs.internal.client.ReceiveCall;
import io.github.batchsqs.internal.direct.ResponseCases.Case;
import io.github.batchsqs.internal.http.PooledHttpClient;
import io.github.batchsqs.internal.sdk.AwsQueueClient;
import io.github.batchsqs.testkit.ScriptedHttpServer;
import io.github.batchsqs.testkit.ScriptedHttpServer.Request;
import io.github.batchsqs.testkit.ScriptedHttpServer.Response;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.core.SdkGlobalTime;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.sqs.SqsClient;

/**
 * Responses to direct calls against the same responses to the SDK's own client: the same result or exception, after as many
 * attempts with the same delays between them, each signed at the same time. What differs on purpose is listed below and in
 * ADR 0008.
 */
@Isolated("the SDK keeps the offset of a wrong clock for the whole JVM")
class ResponseDifferentialTests {

    private static final Queue QUEUE = new Queue("orders", "http://localhost/000000000000/orders");
    private static final long SEED = 20_261_122;
    private static final Duration LIMIT = Duration.ofMinutes(1);

    /** One attempt takes less than this; what is signed with a corrected clock differs by more. */
    private static final int CLOCK_GRAIN_SECONDS = 60;

    /**
     * A difference that is meant.
     *
     * @param reason why, as ADR 0008 says it
     * @param of which cases have it
     */
    private record Difference(String reason, Meant of) {}

    private interface Meant {
        boolean test(Case tried, Outcome sdk, Outcome direct);
    }

    private static final List<Difference> EXPECTED = List.of(
            // The SDK takes what came of the head for a response without a body
            new Difference(
                    "A response that is cut is none, also behind all of its JSON",
                    (tried, sdk, direct) -> tried.responses().stream().anyMatch(Response::close)
                            && (direct.result.contains("UnreadableResponse")
                                    || direct.result.contains("ConnectionFailed"))));

    private final ScriptedHttpServer server = new ScriptedHttpServer(this::respond);
    private final List<AutoCloseable> toClose = new ArrayList<>();
    private final List<Request> seen = new CopyOnWriteArrayList<>();
    private volatile List<Response> script = List.of();

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable closeable : toClose) {
            closeable.close();
        }
        server.close();
        SdkGlobalTime.setGlobalTimeOffset(0);
    }

    @Test
    void directCallsEndAsTheSdksCallsDo() throws Exception {
        List<Case> cases = ResponseCases.generate(SEED, 1_000);
        assertThat(cases).hasSizeGreaterThan(1_000);
        Side sdk = new Side(AwsQueueClient::new);
        Side direct = directSide();
        List<String> unexpected = new ArrayList<>();
        Map<String, Integer> expected = new TreeMap<>();
        for (Case tried : cases) {
            boolean clock = tried.touchesTheClock();
            SdkGlobalTime.setGlobalTimeOffset(0);
            Outcome theirs = (clock ? new Side(AwsQueueClient::new) : sdk).run(tried);
            SdkGlobalTime.setGlobalTimeOffset(0);
            Outcome ours = (clock ? directSide() : direct).run(tried);
            if (!theirs.equals(ours)) {
                EXPECTED.stream()
                        .filter(row -> row.of.test(tried, theirs, ours))
                        .findFirst()
                        .ifPresentOrElse(
                                row -> expected.merge(row.reason, 1, Integer::sum),
                                () -> unexpected.add(tried + "\n   SDK:    " + theirs + "\n   direct: " + ours));
            }
        }
        assertThat(unexpected)
                .as("%s of %s cases differ, seed %s", unexpected.size(), cases.size(), SEED)
                .isEmpty();
        assertThat(expected.keySet())
                .as("rows that no case needs any more should go")
                .containsAll(EXPECTED.stream().map(Difference::reason).toList());
    }

    private Side directSide() {
        return new Side((sqs, http) -> new DirectQueueClient(sqs, http));
    }

    private Response respond(Request request) {
        seen.add(request);
        return script.get(Math.min(seen.size(), script.size()) - 1);
    }

    /**
     * How a call ended.
     *
     * @param result the value, or the exception: its code, whether it may be retried, its words and its causes
     * @param clocks by how many minutes the time that each attempt was signed with is off
     */
    record Outcome(String result, int attempts, List<Long> clocks) {}

    /** A client of the server with connections for one call: one that is not given back fails the next call. */
    private final class Side {

        private final QueueClient client;

        /** The SDK, as it is. */
        Side(Function<SqsClient, QueueClient> make) {
            this(
                    Apache5HttpClient.builder()
                            .maxConnections(1)
                            .connectionTimeout(LIMIT)
                            .connectionAcquisitionTimeout(LIMIT)
                            .socketTimeout(LIMIT)
                            .build(),
                    (sqs, http) -> make.apply(sqs));
        }

        /** Direct calls, with the HTTP client that the auto-configuration makes. */
        Side(BiFunction<SqsClient, SdkHttpClient, QueueClient> make) {
            this(
                    new PooledHttpClient(
                            HttpClientOptions.defaults().withMaxConnections(1).withConnectTimeout(LIMIT), LIMIT),
                    make);
        }

        private Side(SdkHttpClient http, BiFunction<SqsClient, SdkHttpClient, QueueClient> make) {
            SqsClient sqs = SqsClient.builder()
                    .endpointOverride(server.endpoint())
                    .checksumValidationEnabled(false) // direct calls compare no digests
                    .region(Region.US_EAST_1)
                    .httpClient(http)
                    .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create("key", "secret")))
                    .overrideConfiguration(override -> override.retryStrategy(AwsRetryStrategy.doNotRetry()))
                    .build();
            toClose.add(sqs);
            toClose.add(http);
            client = make.apply(sqs, http);
        }

        Outcome run(Case tried) {
            seen.clear();
            script = tried.responses();
            String results = script.stream().map(each -> result(tried)).collect(Collectors.joining("\n"));
            return new Outcome(
                    results,
                    seen.size(),
                    seen.stream().map(ResponseDifferentialTests::minutesOff).toList());
        }

        private String result(Case tried) {
            try {
                return switch (tried.operation()) {
                    case RECEIVE -> messages(client.receive(new ReceiveCall(QUEUE, 10, Duration.ZERO, null, null)));
                    case DELETE -> entries(client.delete(QUEUE, ResponseCases.HANDLES));
                    case CHANGE_VISIBILITY -> entries(client.changeVisibility(QUEUE, ResponseCases.CHANGES));
                    case SEND -> entries(client.send(QUEUE, ResponseCases.ENTRIES));
                };
            } catch (QueueCallException e) {
                return "retryable=" + e.retryable() + " refused=" + e.refused() + " unknown=" + e.mayHaveBeenAccepted()
                        + " after=" + e.retryAfter() + " " + words(e) + causes(e);
            } catch (RuntimeException | InterruptedException e) {
                return e.getClass().getName();
            }
        }
    }

    private static String messages(List<ReceivedMessage> messages) {
        return messages.stream()
                .map(message -> {
                    Map<String, Object> all = new LinkedHashMap<>();
                    all.put("id", message.id());
                    all.put("handle", message.receiptHandle());
                    all.put("body", message.body());
                    all.put("system", new TreeMap<>(message.systemAttributes()));
                    all.put("attributes", new TreeMap<>(message.attributes()));
                    all.put("group", String.valueOf(message.groupId()));
                    return all.toString();
                })
                .collect(Collectors.joining("\n", "messages", ""));
    }

    private static String entries(List<? extends EntryResult<?>> results) {
        return results.toString();
    }

    /** All of what SQS said. The words about a response that cannot be read are those of a parser. */
    private static String words(QueueCallException e) {
        // The two sides measure the clock one after the other.
        return e.getCause() instanceof AwsServiceException
                ? String.valueOf(e.getMessage()).replaceAll("it is \\d+ s ", "it is some s ")
                : e.code();
    }

    private static String causes(QueueCallException e) {
        Throwable cause = e.getCause();
        return " caused by "
                + switch (cause) {
                    case null -> "nothing";
                    case AwsServiceException refused -> "a refusal"; // whose code counts, not its class
                    default -> cause.getClass().getSimpleName();
                };
    }

    private static long minutesOff(Request request) {
        String date = String.valueOf(request.headers().get("x-amz-date"));
        Instant signed =
                Instant.from(DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmssX").parse(date));
        return Math.round((double) Duration.between(Instant.now(), signed).toSeconds() / CLOCK_GRAIN_SECONDS);
    }
}
