/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.observation;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.annotation.BatchSqsListener;
import io.github.batchsqs.autoconfigure.testkit.Contexts;
import io.github.batchsqs.autoconfigure.testkit.Queues;
import io.github.batchsqs.internal.observation.Observations;
import io.github.batchsqs.observation.ProcessContext;
import io.github.batchsqs.observation.ProcessConvention;
import io.github.batchsqs.send.BatchSqsOperations;
import io.github.batchsqs.testkit.Progress;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.tracing.Link;
import io.micrometer.tracing.Span;
import io.micrometer.tracing.TraceContext;
import io.micrometer.tracing.Tracer;
import io.micrometer.tracing.handler.DefaultTracingObservationHandler;
import io.micrometer.tracing.handler.PropagatingSenderTracingObservationHandler;
import io.micrometer.tracing.propagation.Propagator;
import io.micrometer.tracing.test.simple.SimpleSpan;
import io.micrometer.tracing.test.simple.SimpleSpanBuilder;
import io.micrometer.tracing.test.simple.SimpleTracer;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

class ObservationTests {

    private final SimpleTracer tracer = new RootTracer();
    private final Handler handler = new Handler(tracer);
    private final ApplicationContextRunner contexts = Contexts.embedded()
            .withConfiguration(AutoConfigurations.of(
                    BatchSqsObservationAutoConfiguration.class, BatchSqsTracingAutoConfiguration.class))
            .withBean(Handler.class, () -> handler)
            .withBean(Tracer.class, () -> tracer)
            .withBean(Propagator.class, () -> new W3c(tracer))
            .withPropertyValues(
                    "batchsqs.embedded.queues=orders",
                    "batchsqs.listener.wait-time=1s",
                    "batchsqs.listener.batch-linger=1ms",
                    "batchsqs.listener.batch-size=3");
    private final ApplicationContextRunner observed =
            contexts.withBean(ObservationRegistry.class, ObservationRegistry::create);

    @Test
    void aBatchIsLinkedToTheTraceOfEachOfItsProducers() {
        observed.withPropertyValues("batchsqs.listener.batch-linger=1m").run(context -> {
            handleWith(context);
            var sent = context.getBean(BatchSqsOperations.class).sendAll("orders", List.of("a", "b", "c"));
            assertThat(sent.successful()).hasSize(3);
            Progress.until(() -> spans("process orders").size() == 1);
            Progress.until(() -> spans("send orders").size() == 3);

            SimpleSpan process = spans("process orders").getFirst();
            assertThat(process.getKind()).isEqualTo(Span.Kind.CONSUMER);
            assertThat(process.getTags())
                    .containsEntry("messaging.system", "aws_sqs")
                    .containsEntry("messaging.operation.type", "process")
                    .containsEntry("messaging.destination.name", "orders")
                    .containsEntry("messaging.batch.message_count", "3")
                    .containsEntry("batchsqs.listener", "orders");
            assertThat(process.getLinks())
                    .extracting(Link::getTraceContext)
                    .extracting(TraceContext::spanId)
                    .containsExactlyInAnyOrderElementsOf(spans("send orders").stream()
                            .map(span -> span.context().spanId())
                            .toList());
            assertThat(spans("send orders")).allSatisfy(span -> {
                assertThat(span.getKind()).isEqualTo(Span.Kind.PRODUCER);
                assertThat(span.getTags()).containsKey("messaging.message.id");
            });
            assertThat(handler.spans).containsExactly(process.context().spanId());
            assertThat(handler.logs).containsExactly("orders of orders: 3");
        });
    }

