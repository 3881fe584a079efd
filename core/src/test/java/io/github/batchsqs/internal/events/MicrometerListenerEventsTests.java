/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.events;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.contentOf;

import io.github.batchsqs.events.ListenerEvent;
import io.github.batchsqs.internal.support.EngineStage;
import io.github.batchsqs.listener.ContainerState;
import io.github.batchsqs.listener.ContainerStatus;
import io.github.batchsqs.listener.ReceiveWait;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MockClock;
import io.micrometer.core.instrument.simple.CountingMode;
import io.micrometer.core.instrument.simple.SimpleConfig;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class MicrometerListenerEventsTests {

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final MicrometerListenerEvents listener =
            new MicrometerListenerEvents(registry, "intake", "orders", "default");
    private @Nullable String problem;
    private Duration receiveFailing = Duration.ZERO;
    private final MicrometerSenderEvents sender = new MicrometerSenderEvents(registry, "orders", "default");

    @Test
    void gaugesShowTheStatus() {
        registerGauges();

        assertThat(Stream.of(
                                "in.flight",
                                "in.flight.bytes",
                                "in.flight.limit",
                                "handoff.size",
                                "pollers",
                                "concurrency.active",
                                "concurrency.limit",
                                "gate.waiting")
                        .map(this::gauge))
                .containsExactly(1.0, 2.0, 4.0, 5.0, 6.0, 8.0, 9.0, 12.0);
    }

    @Test
    void gaugesShowTroubleWhileItLasts() {
        registerGauges();
        assertThat(gauge("problem")).isZero();
        assertThat(gauge("receive.failing")).isZero();

        problem = "receives nothing";
        receiveFailing = Duration.ofMillis(61_500);
        assertThat(gauge("problem")).isEqualTo(1);
        assertThat(gauge("receive.failing")).isEqualTo(61.5);
    }

    private void registerGauges() {
        listener.gauges(() -> new ContainerStatus(
                ContainerState.RUNNING,
                1,
                2,
                3,
                4,
                5,
                6,
                7,
                8,
                9,
                receiveFailing,
                null,
                Duration.ZERO,
                Duration.ZERO,
                Duration.ZERO,
                new ReceiveWait(ReceiveWait.GATE, "gate: closed", Duration.ofSeconds(12), Duration.ZERO, Duration.ZERO),
                problem));
    }

    private double gauge(String name) {
        return registry.get("batchsqs.listener." + name)
                .tags("listener", "intake", "queue", "orders", "client", "default")
                .gauge()
                .value();
    }

    @Test
    void invocationsAreTimedByTheirOutcome() {
        listener.on(new ListenerEvent.Invoking(10, Duration.ofMillis(7).toNanos()));
        listener.on(new ListenerEvent.Invoked(10, 0, Duration.ofMillis(5).toNanos()));
        listener.on(new ListenerEvent.Invoked(9, 1, Duration.ofMillis(6).toNanos()));
        listener.on(new ListenerEvent.Invoked(0, 10, Duration.ofMillis(7).toNanos()));

        assertThat(processed("done")).isEqualTo(5);
        assertThat(processed("partial")).isEqualTo(6);
        assertThat(processed("failed")).isEqualTo(7);
        assertThat(registry.get("batchsqs.listener.batch.size").summary().totalAmount())
                .isEqualTo(10);
        assertThat(registry.get("batchsqs.listener.delay").timer().totalTime(TimeUnit.MILLISECONDS))
                .isEqualTo(7);
    }

    static Stream<Arguments> counts() {
        return Stream.of(
                Arguments.of(new ListenerEvent.ApiCall("ReceiveMessage", 10, Duration.ZERO, null), "received", 10),
                Arguments.of(new ListenerEvent.Acknowledged(6), "acknowledged", 6),
                Arguments.of(new ListenerEvent.AcknowledgeFailed(), "acknowledge.failures", 1),
                Arguments.of(new ListenerEvent.Released(2), "released", 2),
                Arguments.of(new ListenerEvent.DeadLettered(), "dead.lettered", 1),
                Arguments.of(new ListenerEvent.LeaseExtended(3), "lease.extended", 3),
                Arguments.of(new ListenerEvent.LeaseLost(), "lease.lost", 1),
                Arguments.of(new ListenerEvent.ConversionFailed(), "conversion.failures", 1),
                Arguments.of(new ListenerEvent.Unexpected("settle", new StackOverflowError()), "unexpected", 1));
    }

    @ParameterizedTest
    @MethodSource("counts")
    void messagesAreCounted(ListenerEvent event, String meter, int count) {
        listener.on(event);
        assertThat(registry.getMeters())
                .filteredOn(each -> each instanceof Counter counter && counter.count() > 0)
                .extracting(each -> each.getId().getName() + " " + ((Counter) each).count())
                .containsExactly("batchsqs.listener." + meter + " " + (double) count);
        assertThat(registry.get("batchsqs.listener.unexpected")
                        .tag("stage", "settle")
                        .counter()
                        .count())
                .isEqualTo(meter.equals("unexpected") ? 1 : 0);
    }

    @Test
    void callsAreCountedByOperationAndOutcome() {
        listener.on(new ListenerEvent.ApiCall("DeleteMessageBatch", 8, Duration.ofMillis(3), null));
        sender.on(new SenderEvent.ApiCall("SendMessageBatch", 10, Duration.ofMillis(3), "ThrottlingException"));

        assertThat(calls("DeleteMessageBatch", "success")).isEqualTo(1);
        assertThat(calls("SendMessageBatch", "ThrottlingException")).isEqualTo(1);
        assertThat(registry.get("batchsqs.listener.acknowledge.batch.size")
                        .summary()
                        .totalAmount())
                .isEqualTo(8);
    }

    @Test
    void callsPerMessageAreThoseOfTheListenerAndOfTheSender() {
        assertThat(callsPerMessage("receive")).isNaN();
        listener.on(new ListenerEvent.ApiCall("ReceiveMessage", 10, Duration.ofMillis(3), null));
        listener.on(new ListenerEvent.ApiCall("DeleteMessageBatch", 10, Duration.ofMillis(3), null));
        listener.on(new ListenerEvent.Acknowledged(10));
        sender.on(new SenderEvent.ApiCall("SendMessageBatch", 4, Duration.ofMillis(3), null));
        for (int i = 0; i < 4; i++) {
            sender.on(new SenderEvent.Buffered(1));
            sender.on(new SenderEvent.Sent(0));
        }

        assertThat(callsPerMessage("receive")).isEqualTo(0.2);
        assertThat(callsPerMessage("send")).isEqualTo(0.25);
    }

    @Test
    void callsPerMessageAreANumberOnlyAfterAMessageAndWithoutIdleReceives() {
        for (int i = 0; i < 30; i++) {
            listener.on(new ListenerEvent.ApiCall("ReceiveMessage", 0, Duration.ofSeconds(5), null));
        }
        listener.on(new ListenerEvent.ApiCall("ReceiveMessage", 1, Duration.ofMillis(3), null));
        assertThat(callsPerMessage("receive")).isNaN();
        listener.on(new ListenerEvent.ApiCall("DeleteMessageBatch", 1, Duration.ofMillis(3), null));
        listener.on(new ListenerEvent.Acknowledged(1));

        assertThat(callsPerMessage("receive")).isEqualTo(2);
        assertThat(calls("ReceiveMessage", "success")).isEqualTo(31);

        listener.on(new ListenerEvent.ApiCall("ReceiveMessage", 0, Duration.ofMillis(3), "ServiceUnavailable"));
        assertThat(callsPerMessage("receive")).isEqualTo(3);
    }

    @Test
    void callsPerMessageAreThoseSinceTheStartAlsoInARegistryThatPublishesSteps() {
        MockClock clock = new MockClock();
        var steps = new SimpleMeterRegistry(new Steps(), clock);
        var stepListener = new MicrometerListenerEvents(steps, "intake", "orders", "default");
        var stepSender = new MicrometerSenderEvents(steps, "orders", "default");
        for (int i = 0; i < 10; i++) {
            stepListener.on(new ListenerEvent.ApiCall("ReceiveMessage", 10, Duration.ofMillis(3), null));
            stepListener.on(new ListenerEvent.ApiCall("DeleteMessageBatch", 10, Duration.ofMillis(3), null));
            stepListener.on(new ListenerEvent.Acknowledged(10));
            stepSender.on(new SenderEvent.ApiCall("SendMessageBatch", 1, Duration.ofMillis(3), null));
            stepSender.on(new SenderEvent.Buffered(1));
            stepSender.on(new SenderEvent.Sent(0));
            clock.add(Duration.ofMinutes(1));
        }
        assertThat(callsPerMessage(steps, "receive")).isEqualTo(0.2);
        assertThat(callsPerMessage(steps, "send")).isEqualTo(1);

        clock.add(Duration.ofMinutes(5));
        assertThat(callsPerMessage(steps, "receive")).as("idle").isEqualTo(0.2);
    }

    /** Steps of a minute, as registries have that push their values. */
    private static final class Steps implements SimpleConfig {

        @Override
        public @Nullable String get(String key) {
            return null;
        }

        @Override
        public CountingMode mode() {
            return CountingMode.STEP;
        }
    }

    @Test
    void everyStageHasItsCounterBeforeItsFirstError() {
        assertThat(registry.get("batchsqs.listener.unexpected").counters())
                .extracting(counter -> counter.getId().getTag("stage"))
                .contains("stop")
                .containsExactlyInAnyOrderElementsOf(
                        Stream.of(EngineStage.values()).map(EngineStage::text).toList());
    }

    @Test
    void theEngineNamesNoStageButThose() throws IOException {
        Pattern literal = Pattern.compile("\\.unexpected\\(\\s*\"[a-z]+\"");
        try (Stream<Path> files = Files.walk(Path.of("src/main/java"))) {
            assertThat(files.filter(file -> file.toString().endsWith(".java")))
                    .hasSizeGreaterThan(100)
                    .noneMatch(file -> literal.matcher(contentOf(file.toFile())).find());
        }
    }

    @Test
    void aRemovedListenerTakesItsMetersWithIt() {
        registerGauges();
        listener.on(new ListenerEvent.ApiCall("ReceiveMessage", 10, Duration.ofMillis(3), null));
        var other = new MicrometerListenerEvents(registry, "other", "orders", "default");

        listener.on(new ListenerEvent.Removed());

        assertThat(registry.getMeters())
                .extracting(meter -> meter.getId().getTag("listener"))
                .doesNotContain("intake")
                .contains("other");
        assertThat(calls("ReceiveMessage", "success")).isEqualTo(1);
        other.on(new ListenerEvent.Removed());
    }

    private double callsPerMessage(String direction) {
        return callsPerMessage(registry, direction);
    }

    private static double callsPerMessage(MeterRegistry meters, String direction) {
        return meters.get("batchsqs.api.calls.per.message")
                .tag("direction", direction)
                .gauge()
                .value();
    }

    private double processed(String outcome) {
        return registry.get("batchsqs.listener.processed")
                .tag("outcome", outcome)
                .timer()
                .totalTime(TimeUnit.MILLISECONDS);
    }

    private double calls(String operation, String outcome) {
        return registry.get("batchsqs.api.calls")
                .tags("operation", operation, "outcome", outcome)
                .timer()
                .count();
    }
}
