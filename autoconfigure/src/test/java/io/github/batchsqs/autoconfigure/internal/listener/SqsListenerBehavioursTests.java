/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.listener;

import static org.assertj.core.api.Assertions.assertThat;

import io.awspring.cloud.sqs.annotation.SqsListener;
import io.awspring.cloud.sqs.operations.SqsTemplate;
import io.github.batchsqs.Acknowledgement;
import io.github.batchsqs.BatchOutcome;
import io.github.batchsqs.MessageBatch;
import io.github.batchsqs.SqsMessage;
import io.github.batchsqs.Visibility;
import io.github.batchsqs.annotation.BatchSqsHandler;
import io.github.batchsqs.annotation.BatchSqsListener;
import io.github.batchsqs.autoconfigure.testkit.Contexts;
import io.github.batchsqs.autoconfigure.testkit.Queues;
import io.github.batchsqs.events.ListenerEvent;
import io.github.batchsqs.events.ListenerEvents;
import io.github.batchsqs.listener.BatchInterceptor;
import io.github.batchsqs.listener.ErrorHook;
import io.github.batchsqs.send.BatchSqsOperations;
import io.github.batchsqs.send.OutgoingMessage;
import io.github.batchsqs.testkit.Progress;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.messaging.Message;
import org.springframework.messaging.MessageHeaders;
import org.springframework.messaging.handler.annotation.Header;
import org.springframework.messaging.support.MessageBuilder;

/**
 * What the tests of Spring Cloud AWS demand of a listener and a template and no other test here shows on a server. The table
 * {@code docs/behaviours.md} has all of their tests.
 */
class SqsListenerBehavioursTests {

    private final ApplicationContextRunner contexts = Contexts.embedded()
            .withPropertyValues(
                    "batchsqs.embedded.queues=orders,batches,returns",
                    "batchsqs.listener.wait-time=1s",
                    "batchsqs.listener.failure.backoff.initial=1ms",
                    "batchsqs.listener.failure.backoff.max=1ms");

    @Test
    void everyArgumentIsThereAndChoosesTheNextDelivery() {
        var handler = new AllArguments();
        contexts.withBean(AllArguments.class, () -> handler).run(context -> {
            send(context, "orders", "a");
            send(context, "batches", "b", "c");
            Queues.awaitEmpty(context, "orders", "batches");

            assertThat(handler.seen).contains("a 1 orders a", "a 2 orders a", "b 2", "c 2");
        });
    }

    @Test
    void theModeOfTheAnnotationDecidesWhatAnErrorDoesAlsoThatOfAStage() {
        var handler = new Modes();
        contexts.withBean(Modes.class, () -> handler).run(context -> {
            for (String queue : List.of("orders", "batches", "returns")) {
                send(context, queue, "a");
            }
            Queues.awaitEmpty(context, "orders", "batches", "returns");

            assertThat(handler.seen)
                    .containsExactlyInAnyOrder("always 1", "on-success 1", "on-success 2", "manual 1", "manual 2");
        });
    }

    @Test
    void textIsReadAsThePayloadTypeWhateverAnAttributeSays() {
        var handler = new Orders();
        contexts.withBean(Orders.class, () -> handler).run(context -> {
            context.getBean(BatchSqsOperations.class)
                    .sendAndWait(OutgoingMessage.builder("orders", "{\"number\":7}")
                            .attribute("JavaType", "com.example.NonExistent")
                            .attribute("contentType", "application/json")
                            .build());
            Queues.awaitEmpty(context, "orders");

            assertThat(handler.seen).containsExactly(new Order(7));
        });
    }

    @Test
    void anInterceptorThatFailsKeepsTheMessageFromTheHandlerAndReachesHookAndInterceptor() {
        var handler = new Orders();
        var failures = new LinkedBlockingQueue<String>();
        contexts.withBean(Orders.class, () -> handler)
                .withBean(BatchInterceptor.class, () -> new FailingBefore(failures))
                .withBean("first", ErrorHook.class, () -> (queue, message, cause) -> {
                    throw new IllegalStateException("told to fail");
                })
                .withBean(
                        "second",
                        ErrorHook.class,
                        () -> (queue, message, cause) ->
                                failures.add("hook " + message.body() + " " + cause.getMessage()))
                .run(context -> {
                    send(context, "orders", new Order(7));
                    Queues.awaitEmpty(context, "orders");

                    assertThat(failures)
                            .containsExactlyInAnyOrder("after Order[number=7] not yet", "hook {\"number\":7} not yet");
                    assertThat(handler.seen).containsExactly(new Order(7));
                });
    }