    @Test
    void aSingleMessageGoesOnWithTheTraceOfItsProducer() {
        observed.withPropertyValues("batchsqs.clients.us.region=us-west-2", "batchsqs.listener.client=us")
                .run(context -> {
                    handleWith(context);
                    var template = context.getBean(BatchSqsOperations.class);
                    assertThat(template.client("us").sendAndWait("orders", "a").messageId())
                            .isNotEmpty();
                    for (String name : List.of("send orders", "process orders")) {
                        Progress.until(() -> spans(name).size() == 1);
                        assertThat(spans(name).getFirst().getTags()).containsEntry("batchsqs.client", "us");
                    }

                    SimpleSpan process = spans("process orders").getFirst();
                    TraceContext producer = spans("send orders").getFirst().context();
                    assertThat(process.getLinks()).isEmpty();
                    assertThat(process.context().traceId()).isEqualTo(producer.traceId());
                    assertThat(process.context().parentId()).isEqualTo(producer.spanId());
                });
    }

    @Test
    void aHandlerThatFailsMarksItsSpan() {
        handler.fails = true;
        observed.run(context -> {
            handleWith(context);
            Queues.send(context, "orders", "a", Map.of());
            Progress.until(() -> !spans("process orders").isEmpty());
            assertThat(spans("process orders").getFirst().getError()).hasMessageContaining("told to fail");
        });
    }

    @Test
    void conventionsOfTheApplicationWin() {
        var own = new ProcessConvention() {
            @Override
            public String getContextualName(ProcessContext context) {
                return "orders taken";
            }
        };
        observed.withBean(ProcessConvention.class, () -> own)
                .run(context -> assertThat(context.getBean(Observations.class).process())
                        .isSameAs(own));
    }

    @Test
    void withoutARegistryOrATracerNothingHappens() {
        contexts.run(context -> {
            assertThat(context).hasNotFailed().doesNotHaveBean(Observations.class);
            assertThat(context.getBean(BatchSqsOperations.class)
                            .sendAndWait("orders", "a")
                            .messageId())
                    .isNotEmpty();
            Progress.until(() -> !handler.logs.isEmpty());
            assertThat(tracer.getSpans()).isEmpty();
        });
    }

    @Test
    void theActuatorAloneMakesNoObservationAndNoMeterTwice() {
        var meters = new SimpleMeterRegistry();
        actuatorAlone(meters).run(context -> {
            assertThat(context).doesNotHaveBean(Observations.class);
            handleOne(context);
            assertThat(names(meters))
                    .isNotEmpty()
                    .allMatch(name -> name.startsWith("batchsqs.listener.")
                            || name.startsWith("batchsqs.sender.")
                            || name.startsWith("batchsqs.api."));
        });
    }

    @Test
    void aHandlerOrAConventionOfTheApplicationWantsObservations() {
        ObservationHandler<Observation.Context> own = any -> true;
        actuatorAlone(new SimpleMeterRegistry())
                .withBean("ownHandler", ObservationHandler.class, () -> own)
                .run(context -> assertThat(context).hasSingleBean(Observations.class));
        actuatorAlone(new SimpleMeterRegistry())
                .withBean(ProcessConvention.class, () -> ProcessConvention.STANDARD)
                .run(context -> assertThat(context).hasSingleBean(Observations.class));
    }

    @Test
    void bootsSettingDisablesThem() {
        List<String> seen = new CopyOnWriteArrayList<>();
        ObservationHandler<Observation.Context> own = any -> seen.add(any.getName());
        actuatorAlone(new SimpleMeterRegistry())
                .withBean("ownHandler", ObservationHandler.class, () -> own)
                .withPropertyValues("management.observations.enable.batchsqs=false")
                .run(ObservationTests.this::handleOne);
        assertThat(seen).isEmpty();
    }

    /** As Boot's actuator sets it up: a registry, and a handler that makes meters. */
    private ApplicationContextRunner actuatorAlone(MeterRegistry meters) {
        return Contexts.embedded()
                .withConfiguration(AutoConfigurations.of(
                        MetricsAutoConfiguration.class,
                        ObservationAutoConfiguration.class,
                        BatchSqsObservationAutoConfiguration.class,
                        BatchSqsTracingAutoConfiguration.class))
                .withBean(MeterRegistry.class, () -> meters)
                .withBean(Handler.class, () -> handler)
                .withPropertyValues("batchsqs.embedded.queues=orders", "batchsqs.listener.wait-time=1s");
    }

