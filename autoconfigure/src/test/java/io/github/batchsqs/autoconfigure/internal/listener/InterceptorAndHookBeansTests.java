/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.listener;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.BatchOutcome;
import io.github.batchsqs.MessageBatch;
import io.github.batchsqs.annotation.BatchSqsListener;
import io.github.batchsqs.autoconfigure.testkit.Contexts;
import io.github.batchsqs.autoconfigure.testkit.OrdersHandler;
import io.github.batchsqs.autoconfigure.testkit.Queues;
import io.github.batchsqs.listener.BatchInterceptor;
import io.github.batchsqs.listener.ErrorHook;
import io.github.batchsqs.testkit.Progress;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Interceptors and error hooks that are beans of the application. */
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

    @Test
    void everyErrorHookReceivesAFailedMessage() {
        Queue<String> seen = new ConcurrentLinkedQueue<>();
        contexts.withBean(Failing.class)
                .withBean("first", ErrorHook.class, () -> (queue, message, cause) -> {
                    throw new IllegalStateException("told to fail");
                })
                .withBean("second", ErrorHook.class, () -> (queue, message, cause) -> seen.add(message.body()))
                .run(context -> {
                    Queues.send(context, "orders", "a", Map.of());
                    Progress.until(() -> seen.contains("a"));
                });
    }

    static class Failing {
        @BatchSqsListener(queue = "orders")
        void handle(List<String> orders) {
            throw new IllegalStateException("told to fail");
        }
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
