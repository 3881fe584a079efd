/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.contestants;

import io.github.batchsqs.BatchListener;
import io.github.batchsqs.BatchOutcome;
import io.github.batchsqs.ReceivedMessage;
import io.github.batchsqs.benchmarks.run.Listening;
import io.github.batchsqs.benchmarks.run.MessageHandler;
import io.github.batchsqs.benchmarks.run.Target;
import io.github.batchsqs.events.ListenerEvents;
import io.github.batchsqs.internal.events.MicrometerListenerEvents;
import io.github.batchsqs.internal.receive.EngineContainer;
import io.github.batchsqs.internal.receive.ListenerResources;
import io.github.batchsqs.internal.receive.invoke.ListenerHandler;
import io.github.batchsqs.internal.sdk.AwsQueueClient;
import io.github.batchsqs.internal.sdk.AwsQueueResolver;
import io.github.batchsqs.internal.support.TimeSource;
import io.github.batchsqs.listener.BatchInterceptor;
import io.github.batchsqs.listener.ErrorHook;
import io.github.batchsqs.listener.ListenerOptions;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import software.amazon.awssdk.services.sqs.SqsClient;

/**
 * BatchSQS's container.
 *
 * @param options what differs from the defaults
 * @param direct whether calls are direct, the default, or go through the SDK's request pipeline
 * @param meters whether it has the meters of a Spring Boot application with the actuator
 * @param tracer whether it has the observations of one with a tracer, too
 */
public record BatchSqsListening(
        UnaryOperator<ListenerOptions.Builder> options, boolean direct, boolean meters, boolean tracer)
        implements Listening {

    /** The defaults with a handler that takes lists. */
    public static BatchSqsListening list() {
        return new BatchSqsListening(builder -> builder, true, false, false);
    }

    /** The defaults with a handler that takes single messages: batches of one, as the annotation has it. */
    public static BatchSqsListening single() {
        return new BatchSqsListening(builder -> builder.batchSize(1), true, false, false);
    }

    /** Changes further options. */
    public BatchSqsListening with(UnaryOperator<ListenerOptions.Builder> more) {
        return new BatchSqsListening(builder -> more.apply(options.apply(builder)), direct, meters, tracer);
    }

    /** The same through the SDK's request pipeline. */
    public BatchSqsListening throughSdk() {
        return new BatchSqsListening(options, false, meters, tracer);
    }

    /** Adaptive pollers up to 200, and as much of the rest as keeps up with them. */
    public BatchSqsListening wide() {
        return with(builder -> builder.pollers(1, 200)
                .concurrency(200)
                .acknowledge(new ListenerOptions.Acknowledge(
                        ListenerOptions.AcknowledgeMode.ON_SUCCESS, Duration.ofMillis(50))));
    }

    /** The same with meters. */
    public BatchSqsListening withMeters() {
        return new BatchSqsListening(options, direct, true, tracer);
    }

    /** The same with a tracer. */
    public BatchSqsListening withTracer() {
        return new BatchSqsListening(options, direct, meters, true);
    }

    @Override
    public void start(Target target, MessageHandler handler) {
        SqsClient sqs = Clients.blocking(target.endpoint());
        BatchListener<String> listener = batch -> {
            handler.handle(
                    batch.size() == 1 ? List.of(batch.messages().getFirst().payload()) : batch.payloads());
            return BatchOutcome.done();
        };
        List<BatchInterceptor> interceptors =
                tracer ? List.of(Tracing.observations().batches("benchmark", "default")) : List.of();
        MicrometerListenerEvents metered =
                meters ? new MicrometerListenerEvents(Meters.REGISTRY, "benchmark", target.queue(), "default") : null;
        EngineContainer container = new EngineContainer(
                options.apply(ListenerOptions.builder("benchmark", target.queue()))
                        .build(),
                new ListenerHandler<>(ReceivedMessage::body, listener, interceptors, ErrorHook.NONE),
                new ListenerResources(
                        direct ? Clients.direct(sqs) : new AwsQueueClient(sqs),
                        new AwsQueueResolver(sqs),
                        metered == null ? ListenerEvents.NONE : metered,
                        TimeSource.system()));
        if (metered != null) {
            metered.gauges(container::status);
        }
        container.start();
    }
}