    private void handleOne(ApplicationContext context) throws InterruptedException {
        assertThat(context.getBean(BatchSqsOperations.class)
                        .sendAndWait("orders", "a")
                        .messageId())
                .isNotEmpty();
        Progress.until(() -> context.getBean(MeterRegistry.class)
                        .get("batchsqs.listener.acknowledged")
                        .counter()
                        .count()
                == 1);
    }

    private static List<String> names(MeterRegistry meters) {
        return meters.getMeters().stream()
                .map(meter -> meter.getId().getName())
                .filter(name -> name.startsWith("batchsqs"))
                .toList();
    }

    /** As Boot does it: the first handler that fits. */
    private void handleWith(ApplicationContext context) {
        var propagator = context.getBean(Propagator.class);
        context.getBean(ObservationRegistry.class)
                .observationConfig()
                .observationHandler(new ObservationHandler.FirstMatchingCompositeObservationHandler(
                        context.getBean(LinkingTracingHandler.class),
                        new PropagatingSenderTracingObservationHandler<>(tracer, propagator),
                        new DefaultTracingObservationHandler(tracer)));
    }

    private List<SimpleSpan> spans(String name) {
        return tracer.getSpans().stream()
                .filter(span -> name.equals(span.getName()))
                .filter(span -> span.getEndTimestamp().toEpochMilli() > 0)
                .toList();
    }

    static final class Handler {

        final List<String> spans = new CopyOnWriteArrayList<>();
        final List<String> logs = new CopyOnWriteArrayList<>();
        private final Tracer tracer;
        volatile boolean fails;

        Handler(Tracer tracer) {
            this.tracer = tracer;
        }

        @BatchSqsListener(queue = "orders")
        void handle(List<String> orders) {
            logs.add(MDC.get("batchsqs.listener") + " of " + MDC.get("batchsqs.queue") + ": "
                    + MDC.get("batchsqs.batch.size"));
            Span span = tracer.currentSpan();
            if (span != null) {
                spans.add(span.context().spanId());
            }
            if (fails) {
                throw new IllegalStateException("told to fail");
            }
        }
    }

    /** The simple tracer gives ids to child spans only; this one makes every span a child of something. */
    private static final class RootTracer extends SimpleTracer {

        private final AtomicLong traces = new AtomicLong(0xabcd);

        @Override
        public SimpleSpanBuilder spanBuilder() {
            SimpleSpanBuilder builder = super.spanBuilder();
            Span.Builder ignored = builder.setParent(traceContextBuilder()
                    .traceId(String.format("%032x", traces.incrementAndGet()))
                    .spanId(String.format("%016x", traces.incrementAndGet()))
                    .sampled(true)
                    .build());
            return builder;
        }
    }

    /** W3C Trace Context, as a tracer's bridge has it. */
    @NullUnmarked
    private record W3c(SimpleTracer tracer) implements Propagator {

        @Override
        public List<String> fields() {
            return List.of("traceparent");
        }

        @Override
        public <C> void inject(TraceContext context, C carrier, Setter<C> setter) {
            setter.set(
                    carrier,
                    "traceparent",
                    "00-" + padded(context.traceId(), 32) + "-" + padded(context.spanId(), 16) + "-01");
        }

        @Override
        public <C> Span.Builder extract(C carrier, Getter<C> getter) {
            String header = getter.get(carrier, "traceparent");
            Span.Builder builder = tracer.spanBuilder();
            if (header == null) {
                return builder;
            }
            String[] parts = header.split("-", -1);
            return builder.setParent(tracer.traceContextBuilder()
                    .traceId(parts[1])
                    .spanId(parts[2])
                    .sampled(true)
                    .build());
        }

        private static String padded(String id, int length) {
            return Objects.requireNonNull(id).length() >= length ? id : "0".repeat(length - id.length()) + id;
        }
    }
}
