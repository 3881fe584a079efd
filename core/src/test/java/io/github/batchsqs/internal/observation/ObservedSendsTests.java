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
import io.github.batchsqs.observation.SendContext;
import io.github.batchsqs.observation.SendConvention;
import io.github.batchsqs.send.OutgoingMessage;
import io.github.batchsqs.testkit.InMemoryQueueClient;
import io.github.batchsqs.testkit.LogCapture;
import io.github.batchsqs.testkit.PatientSender;
import io.github.batchsqs.testkit.Progress;
import io.micrometer.observation.ObservationRegistry;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

class ObservedSendsTests {

    private final ObservationRegistry registry = ObservationRegistry.create();
    private final ObservedBatchesTests.CurrentNames names = new ObservedBatchesTests.CurrentNames();
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
            assertThat(template.sendAll("orders", List.of("b", "c")).failed()).isEmpty();
            Progress.get(template.flush()); // and so the observations of all messages have ended
            assertThat(log.event()).contains("the observation of a message failed");
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
        assertThat(names.running).isZero();
    }

    @Test
    void aGlobalConventionNamesIt() {
        registry.observationConfig()
                .observationConvention(new ObservedBatchesTests.Global())
                .observationHandler(names);
        observer.started(OutgoingMessage.of("orders", "a"), "orders").ended(null, null);
        assertThat(names.last).isEqualTo("global SendContext");
    }

    private void throwAt(String step) {
        registry.observationConfig()
                .observationHandler(names)
                .observationHandler(new ObservedBatchesTests.Throwing(step, SendContext.class))
                .observationPredicate((name, context) -> {
                    if (step.equals("create")) {
                        throw new NoClassDefFoundError("create");
                    }
                    return true;
                });
    }
}
