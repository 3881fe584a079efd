/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.observation;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.client.EntryResult;
import io.github.batchsqs.client.Queue;
import io.github.batchsqs.client.QueueClient;
import io.github.batchsqs.client.ReceiveCall;
import io.github.batchsqs.client.ReceivedMessage;
import io.github.batchsqs.observation.ProcessConvention;
import io.github.batchsqs.observation.SendConvention;
import io.github.batchsqs.observation.SettleConvention;
import io.github.batchsqs.testkit.InMemoryQueueClient;
import io.github.batchsqs.testkit.LogCapture;
import io.github.batchsqs.time.TimeSource;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ObservedDeletesTests {

    private final InMemoryQueueClient server = new InMemoryQueueClient(TimeSource.system());
    private final Queue queue = server.createQueue("orders");
    private final ObservationRegistry registry = ObservationRegistry.create();

    @ParameterizedTest
    @ValueSource(strings = {"start", "open", "close", "stop"})
    void anObservationThatInterruptsItsThreadKeepsNoMessageFromBeingDeleted(String step) throws Exception {
        QueueClient observed = observed(step, () -> Thread.currentThread().interrupt());
        List<String> handles = received("a", "b");
        for (String handle : handles) {
            assertThat(observed.delete(queue, List.of(handle)))
                    .singleElement()
                    .isInstanceOf(EntryResult.Accepted.class);
        }
        assertThat(Thread.interrupted()).isFalse();
        assertThat(server.inFlight(queue)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"start", "open", "close", "stop"})
    void anObservationThatThrowsKeepsNoMessageFromBeingDeleted(String step) throws Exception {
        QueueClient observed = observed(step, () -> {
            throw new IllegalStateException(step);
        });
        List<String> handles = received("a", "b");
        try (LogCapture log = LogCapture.warnings()) {
            assertThat(observed.delete(queue, handles.subList(0, 1)))
                    .singleElement()
                    .isInstanceOf(EntryResult.Accepted.class);
            assertThat(observed.delete(queue, handles.subList(1, 2)))
                    .singleElement()
                    .isInstanceOf(EntryResult.Accepted.class);
            assertThat(log.events()).singleElement().asString().contains("the observation of a delete failed");
        }
        assertThat(server.inFlight(queue)).isEmpty();
        assertThat(registry.getCurrentObservationScope()).isNull();
    }

    private QueueClient observed(String step, Runnable action) {
        registry.observationConfig().observationHandler(new ActingHandler(step, action));
        return new Observations(
                        registry, ProcessConvention.STANDARD, SettleConvention.STANDARD, SendConvention.STANDARD)
                .deletes("listener", "default", server);
    }

    private List<String> received(String... bodies) throws InterruptedException {
        server.put(queue, bodies);
        return server.receive(new ReceiveCall(queue, 10, Duration.ZERO, null, null)).stream()
                .map(ReceivedMessage::receiptHandle)
                .toList();
    }

    /** Acts at one step, as one that changes the log's context (MDC). */
    private record ActingHandler(String step, Runnable action) implements ObservationHandler<Observation.Context> {

        @Override
        public void onStart(Observation.Context context) {
            actAt("start");
        }

        @Override
        public void onScopeOpened(Observation.Context context) {
            actAt("open");
        }

        @Override
        public void onScopeClosed(Observation.Context context) {
            actAt("close");
        }

        @Override
        public void onStop(Observation.Context context) {
            actAt("stop");
        }

        private void actAt(String here) {
            if (step.equals(here)) {
                action.run();
            }
        }

        @Override
        public boolean supportsContext(Observation.Context context) {
            return true;
        }
    }
}