    @Test
    void aStartThatFailsStopsTheListenersThatHaveStarted() {
        var running = new AtomicInteger();
        contexts.withBean(Orders.class, Orders::new)
                .withBean(NoQueue.class, NoQueue::new)
                .withBean(ListenerEvents.class, () -> event -> {
                    if (event instanceof ListenerEvent.Started) {
                        running.incrementAndGet();
                    } else if (event instanceof ListenerEvent.Stopped) {
                        running.decrementAndGet();
                    }
                })
                .run(context -> {
                    assertThat(context).hasFailed();
                    Progress.until(running::get, 0);
                });
    }

    @Test
    void aMessageThatTheTemplateReceivesHasTheIdsOfItsSend() {
        contexts.withPropertyValues("batchsqs.embedded.queues=orders.fifo").run(context -> {
            var template = context.getBean(BatchSqsOperations.class);
            var sent = template.sendAndWait(OutgoingMessage.builder("orders.fifo", new Order(7))
                    .groupId("group")
                    .build());

            var received = template.receiveOne("orders.fifo", Order.class).orElseThrow();

            assertThat(received.payload()).isEqualTo(new Order(7));
            assertThat(received.id()).isEqualTo(sent.messageId());
            assertThat(received.groupId()).isEqualTo("group");
            assertThat(received.deduplicationId()).isNotNull().isEqualTo(sent.deduplicationId());
            assertThat(received.sequenceNumber()).isNotNull(); // ElasticMQ has none in its response to the send
            Progress.get(received.acknowledge());
        });
    }

    @Test
    void whatSqsTemplateSendsReachesTheMethodOfItsType() {
        var handler = new ByType();
        Contexts.besideSpringCloudAws(contexts)
                .withBean(ByType.class, () -> handler)
                .withPropertyValues(
                        "batchsqs.listeners.orders.payload.type-header=JavaType",
                        "batchsqs.listeners.orders.payload.types[" + Order.class.getName() + "]="
                                + Order.class.getName(),
                        "batchsqs.listeners.orders.payload.types[java.lang.Integer]=java.lang.Integer")
                .run(context -> {
                    var template = context.getBean(SqsTemplate.class);
                    template.send(
                            "orders",
                            MessageBuilder.withPayload(new Order(7))
                                    .setHeader("tenant", "acme")
                                    .build());
                    template.send("orders", 8);
                    template.send("orders", "text");
                    Queues.send(context, "orders", "{}", Map.of());
                    Queues.awaitEmpty(context, "orders");

                    assertThat(handler.seen)
                            .containsExactlyInAnyOrder("order 7 of acme", "number 8", "other text", "other {}");
                });
    }

    @Test
    void whatTheTemplateSendsReachesASqsListener() {
        var handler = new Theirs();
        Contexts.besideSpringCloudAws(contexts)
                .withBean(Theirs.class, () -> handler)
                .withPropertyValues("spring.cloud.aws.sqs.listener.poll-timeout=1s")
                .run(context -> {
                    context.getBean(BatchSqsOperations.class)
                            .sendAndWait(OutgoingMessage.builder("orders", new Order(7))
                                    .attribute("tenant", "acme")
                                    .build());
                    Progress.until(handler.seen::size, 1);

                    assertThat(handler.seen).containsExactly("order 7 of acme");
                });
    }

    private static void send(ApplicationContext context, String queue, Object... payloads) throws InterruptedException {
        assertThat(context.getBean(BatchSqsOperations.class)
                        .sendAll(queue, List.of(payloads))
                        .failed())
                .isEmpty();
    }

    record Order(int number) {}

