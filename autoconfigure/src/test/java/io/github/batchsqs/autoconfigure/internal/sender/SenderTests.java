/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.sender;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

import io.github.batchsqs.MessageAttribute;
import io.github.batchsqs.annotation.BatchSqsListener;
import io.github.batchsqs.autoconfigure.sender.SenderOptionsCustomizer;
import io.github.batchsqs.autoconfigure.testkit.Contexts;
import io.github.batchsqs.autoconfigure.testkit.StartFailure;
import io.github.batchsqs.internal.send.BatchSqsTemplate;
import io.github.batchsqs.payload.PayloadStore;
import io.github.batchsqs.send.BatchSqsOperations;
import io.github.batchsqs.send.DeduplicationIds;
import io.github.batchsqs.send.SendResult;
import io.github.batchsqs.send.SenderOptions;
import io.github.batchsqs.testkit.Progress;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.transaction.support.TransactionTemplate;

class SenderTests {

    @Test
    void theTemplateSendsAndReceivesWithItsDefaults() {
        Contexts.embedded()
                .withPropertyValues(
                        "batchsqs.embedded.queues=orders",
                        "batchsqs.sender.default-queue=orders",
                        "batchsqs.sender.default-attributes.source=web")
                .run(context -> {
                    var template = context.getBean(BatchSqsOperations.class);
                    Progress.get(template.sendDefault(new Order(7)));

                    var received = template.receive(BatchSqsOperations.DEFAULT_QUEUE, Order.class);

                    assertThat(received.payloads()).isEqualTo(List.of(new Order(7)));
                    assertThat(received.getFirst().attributes())
                            .containsEntry("source", MessageAttribute.string("web"));
                    Progress.get(received.acknowledge());
                });
    }

    @Test
    void customizersChangeTheOptionsInTheirOrder() {
        Contexts.aws()
                .withPropertyValues("batchsqs.sender.linger=20ms")
                .withBean(
                        "first",
                        SenderOptionsCustomizer.class,
                        () -> options -> options.toBuilder()
                                .linger(options.linger().plusMillis(1))
                                .build())
                .withBean(
                        "second",
                        SenderOptionsCustomizer.class,
                        () -> options -> options.toBuilder()
                                .linger(options.linger().multipliedBy(2))
                                .build())
                .run(context -> assertThat(context.getBean(SenderOptions.class).linger())
                        .isEqualTo(Duration.ofMillis(42)));
    }

    @Test
    void aBucketForPayloadsMayHaveAStoreOfTheApplication() {
        Contexts.aws()
                .withPropertyValues("batchsqs.s3.bucket=payloads")
                .withBean(PayloadStore.class, () -> mock(PayloadStore.class))
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Nested
    class WithinATransaction {

        private final TransactionTemplate transaction = new TransactionTemplate(new NothingToCommit());

        private final ApplicationContextRunner bound = Contexts.embedded()
                .withPropertyValues("batchsqs.embedded.queues=orders", "batchsqs.sender.transactional=after-commit");

        @Test
        void messagesGoOutWhenItHasCommitted() {
            bound.run(context -> {
                var template = context.getBean(BatchSqsOperations.class);
                var sent = new ArrayList<CompletableFuture<SendResult>>();
                transaction.executeWithoutResult(status -> {
                    sent.add(template.send("orders", "one"));
                    template.flush().join();
                    assertThat(sent.getFirst()).isNotDone();
                });
                assertThat(Progress.get(sent.getFirst()).messageId()).isNotEmpty();
            });
        }

        @Test
        void messagesGoOutAtOnceUnlessSetOtherwise() {
            Contexts.embedded()
                    .withPropertyValues("batchsqs.embedded.queues=orders")
                    .run(context -> {
                        var template = context.getBean(BatchSqsOperations.class);
                        transaction.executeWithoutResult(status -> {
                            assertThat(Progress.done(template.send("orders", "one")))
                                    .isCompleted();
                            status.setRollbackOnly();
                        });
                    });
        }

        @Test
        void theOutboxNeedsItsModule() {
            Contexts.aws()
                    .withClassLoader(new FilteredClassLoader("org.springframework.transaction"))
                    .withPropertyValues("batchsqs.sender.transactional=outbox")
                    .run(context -> assertThat(StartFailure.of(context))
                            .contains(
                                    "batchsqs.sender.transactional needs the module that stores messages",
                                    "batchsqs-spring-boot-jdbc"));
        }

        @Test
        void theSettingNeedsSpringsTransactions() {
            Contexts.aws()
                    .withClassLoader(new FilteredClassLoader("org.springframework.transaction"))
                    .withPropertyValues("batchsqs.sender.transactional=after-commit")
                    .run(context -> assertThat(StartFailure.of(context))
                            .contains("batchsqs.sender.transactional needs Spring's transactions", "spring-tx"));
        }
    }

    @Test
    void beansOfTheApplicationWin() {
        DeduplicationIds ids = (message, body) -> "id";
        Contexts.aws()
                .withBean(DeduplicationIds.class, () -> ids)
                .run(context -> assertThat(context.getBean(SenderOptions.class).deduplication())
                        .isSameAs(ids));
        Contexts.aws()
                .withBean(BatchSqsOperations.class, () -> mock())
                .run(context -> assertThat(context)
                        .hasSingleBean(BatchSqsOperations.class)
                        .doesNotHaveBean(BatchSqsTemplate.class));
    }

    @Test
    void aHandlerThatFinishesDuringTheStopCanStillSend() {
        var meters = new SimpleMeterRegistry();
        Contexts.embedded()
                .withBean(Forwarder.class)
                .withBean(MeterRegistry.class, () -> meters)
                .withPropertyValues("batchsqs.embedded.queues=orders,receipts", "batchsqs.listener.wait-time=1s")
                .run(context -> {
                    context.getBean(BatchSqsOperations.class).sendAndWait("orders", "one");
                    Progress.await(context.getBean(Forwarder.class).started);
                });

        assertThat(meters.get("batchsqs.sender.sent")
                        .tag("queue", "receipts")
                        .counter()
                        .count())
                .isEqualTo(1);
    }

    record Order(int number) {}

    /** Sends only when the stop has begun. */
    static class Forwarder implements ApplicationListener<ContextClosedEvent> {
        final CountDownLatch started = new CountDownLatch(1);
        private final CountDownLatch stopping = new CountDownLatch(1);
        private final BatchSqsOperations template;

        Forwarder(BatchSqsOperations template) {
            this.template = template;
        }

        @BatchSqsListener(queue = "orders")
        @SuppressWarnings("FutureReturnValueIgnored") // closing the template sends it
        void handle(List<String> orders) throws InterruptedException {
            started.countDown();
            stopping.await();
            orders.forEach(order -> template.send("receipts", order));
        }

        @Override
        public void onApplicationEvent(ContextClosedEvent event) {
            stopping.countDown();
        }
    }
}
