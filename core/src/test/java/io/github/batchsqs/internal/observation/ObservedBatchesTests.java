/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.observation;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.Acknowledgement;
import io.github.batchsqs.BatchOutcome;
import io.github.batchsqs.MessageBatch;
import io.github.batchsqs.SqsMessage;
import io.github.batchsqs.listener.BatchInterceptor;
import io.github.batchsqs.observation.ProcessContext;
import io.github.batchsqs.observation.ProcessConvention;
import io.github.batchsqs.observation.SendConvention;
import io.github.batchsqs.testkit.LogCapture;
import io.micrometer.observation.GlobalObservationConvention;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import java.lang.reflect.Proxy;
import java.util.ArrayDeque;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ObservedBatchesTests {

    private final ObservationRegistry registry = ObservationRegistry.create();
    private final CurrentNames names = new CurrentNames();
    private final BatchInterceptor interceptor = new Observations(
                    registry, ProcessConvention.STANDARD, SendConvention.STANDARD)
            .batches("listener", "default");

    @SuppressWarnings("unchecked")
    private final SqsMessage<String> message = stub(SqsMessage.class);

    private final Acknowledgement acknowledgement = stub(Acknowledgement.class);
    private final MessageBatch<String> batch = new MessageBatch<>("orders", List.of(message), acknowledgement);

    @Test
    void theObservationIsInScopeDuringTheInvocation() throws Exception {
        registry.observationConfig().observationHandler(names);
        interceptor.before(batch);
        assertThat(names.open).containsExactly("batchsqs.process");
        interceptor.after(batch, BatchOutcome.done(), null);
        assertThat(names.open).isEmpty();
        assertThat(registry.getCurrentObservationScope()).isNull();
    }

    @Test
    void aGlobalConventionNamesItAndGivesWayToACustomOne() throws Exception {
        registry.observationConfig().observationConvention(new Global()).observationHandler(names);
        var convention = new ProcessConvention() {
            @Override
            public String getName() {
                return "custom";
            }
        };
        var custom = new Observations(registry, convention, SendConvention.STANDARD).batches("listener", "default");
        custom.before(batch);
        interceptor.before(batch);
        assertThat(names.open).containsExactly("global", "custom");
        interceptor.after(batch, BatchOutcome.done(), null);
        custom.after(batch, BatchOutcome.done(), null);
    }

    /** Names all observations that have no custom convention. */
    static final class Global implements GlobalObservationConvention<Observation.Context> {

        @Override
        public boolean supportsContext(Observation.Context context) {
            return true;
        }

        @Override
        public String getName() {
            return "global";
        }

        @Override
        public String getContextualName(Observation.Context context) {
            return "global " + context.getClass().getSimpleName();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"start", "open", "close", "error", "stop"})
    void anObservationThatThrowsLeavesNoScopeOnTheThreadAndFailsNoBatch(String step) throws Exception {
        registry.observationConfig()
                .observationHandler(names)
                .observationHandler(new Throwing(step, ProcessContext.class));
        try (LogCapture log = LogCapture.warnings()) {
            interceptor.before(batch);
            interceptor.after(batch, null, new IllegalStateException("of the handler"));
            interceptor.before(batch);
            interceptor.after(batch, null, new IllegalStateException("of the handler"));
            assertThat(log.event()).contains("the observation of a batch failed");
        }
        assertThat(registry.getCurrentObservationScope()).isNull();
        assertThat(names.open).isEmpty();
        assertThat(names.running).as("not stopped").isEqualTo(step.equals("stop") ? 2 : 0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"start", "open", "close", "error", "stop"})
    void anObservationThatThrowsKeepsTheScopeAroundIt(String step) throws Exception {
        registry.observationConfig()
                .observationHandler(names)
                .observationHandler(new Throwing(step, ProcessContext.class));
        Observation outer = Observation.start("outer", registry);
        try (Observation.Scope scope = outer.openScope()) {
            interceptor.before(batch);
            interceptor.after(batch, null, new IllegalStateException("of the handler"));
            assertThat(registry.getCurrentObservationScope()).isSameAs(scope);
            assertThat(names.open).containsExactly("outer");
        }
        outer.stop();
        assertThat(names.open).isEmpty();
    }

    private static <T> T stub(Class<T> type) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (proxy, method, arguments) -> method.getReturnType().equals(String.class) ? "m-1" : null));
    }

    /** The names of the observations in scope, as of one that changes the log's context (MDC). */
    static final class CurrentNames implements ObservationHandler<Observation.Context> {

        final ArrayDeque<String> open = new ArrayDeque<>();
        int running;

        /** Of the observation that ended last. */
        @Nullable
        String last;

        @Override
        public void onStart(Observation.Context context) {
            running++;
        }

        @Override
        public void onScopeOpened(Observation.Context context) {
            open.push(String.valueOf(context.getName()));
        }

        @Override
        public void onScopeClosed(Observation.Context context) {
            open.pop();
        }

        @Override
        @SuppressWarnings("deprecation")
        public void onScopeReset(Observation.Context context) {
            open.clear();
        }

        @Override
        public void onStop(Observation.Context context) {
            running--;
            last = context.getContextualName();
        }

        @Override
        public boolean supportsContext(Observation.Context context) {
            return true;
        }
    }

    /** Throws at one step of observations of a kind, as one does whose meter exists with other tags. */
    record Throwing(String step, Class<? extends Observation.Context> kind)
            implements ObservationHandler<Observation.Context> {

        @Override
        public void onStart(Observation.Context context) {
            throwAt("start");
        }

        @Override
        public void onScopeOpened(Observation.Context context) {
            throwAt("open");
        }

        @Override
        public void onScopeClosed(Observation.Context context) {
            throwAt(step.equals("open") ? "open" : "close");
        }

        @Override
        public void onError(Observation.Context context) {
            throwAt("error");
        }

        @Override
        public void onStop(Observation.Context context) {
            throwAt("stop");
        }

        private void throwAt(String here) {
            if (step.equals(here)) {
                throw new NoClassDefFoundError(here);
            }
        }

        @Override
        public boolean supportsContext(Observation.Context context) {
            return kind.isInstance(context);
        }
    }
}
