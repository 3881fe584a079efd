/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.observation;

import io.github.batchsqs.SqsMessage;
import io.github.batchsqs.observation.ProcessContext;
import io.micrometer.observation.Observation;
import io.micrometer.tracing.Link;
import io.micrometer.tracing.Span;
import io.micrometer.tracing.TraceContext;
import io.micrometer.tracing.Tracer;
import io.micrometer.tracing.handler.PropagatingReceiverTracingObservationHandler;
import io.micrometer.tracing.propagation.Propagator;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Makes the span of a batch. One message continues its producer's trace, by the application's propagation; several are
 * linked to, by the {@code traceparent} of each.
 */
final class LinkingTracingHandler extends PropagatingReceiverTracingObservationHandler<ProcessContext> {

    private static final String HEADER = "traceparent";

    /** W3C Trace Context: version, trace id, span id, flags; a later version may go on after a dash. */
    private static final Pattern TRACEPARENT =
            Pattern.compile("(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?");

    private final Tracer tracer;

    LinkingTracingHandler(Tracer tracer, Propagator propagator) {
        super(tracer, propagator);
        this.tracer = tracer;
    }

    @Override
    public boolean supportsContext(Observation.Context context) {
        return context instanceof ProcessContext;
    }

    /** From no attributes no propagation extracts anything: the span begins as any other does. */
    @Override
    public void onStart(ProcessContext context) {
        if (Map.of().equals(context.getCarrier())
                && context.getRemoteServiceName() == null
                && context.getRemoteServiceAddress() == null) {
            Span.Builder builder = tracer.spanBuilder().kind(Span.Kind.CONSUMER);
            getTracingContext(context)
                    .setSpan(customizeExtractedSpan(context, builder).start());
        } else {
            super.onStart(context);
        }
    }

    @Override
    public Span.Builder customizeExtractedSpan(ProcessContext context, Span.Builder builder) {
        Span.Builder linked = builder;
        if (context.batch().size() > 1) {
            for (SqsMessage<?> message : context.batch()) {
                TraceContext producer = producer(message);
                if (producer != null) {
                    linked = linked.addLink(new Link(producer, Map.of("messaging.message.id", message.id())));
                }
            }
        }
        return linked;
    }

    /** A span that is not sampled would drop them. */
    @Override
    public void tagSpan(ProcessContext context, Span span) {
        if (!span.isNoop()) {
            super.tagSpan(context, span);
        }
    }

    private @Nullable TraceContext producer(SqsMessage<?> message) {
        String header = ProcessContext.header(message, HEADER);
        Matcher parts = TRACEPARENT.matcher(header == null ? "" : header);
        return parts.matches()
                ? tracer.traceContextBuilder()
                        .traceId(parts.group(1))
                        .spanId(parts.group(2))
                        .sampled((Integer.parseInt(parts.group(3), 16) & 1) == 1)
                        .build()
                : null;
    }
}
