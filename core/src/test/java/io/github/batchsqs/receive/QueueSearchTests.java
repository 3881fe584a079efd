/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.BatchOutcome;
import io.github.batchsqs.client.QueueCallException;
import io.github.batchsqs.client.ReceivedMessage;
import io.github.batchsqs.events.ListenerEvents;
import io.github.batchsqs.listener.ErrorHook;
import io.github.batchsqs.listener.ListenerHandler;
import io.github.batchsqs.listener.ListenerOptions;
import io.github.batchsqs.testkit.Faults;
import io.github.batchsqs.testkit.InMemoryQueueClient;
import io.github.batchsqs.testkit.LogCapture;
import io.github.batchsqs.testkit.Operation;
import io.github.batchsqs.testkit.SettableTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class QueueSearchTests {

    /** Draws the longest delay. */
    private static final RandomGenerator LONGEST = new RandomGenerator() {
        @Override
        public long nextLong() {
            return Long.MAX_VALUE;
        }

        @Override
        public long nextLong(long bound) {
            return bound - 1;
        }
    };

    private static final List<Duration> GROWING =
            Stream.of(1, 2, 4, 8, 15, 15, 15).map(Duration::ofSeconds).toList();

    private final SettableTime time = new SettableTime();
    private final InMemoryQueueClient client = new InMemoryQueueClient(time);
    private final ListenerResources resources = new ListenerResources(client, client, ListenerEvents.NONE, time);
    private final ListenerOptions options =
            ListenerOptions.builder("listener", "orders").build();
    private final Run run = new Run(
            options,
            new ListenerHandler<>(ReceivedMessage::body, batch -> BatchOutcome.done(), List.of(), ErrorHook.NONE),
            resources);

    static Stream<Supplier<Throwable>> failures() {
        return Stream.of(
                () -> new QueueCallException("GetQueueUrl", "ServiceUnavailable", "down", true, null),
                () -> new IllegalStateException("of a custom resolver"),
                () -> new AssertionError("of a custom resolver"));
    }

    @Test
    void theDelayGrowsWhileTheQueueIsMissing() throws Exception {
        assertThat(delays()).isEqualTo(GROWING);
    }

    @ParameterizedTest
    @MethodSource("failures")
    void theDelayGrowsAfterEveryFailure(Supplier<Throwable> failure) throws Exception {
        client.faults(new Faults() {
            @Override
            public void before(Call call) {
                if (call.operation() == Operation.RESOLVE) {
                    if (call.number() > 2L * GROWING.size()) {
                        run.requestStop(); // or a search without delay never ends
                    }
                    switch (failure.get()) {
                        case RuntimeException e -> throw e;
                        case Error e -> throw e;
                        case Throwable e -> throw new IllegalArgumentException(e);
                    }
                }
            }
        });
        try (LogCapture log = LogCapture.warnings()) {
            assertThat(delays()).isEqualTo(GROWING);
            assertThat(log.events())
                    .singleElement()
                    .asString()
                    .contains("Listener listener: the look-up of queue orders fails");
        }
    }

    /** Returns the delays, rounded to seconds, until the run is stopped. */
    private List<Duration> delays() throws InterruptedException {
        List<Duration> delays = new ArrayList<>();
        Source ignored = new QueueSearch(options, resources, LONGEST, delay -> {
                    delays.add(Duration.ofSeconds(delay.plusMillis(500).toSeconds()));
                    if (delays.size() == GROWING.size()) {
                        run.requestStop();
                    }
                })
                .search(() -> run.startedBy(Thread.currentThread()), () -> options);
        return delays;
    }
}
