/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.observation;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.Acknowledgement;
import io.github.batchsqs.BatchOutcome;
import io.github.batchsqs.MessageBatch;
import io.github.batchsqs.SqsMessage;
import io.github.batchsqs.observation.ProcessConvention;
import io.github.batchsqs.observation.SendConvention;
import io.github.batchsqs.send.OutgoingMessage;
import io.micrometer.observation.GlobalObservationConvention;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A {@code GlobalObservationConvention} of the registry names all observations that have no custom convention. */
class GlobalConventionTests {

    private final ObservationRegistry registry = ObservationRegistry.create();
    private final List<String> names = new ArrayList<>();

    GlobalConventionTests() {
        registry.observationConfig().observationConvention(new Everything()).observationHandler(new Names(names));
    }

    @Test
    void replacesTheStandardConventions() throws Exception {
        observeAll(ProcessConvention.STANDARD);
        assertThat(names).containsExactly("global ProcessContext", "global SendContext");
    }

    @Test
    void givesWayToACustomConvention() throws Exception {
        observeAll(new ProcessConvention() {
            @Override
            public String getName() {
                return "custom";
            }
        });
        assertThat(names).containsExactly("custom", "global SendContext");
    }

    private void observeAll(ProcessConvention process) throws Exception {
        var observations = new Observations(registry, process, SendConvention.STANDARD);
        @SuppressWarnings("unchecked")
        SqsMessage<Object> message = stub(SqsMessage.class);
        var batch = new MessageBatch<>("orders", List.<SqsMessage<Object>>of(message), stub(Acknowledgement.class));
        var interceptor = observations.batches("orders", "default");
        interceptor.before(batch);
        interceptor.after(batch, BatchOutcome.done(), null);
        observations
                .sends("default")
                .started(OutgoingMessage.of("orders", "a"), "orders")
                .ended(null, null);
    }

    private static <T> T stub(Class<T> type) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (proxy, method, arguments) -> method.getReturnType().equals(String.class) ? "m-1" : null));
    }

    private static final class Everything implements GlobalObservationConvention<Observation.Context> {

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

    private record Names(List<String> names) implements ObservationHandler<Observation.Context> {

        @Override
        public boolean supportsContext(Observation.Context context) {
            return true;
        }

        @Override
        public void onStop(Observation.Context context) {
            names.add(
                    "global".equals(context.getName())
                            ? String.valueOf(context.getContextualName())
                            : String.valueOf(context.getName()));
        }
    }
}
