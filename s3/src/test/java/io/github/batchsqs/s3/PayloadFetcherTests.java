/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.github.batchsqs.MessageAttribute;
import io.github.batchsqs.ReceivedMessage;
import io.github.batchsqs.internal.support.PayloadPointers;
import io.github.batchsqs.internal.support.TimeSource;
import io.github.batchsqs.payload.FetchedPayloads;
import io.github.batchsqs.payload.PayloadStoreException;
import io.github.batchsqs.s3.S3Server.Call;
import io.github.batchsqs.testkit.Progress;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.services.s3.S3Client;

/** The memory of payloads, whatever their messages claim. */
class PayloadFetcherTests {

    private static final int MEMORY = 2 << 20;
    private static final int LARGE = 1_200_000;

    @AutoClose
    private final S3Server server = new S3Server();

    @AutoClose
    private final S3Client client = Queues.s3(server.endpoint());

    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final PayloadFetcher fetcher = fetcher(client, Duration.ofMinutes(1), 4);

    private PayloadFetcher fetcher(S3Client client, Duration timeout, int maxInFlight) {
        return new PayloadFetcher(
                new S3Options("payloads", 1_000, "", true, Set.of("payloads"), MEMORY, timeout, Duration.ofMinutes(1)),
                new S3Objects(client),
                new S3Meters(meters),
                threads,
                TimeSource.system(),
                new S3Outages(
                        "payloads",
                        Set.of("payloads"),
                        LoggerFactory.getLogger(PayloadFetcherTests.class),
                        TimeSource.system()),
                maxInFlight);
    }

    private ReceivedMessage message(String key, int size, long claimed) {
        byte[] content = new byte[size];
        Arrays.fill(content, (byte) 'x');
        server.objects.put("payloads/" + key, content);
        ReceivedMessage message = mock();
        when(message.body()).thenReturn(new Pointer("payloads", key).toJson());
        when(message.attributes()).thenReturn(Map.of(PayloadPointers.MARKER, MessageAttribute.number(claimed)));
        return message;
    }

    @Test
    void payloadsWaitForTheMemoryThatTheirMessagesClaim() throws Exception {
        ReceivedMessage first = message("first", LARGE, LARGE);
        ReceivedMessage second = message("second", LARGE, LARGE);
        Future<FetchedPayloads> waiting;
        try (FetchedPayloads fetched = fetcher.fetch("orders", List.of(first), true)) {
            assertThat(fetched.message(first).body()).hasSize(LARGE);
            assertThat(fetcher.taken()).isBetween((long) LARGE, (long) MEMORY);
            waiting = threads.submit(() -> fetcher.fetch("orders", List.of(second), true));
            try (FetchedPayloads forCaller = fetcher.fetch("orders", List.of(second), false)) {
                assertThat(forCaller.message(second).body()).hasSize(LARGE);
            }
            assertThat(waiting.isDone()).isFalse();
        }
        Progress.get(waiting).close();
        assertThat(fetcher.taken()).isZero();
    }

    /** Its lease had ended before the fetch, and was there again behind it. */
    @Test
    void aPointerIsNoPayloadOfAMessageThatWasNotFetched() throws Exception {
        ReceivedMessage first = message("first", 10, 10);
        ReceivedMessage second = message("second", 10, 10);
        try (FetchedPayloads fetched = fetcher.fetch("orders", List.of(first), true)) {
            assertThatThrownBy(() -> fetched.message(second))
                    .isInstanceOfSatisfying(
                            PayloadStoreException.class,
                            failure -> assertThat(failure.retryable()).isTrue());
        }
    }

    @Test
    void whatIsLargerThanAllMemoryTakesAllOfItAndReleasesItOnce() throws Exception {
        List<ReceivedMessage> messages =
                IntStream.range(0, 3).mapToObj(i -> message("m" + i, 10, LARGE)).toList();
        FetchedPayloads fetched = fetcher.fetch("orders", messages, true);
        assertThat(fetcher.taken()).isEqualTo(MEMORY);
        fetched.close();
        fetched.close();
        assertThat(fetcher.taken()).isZero();
    }

    @Test
    void aFetchThatEndsWithAnErrorIsAFailureThatIsCountedAndTriedAgain() throws Exception {
        ReceivedMessage message = message("m", 10, 10);
        S3Client broken = mock(S3Client.class, invocation -> {
            throw new NoClassDefFoundError("of a plugin");
        });
        try (FetchedPayloads fetched =
                fetcher(broken, Duration.ofMinutes(1), 4).fetch("orders", List.of(message), true)) {
            assertThatThrownBy(() -> fetched.message(message))
                    .isInstanceOfSatisfying(
                            PayloadStoreException.class,
                            failure -> assertThat(failure.retryable()).isTrue())
                    .hasMessageContaining("of a plugin");
        }
        assertThat(meters.get("batchsqs.s3.failures")
                        .tag("code", "Other")
                        .counter()
                        .count())
                .isEqualTo(1);
        assertThat(fetcher.taken()).isZero();
    }

    @Test
    void aPayloadThatIsLargerThanItsMessageClaimsIsUnreadable() throws Exception {
        ReceivedMessage large = message("large", LARGE, 1);
        ReceivedMessage small = message("small", 10, 10);
        try (FetchedPayloads fetched = fetcher.fetch("orders", List.of(large, small), true)) {
            assertThatThrownBy(() -> fetched.message(large))
                    .isInstanceOfSatisfying(
                            PayloadStoreException.class,
                            failure -> assertThat(failure.retryable()).isFalse())
                    .hasMessageContainingAll(
                            "s3://payloads/large has 1200000 bytes", "claims 1;", "ExtendedPayloadSize");
            assertThat(fetched.message(small).body()).hasSize(10);
        }
        assertThat(fetcher.taken()).isZero();
    }

    /** J8: each wave of calls had a timeout of its own. */
    @Test
    void theFetchTimeoutIsForAllPayloadsTogether() throws Exception {
        var responds = new CountDownLatch(1);
        List<ReceivedMessage> messages =
                IntStream.range(0, 9).mapToObj(i -> message("m" + i, 10, 10)).toList();
        server.with(call -> {
            responds.await();
            return null;
        });
        PayloadFetcher one = fetcher(client, Duration.ofSeconds(1), 1);
        try (FetchedPayloads fetched = one.fetch("orders", messages, true)) {
            assertThat(messages).noneMatch(each -> isFetched(fetched, each));
            assertThat(server.count(Call::isGet)).isLessThan(5);
        } finally {
            responds.countDown();
        }
    }

    private static boolean isFetched(FetchedPayloads fetched, ReceivedMessage message) {
        try {
            return fetched.message(message).body().length() == LARGE;
        } catch (PayloadStoreException e) {
            return false;
        }
    }
}
