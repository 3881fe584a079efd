/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.github.batchsqs.MessageAttribute;
import io.github.batchsqs.client.ReceivedMessage;
import io.github.batchsqs.payload.FetchedPayloads;
import io.github.batchsqs.payload.PayloadStoreException;
import io.github.batchsqs.s3.S3Server.Call;
import io.github.batchsqs.testkit.Progress;
import io.github.batchsqs.time.TimeSource;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.services.s3.S3Client;

/** The memory of payloads, whatever their messages claim. */
class PayloadFetcherTests {

    private static final int MEMORY = 2 << 20;
    private static final int LARGE = 1_200_000;

    private final S3Server server = new S3Server();
    private final S3Client client = Queues.s3(server.endpoint());
    private final ByteBudget memory = new ByteBudget(MEMORY);
    private final PayloadFetcher fetcher = fetcher(Duration.ofMinutes(1), 4);

    private PayloadFetcher fetcher(Duration timeout, int maxInFlight) {
        return new PayloadFetcher(
                new S3Options("payloads", 1_000, "", true, Set.of("payloads"), MEMORY, timeout, Duration.ofMinutes(1)),
                new S3Objects(client),
                new S3Meters(null),
                new S3Threads(),
                TimeSource.system(),
                new S3Outages(
                        "payloads",
                        Set.of("payloads"),
                        LoggerFactory.getLogger(PayloadFetcherTests.class),
                        TimeSource.system()),
                maxInFlight);
    }

    @AfterEach
    void close() {
        client.close();
        server.close();
    }

    private ReceivedMessage message(String key, int size, long claimed) {
        byte[] content = new byte[size];
        Arrays.fill(content, (byte) 'x');
        server.objects.put("payloads/" + key, content);
        ReceivedMessage message = mock();
        when(message.body()).thenReturn(new Pointer("payloads", key).toJson());
        when(message.attributes()).thenReturn(Map.of(Pointer.MARKER, MessageAttribute.number(claimed)));
        return message;
    }

    @Test
    void payloadsWaitForTheMemoryThatTheirMessagesClaim() throws Exception {
        ReceivedMessage message = message("large", LARGE, LARGE);
        ByteBudget.Reservation others = memory.take(MEMORY / 2);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<FetchedPayloads> fetch = threads.submit(() -> fetcher.fetch("orders", List.of(message), memory));
            assertThat(fetch.isDone()).isFalse();
            assertThat(server.count(Call::isGet)).isZero();
            others.release();
            try (FetchedPayloads fetched = Progress.get(fetch)) {
                assertThat(fetched.message(message).body()).hasSize(LARGE);
                assertThat(memory.taken()).isBetween((long) LARGE, (long) MEMORY);
            }
        }
        assertThat(memory.taken()).isZero();
    }

    @Test
    void aPayloadThatIsLargerThanItsMessageClaimsIsUnreadable() throws Exception {
        ReceivedMessage large = message("large", LARGE, 1);
        ReceivedMessage small = message("small", 10, 10);
        try (FetchedPayloads fetched = fetcher.fetch("orders", List.of(large, small), memory)) {
            assertThatThrownBy(() -> fetched.message(large))
                    .isInstanceOfSatisfying(
                            PayloadStoreException.class,
                            failure -> assertThat(failure.retryable()).isFalse())
                    .hasMessageContainingAll(
                            "s3://payloads/large has 1200000 bytes", "claims 1;", "ExtendedPayloadSize");
            assertThat(fetched.message(small).body()).hasSize(10);
        }
        assertThat(memory.taken()).isZero();
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
        PayloadFetcher one = fetcher(Duration.ofSeconds(1), 1);
        try (FetchedPayloads fetched = one.fetch("orders", messages, memory)) {
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