    @SuppressWarnings("FutureReturnValueIgnored") // the queue shows what came of it
    static class AllArguments {
        final Collection<String> seen = new LinkedBlockingQueue<>();

        @BatchSqsListener(queue = "orders", acknowledgeMode = "manual")
        void single(
                Message<String> message,
                MessageHeaders headers,
                Acknowledgement acknowledgement,
                Visibility visibility,
                software.amazon.awssdk.services.sqs.model.Message original) {
            String receives = String.valueOf(headers.get("Sqs_Msa_ApproximateReceiveCount"));
            seen.add(
                    message.getPayload() + " " + receives + " " + headers.get("Sqs_QueueName") + " " + original.body());
            if (receives.equals("1")) {
                visibility.changeTo(Duration.ofSeconds(1));
                throw new IllegalStateException("not yet");
            }
            acknowledgement.acknowledge();
        }

        @BatchSqsListener(queue = "batches", acknowledgeMode = "manual", batchSize = "10")
        CompletionStage<Void> batch(
                List<SqsMessage<String>> messages, Acknowledgement acknowledgement, Visibility visibility) {
            messages.forEach(message -> seen.add(message.payload() + " " + message.receiveCount()));
            if (messages.stream().anyMatch(message -> message.receiveCount() == 1)) {
                visibility.changeTo(Duration.ofSeconds(1));
                return CompletableFuture.failedStage(new IllegalStateException("not yet"));
            }
            return acknowledgement.acknowledge();
        }
    }

    static class Modes {
        final Collection<String> seen = new LinkedBlockingQueue<>();

        @BatchSqsListener(queue = "orders", acknowledgeMode = "always")
        void always(SqsMessage<String> message) {
            firstFails("always", message);
        }

        @BatchSqsListener(queue = "batches", acknowledgeMode = "on-success", batchSize = "10")
        CompletionStage<Void> onSuccess(List<SqsMessage<String>> messages) {
            return CompletableFuture.runAsync(() -> firstFails("on-success", messages.getFirst()));
        }

        @BatchSqsListener(queue = "returns", acknowledgeMode = "manual")
        @SuppressWarnings("FutureReturnValueIgnored") // the queue shows what came of it
        void manual(SqsMessage<String> message, Acknowledgement acknowledgement) {
            firstFails("manual", message);
            acknowledgement.acknowledge();
        }

        private void firstFails(String mode, SqsMessage<String> message) {
            seen.add(mode + " " + message.receiveCount());
            if (message.receiveCount() == 1) {
                throw new IllegalStateException("not yet");
            }
        }
    }

    static class Orders {
        final Collection<Order> seen = new LinkedBlockingQueue<>();

        @BatchSqsListener(queue = "orders")
        void handle(Order order) {
            seen.add(order);
        }
    }

    static class NoQueue {
        @BatchSqsListener(queue = "nowhere")
        void handle(Order order) {}
    }

    @BatchSqsListener(queue = "orders")
    static class ByType {
        final Collection<String> seen = new LinkedBlockingQueue<>();

        @BatchSqsHandler
        void order(Order order, @Header("tenant") String tenant) {
            seen.add("order " + order.number() + " of " + tenant);
        }

        @BatchSqsHandler
        void number(Integer number) {
            seen.add("number " + number);
        }

        @BatchSqsHandler(isDefault = true)
        void other(String body) {
            seen.add("other " + body);
        }
    }

    static class Theirs {
        final Collection<String> seen = new LinkedBlockingQueue<>();

        @SqsListener("orders")
        void handle(Order order, @Header("tenant") String tenant) {
            seen.add("order " + order.number() + " of " + tenant);
        }
    }

    private record FailingBefore(Collection<String> failures) implements BatchInterceptor {
        @Override
        public void before(MessageBatch<?> batch) {
            if (batch.messages().getFirst().receiveCount() == 1) {
                throw new IllegalStateException("not yet");
            }
        }

        @Override
        public void after(MessageBatch<?> batch, @Nullable BatchOutcome outcome, @Nullable Throwable failure) {
            if (failure != null) {
                failures.add("after " + batch.payloads().getFirst() + " " + failure.getMessage());
            }
        }
    }
}
