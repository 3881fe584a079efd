/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.listener;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.BatchOutcome;
import io.github.batchsqs.MessageBatch;
import io.github.batchsqs.autoconfigure.testkit.Contexts;
import io.github.batchsqs.autoconfigure.testkit.OrdersHandler;
import io.github.batchsqs.autoconfigure.testkit.Queues;
import io.github.batchsqs.listener.BatchInterceptor;
import io.github.batchsqs.testkit.Progress;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Interceptors that are beans of the application; {@link SqsListenerBehavioursTests} has error hooks. */
class InterceptorAndHookBeansTests {

    private final ApplicationContextRunner contexts =
            Contexts.embedded().withPropertyValues("batchsqs.embedded.queues=orders", "batchsqs.listener.wait-time=1s");

    @Test
    void anInterceptorAcknowledgesForAMethodThatCannot() {
        var meters = new SimpleMeterRegistry();
        contexts.withBean(OrdersHandler.class)
                .withBean(BatchInterceptor.class, Acknowledging::new)
                .withBean(MeterRegistry.class, () -> meters)
                .withPropertyValues("batchsqs.listener.acknowledge.mode=manual")
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    Queues.send(context, "orders", "a", Map.of());
                    Progress.until(() -> meters.get("batchsqs.listener.acknowledged")
                                    .counter()
                                    .count()
                            == 1);
                });
    }

    private static final class Acknowledging implements BatchInterceptor {
        @Override
        public void after(MessageBatch<?> batch, @Nullable BatchOutcome outcome, @Nullable Throwable failure) {
            if (failure == null) {
                var ignored = batch.acknowledgement().acknowledge();
            }
        }
    }
}
