/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.observation;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.client.Queue;
import io.github.batchsqs.codec.JacksonPayloadCodec;
import io.github.batchsqs.internal.events.SenderEvents;
import io.github.batchsqs.internal.send.BatchSqsTemplate;
import io.github.batchsqs.internal.send.SendBinding;
import io.github.batchsqs.internal.send.SendObserver;
import io.github.batchsqs.internal.send.SenderResources;
import io.github.batchsqs.internal.support.TimeSource;
import io.github.batchsqs.observation.ProcessConvention;
import io.github.batchsqs.observation.SendConvention;
import io.github.batchsqs.send.OutgoingMessage;
import io.github.batchsqs.testkit.InMemoryQueueClient;
import io.github.batchsqs.testkit.LogCapture;
import io.github.batchsqs.testkit.PatientSender;
import io.github.batchsqs.testkit.Progress;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

class ObservedSendsTests {

    private final ObservationRegistry registry = ObservationRegistry.create();
    private final Running running = new Running();
    private final SendObserver observer =
            new Observations(registry, ProcessConvention.STANDARD, SendConvention.STANDARD).sends("default");

    @ParameterizedTest
    @ValueSource(strings = {"create", "start", "stop"})
    void anObservationThatThrowsKeepsNoMessageFromBeingSent(String step) throws Exception {
        throwAt(step);
        InMemoryQueueClient server = new InMemoryQueueClient(TimeSource.system());
        Queue queue = server.createQueue("orders");
        SenderResources resources = new SenderResources(
                server,
                server,
                new JacksonPayloadCodec(JsonMapper.shared()),
                name -> SenderEvents.NONE,
                observer,
                SendBinding.NONE,
                TimeSource.system(),
                null);
        try (LogCapture log = LogCapture.warnings();
                BatchSqsTemplate template =
                        new BatchSqsTemplate(PatientSender.options().build(), resources)) {
            assertThat(Progress.get(template.send("orders", "a")).queue()).isEqualTo("orders");
            assertThat(template.sendAll("orders", List.of("b", "c")).allSuccessful())
                    .isTrue();
            Progress.get(template.flush()); // and so the observations of all messages have ended
            assertThat(log.events()).singleElement().asString().contains("the observation of a message failed");
        }
        assertThat(server.visible(queue)).hasSize(3);
    }

    @ParameterizedTest
    @ValueSource(strings = {"create", "start", "error"})
    void anObservationThatThrowsIsStopped(String step) {
        throwAt(step);
        SendObserver.Sending sending = observer.started(OutgoingMessage.of("orders", "a"), "orders");
        assertThat(sending.headers()).isEmpty();
        sending.ended(null, new IllegalStateException("not sent"));
        assertThat(running.number).hasValue(0);
    }

    @Test
    void aGlobalConventionNamesIt() {
        registry.observationConfig()
                .observationConvention(new ObservedBatchesTests.Global())
                .observationHandler(running);
        observer.started(OutgoingMessage.of("orders", "a"), "orders").ended(null, null);
        assertThat(running.last).isEqualTo("global SendContext");
    }

    private void throwAt(String step) {
        registry.observationConfig()
                .observationHandler(running)
                .observationHandler(new Throwing(step))
                .observationPredicate((name, context) -> {
                    fail(step, "create");
                    return true;
                });
    }

    private static void fail(String step, String here) {
        if (step.equals(here)) {
            throw new NoClassDefFoundError(here);
        }
    }

    /** Counts the observations that are started and not stopped. */
    private static final class Running implements ObservationHandler<Observation.Context> {

        private final AtomicInteger number = new AtomicInteger();
        private @Nullable String last;

        @Override
        public void onStart(Observation.Context context) {
            number.incrementAndGet();
        }

        @Override
        public void onStop(Observation.Context context) {
            number.decrementAndGet();
            last = context.getContextualName();
        }

        @Override
        public boolean supportsContext(Observation.Context context) {
            return true;
        }
    }

    /** Throws at one step of the observations, as one does whose meter exists with other tags. */
    private record Throwing(String step) implements ObservationHandler<Observation.Context> {

        @Override
        public void onStart(Observation.Context context) {
            fail(step, "start");
        }

        @Override
        public void onError(Observation.Context context) {
            fail(step, "error");
        }

        @Override
        public void onStop(Observation.Context context) {
            fail(step, "stop");
        }

        @Override
        public boolean supportsContext(Observation.Context context) {
            return true;
        }
    }
}
