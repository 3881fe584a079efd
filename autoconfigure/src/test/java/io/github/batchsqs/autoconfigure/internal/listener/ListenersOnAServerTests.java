/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.listener;

import static org.assertj.core.api.Assertions.assertThat;

import io.awspring.cloud.sqs.annotation.SqsListener;
import io.github.batchsqs.Acknowledgement;
import io.github.batchsqs.BatchOutcome;
import io.github.batchsqs.MessageBatch;
import io.github.batchsqs.SqsMessage;
import io.github.batchsqs.annotation.BatchSqsListener;
import io.github.batchsqs.autoconfigure.testkit.Contexts;
import io.github.batchsqs.autoconfigure.testkit.StartFailure;
import io.github.batchsqs.listener.ContainerState;
import io.github.batchsqs.receive.ListenerContainers;
import io.github.batchsqs.testkit.Progress;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.IntStream;
import org.aopalliance.intercept.MethodInterceptor;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.aop.framework.autoproxy.BeanNameAutoProxyCreator;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchRequestEntry;

/** Annotated methods against a real server over HTTP: the embedded one. */
class ListenersOnAServerTests {

    private final ApplicationContextRunner contexts =
            Contexts.embedded().withPropertyValues("batchsqs.embedded.queues=orders", "batchsqs.listener.wait-time=1s");

    @Test
    void aQueueIsDrainedInBatches() {
        var handler = new Batches();
        contexts.withBean(Batches.class, () -> handler).run(context -> {
            send(context, "orders", 250);

            Progress.until(handler.seen::size, 250);
            assertThat(handler.seen.stream().map(Order::number).distinct()).hasSize(250);
            awaitEmpty(context, "orders");
        });
    }

    @Test
    void aContextThatAHandlerClosesDoesNotWaitForThatHandler() {
        var handler = new ClosesItsContext();
        contexts.withBean(ClosesItsContext.class, () -> handler)
                .withPropertyValues(
                        "batchsqs.embedded.queues=orders,others",
                        "batchsqs.listener.shutdown-timeout=3m") // longer than Progress waits
                .run(context -> {
                    var containers = context.getBean(ListenerContainers.class);
                    var others = containers.get("others");
                    send(context, "orders", 1);
                    handler.context.complete(context.getSourceApplicationContext()); // not before: it closes the client

                    assertThat(Progress.take(handler.interrupted)).isFalse();
                    assertThat(others.state()).isEqualTo(ContainerState.STOPPED);
                });
    }

    @Test
    void everyShapeOfAMethodIsCalled() {
        var handler = new Shapes();
        contexts.withBean(Shapes.class, () -> handler)
                .withPropertyValues("batchsqs.embedded.queues=a,b,c,d,e,f.fifo")
                .run(context -> {
                    for (String queue : List.of("a", "b", "c", "d", "e")) {
                        send(context, queue, 3);
                    }
                    sendFifo(context, "f.fifo");
                    Progress.until(handler.seen::size, 16);
                    for (String queue : List.of("a", "b", "c", "d", "e", "f.fifo")) {
                        awaitEmpty(context, queue);
                    }
                });
    }

    @Test
    void aFailedMessageComesBackAndItsNeighboursDoNot() {
        var handler = new FailsOnce();
        contexts.withBean(FailsOnce.class, () -> handler)
                .withPropertyValues(
                        "batchsqs.listener.batch-size=10",
                        "batchsqs.listener.failure.backoff.initial=1ms",
                        "batchsqs.listener.failure.backoff.max=1ms")
                .run(context -> {
                    send(context, "orders", 10);

                    Progress.until(handler.seen::size, 11);
                    awaitEmpty(context, "orders");
                    assertThat(handler.seen.stream().filter("0"::equals)).hasSize(2);
                });
    }

    @Test
    void methodsOfProxiedBeansAreCalledThroughTheProxy() {
        var byClass = new Batches();
        var calls = new LinkedBlockingQueue<String>();
        contexts.withBean("handler", Batches.class, () -> byClass)
                .withBean("advice", MethodInterceptor.class, () -> call -> {
                    calls.add(call.getMethod().getName());
                    return call.proceed();
                })
                .withBean(BeanNameAutoProxyCreator.class, () -> proxies(true))
                .run(context -> {
                    send(context, "orders", 1);
                    assertThat(Progress.take(calls)).isEqualTo("handle");
                    Progress.until(byClass.seen::size, 1);
                });
    }

    @Test
    void methodsOfBeansBehindAnInterfaceAreCalledThroughIt() {
        var calls = new LinkedBlockingQueue<String>();
        contexts.withBean("handler", BehindAnInterface.class, BehindAnInterface::new)
                .withBean("advice", MethodInterceptor.class, () -> call -> {
                    calls.add(call.getMethod().getName());
                    return call.proceed();
                })
                .withBean(BeanNameAutoProxyCreator.class, () -> proxies(false))
                .run(context -> {
                    send(context, "orders", 1);
                    assertThat(Progress.take(calls)).isEqualTo("take");
                });
    }

    @Test
    void aMethodThatIsNotInTheInterfaceOfItsProxyIsRefused() {
        contexts.withBean("handler", BesideItsInterface.class, BesideItsInterface::new)
                .withBean("advice", MethodInterceptor.class, () -> call -> call.proceed())
                .withBean(BeanNameAutoProxyCreator.class, () -> proxies(false))
                .run(context -> assertThat(StartFailure.of(context))
                        .contains("is not reachable through the proxy around its bean")
                        .contains("spring.aop.proxy-target-class=true"));
    }

    @Test
    void aFinalMethodOfAProxiedClassIsRefused() {
        contexts.withBean("handler", FinalMethod.class, FinalMethod::new)
                .withBean("advice", MethodInterceptor.class, () -> call -> call.proceed())
                .withBean(BeanNameAutoProxyCreator.class, () -> proxies(true))
                .run(context -> assertThat(StartFailure.of(context))
                        .contains("is final")
                        .contains("Make it non-final."));
    }

    @Test
    void listenersOfSpringCloudAwsRunBeside() {
        var ours = new Batches();
        var theirs = new Awspring();
        Contexts.besideSpringCloudAws(contexts)
                .withBean(Batches.class, () -> ours)
                .withBean(Awspring.class, () -> theirs)
                .withPropertyValues(
                        "batchsqs.embedded.queues=orders,theirs", "spring.cloud.aws.sqs.listener.poll-timeout=1s")
                .run(context -> {
                    send(context, "orders", 5);
                    send(context, "theirs", 5);
                    Progress.until(() -> ours.seen.size() == 5 && theirs.seen.size() == 5);
                });
    }

    @Test
    void whatRunsWhenTheContextClosesIsFinishedAndAcknowledgedOnTheServerThatClosesAfterIt() {
        var meters = new SimpleMeterRegistry();
        var handler = new Slow();
        contexts.withBean(Slow.class, () -> handler)
                .withBean(MeterRegistry.class, () -> meters)
                .run(context -> {
                    send(context, "orders", 1);
                    Progress.await(handler.started);
                    var closing = CompletableFuture.runAsync(context.getSourceApplicationContext()::close);
                    Progress.until(() -> context.getBean(ListenerContainers.class)
                                    .get("orders")
                                    .state()
                            == ContainerState.STOPPING);
                    handler.finish.countDown();
                    assertThat(Progress.done(closing)).isCompleted();
                });

        assertThat(meters.get("batchsqs.listener.acknowledged").counter().count())
                .isEqualTo(1);
    }

    @Test
    void whatAHandlerUsesStopsAfterTheListenerEvenInTheSamePhase() {
        var stops = new ConcurrentLinkedQueue<String>();
        contexts.withBean(Store.class, () -> new Store(stops))
                .withBean(UsesAStore.class)
                .run(context -> {
                    context.getBean(Store.class).watched =
                            context.getBean(ListenerContainers.class).get("orders");
                    assertThat(state(context, "orders")).isEqualTo(ContainerState.RUNNING);
                });

        assertThat(stops).containsExactly("the store, with orders STOPPED");
    }

    @Test
    void missingCredentialsAreToldWithWhereToPutThem() {
        Contexts.aws()
                .withBean(Batches.class, Batches::new)
                .withBean("credentialsProvider", AwsCredentialsProvider.class, () -> () -> {
                    throw SdkClientException.create(
                            "Unable to load credentials from any of the providers in the chain");
                })
                .run(context -> assertThat(StartFailure.of(context))
                        .contains("no AWS credentials were found", "spring.cloud.aws.credentials.access-key"));
    }

    @Test
    void aQueueThatIsNotThereIsNamedWithItsListenerAndItsRegion() {
        contexts.withBean(Batches.class, Batches::new)
                .withPropertyValues("batchsqs.embedded.queues=others")
                .run(context -> assertThat(StartFailure.of(context))
                        .contains("The listener 'orders' reads the queue 'orders', which does not exist in the region"
                                + " us-east-1 (http://127.0.0.1:")
                        .contains("Add the queue to batchsqs.embedded.queues")
                        .contains("batchsqs.listener.queue-not-found=create"));
    }

    @Test
    void aDeadLetterQueueThatIsNotThereIsNamedWithItsSetting() {
        contexts.withBean(Batches.class, Batches::new)
                .withPropertyValues("batchsqs.listener.failure.dead-letter=nowhere")
                .run(context -> assertThat(StartFailure.of(context))
                        .contains(
                                "The dead-letter queue 'nowhere' of the listener 'orders' does not exist in the region"
                                        + " us-east-1 (http://127.0.0.1:")
                        .contains(
                                "Add the queue to batchsqs.embedded.queues, or correct batchsqs.listeners.orders.failure.dead-letter:")
                        .doesNotContain("queue-not-found"));
    }

    @Test
    void aSettingThatDoesNotSuitTheQueueIsNamedWithItsListener() {
        contexts.withBean(Batches.class, Batches::new)
                .withPropertyValues("batchsqs.listeners.orders.failure.dead-letter=orders")
                .run(context -> assertThat(StartFailure.of(context))
                        .startsWith("batchsqs.listeners.orders.failure.dead-letter must be another queue")
                        .contains("Value: orders")
                        .contains("Action: Set it to a queue for dead letters, redrive-policy or none."));
    }

    private static BeanNameAutoProxyCreator proxies(boolean byClass) {
        var creator = new BeanNameAutoProxyCreator();
        creator.setBeanNames("handler");
        creator.setInterceptorNames("advice");
        creator.setProxyTargetClass(byClass);
        return creator;
    }

    private static ContainerState state(ApplicationContext context, String id) {
        return context.getBean(ListenerContainers.class).get(id).state();
    }

    private static SqsClient sqs(ApplicationContext context) {
        return context.getBean("batchSqsClient", SqsClient.class);
    }

    private static String url(ApplicationContext context, String queue) {
        return sqs(context).getQueueUrl(request -> request.queueName(queue)).queueUrl();
    }

    private static void send(ApplicationContext context, String queue, int count) {
        String url = url(context, queue);
        for (int from = 0; from < count; from += 10) {
            Collection<SendMessageBatchRequestEntry> entries = IntStream.range(from, Math.min(count, from + 10))
                    .mapToObj(number -> SendMessageBatchRequestEntry.builder()
                            .id(String.valueOf(number))
                            .messageBody("{\"number\":" + number + "}")
                            .build())
                    .toList();
            sqs(context).sendMessageBatch(request -> request.queueUrl(url).entries(entries));
        }
    }

    private static void sendFifo(ApplicationContext context, String queue) {
        sqs(context)
                .sendMessage(request -> request.queueUrl(url(context, queue))
                        .messageBody("{\"number\":1}")
                        .messageGroupId("group")
                        .messageDeduplicationId("id"));
    }

    private static void awaitEmpty(ApplicationContext context, String queue) {
        var both = List.of(
                QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES,
                QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES_NOT_VISIBLE);
        Progress.until(() -> sqs(context)
                .getQueueAttributes(
                        request -> request.queueUrl(url(context, queue)).attributeNames(both))
                .attributes()
                .values()
                .stream()
                .allMatch("0"::equals));
    }

    record Order(int number) {}

    static class Batches {
        final Collection<Order> seen = new LinkedBlockingQueue<>();

        @BatchSqsListener(queue = "orders", batchSize = "25", batchLinger = "50ms")
        void handle(List<Order> orders) {
            seen.addAll(orders);
        }
    }

    static class Shapes {
        final Collection<Object> seen = new LinkedBlockingQueue<>();

        @BatchSqsListener(queue = "a")
        CompletionStage<Void> messages(List<SqsMessage<Order>> orders) {
            orders.forEach(order -> seen.add(order.payload().number()));
            return CompletableFuture.completedStage(null);
        }

        @BatchSqsListener(queue = "b")
        CompletionStage<BatchOutcome> batch(MessageBatch<Order> orders) {
            orders.payloads().forEach(order -> seen.add(order.number()));
            return CompletableFuture.completedStage(BatchOutcome.done());
        }

        @BatchSqsListener(queue = "c")
        public void payload(Order order) {
            seen.add(order.number());
        }

        @BatchSqsListener(queue = "d", acknowledgeMode = "manual")
        @SuppressWarnings("FutureReturnValueIgnored") // what matters is that it was asked for
        void message(SqsMessage<String> order, Acknowledgement acknowledgement) {
            seen.add(order.payload());
            acknowledgement.acknowledge();
        }

        @BatchSqsListener(queue = "e")
        @Nullable
        Void bytes(List<byte[]> orders) {
            seen.addAll(orders);
            return null;
        }

        @BatchSqsListener(queue = "f.fifo")
        void fifo(List<Order> orders) {
            seen.addAll(orders);
        }
    }

    static class ClosesItsContext {
        final CompletableFuture<ConfigurableApplicationContext> context = new CompletableFuture<>();
        final BlockingQueue<Boolean> interrupted = new LinkedBlockingQueue<>();

        @BatchSqsListener(queue = "orders")
        void orders(Order order) {
            context.join().close();
            interrupted.add(Thread.currentThread().isInterrupted());
        }

        @BatchSqsListener(queue = "others")
        void others(Order order) {}
    }

    static class FailsOnce {
        final Collection<String> seen = new LinkedBlockingQueue<>();

        @BatchSqsListener(queue = "orders")
        BatchOutcome handle(List<SqsMessage<Order>> orders) {
            var outcome = BatchOutcome.perMessage().othersDone();
            for (var order : orders) {
                seen.add(String.valueOf(order.payload().number()));
                if (order.payload().number() == 0 && order.receiveCount() == 1) {
                    outcome.retry(order);
                }
            }
            return outcome.build();
        }
    }

    interface Taker {
        void take(List<Order> orders);
    }

    static class BehindAnInterface implements Taker {
        @Override
        @BatchSqsListener(queue = "orders")
        public void take(List<Order> orders) {}
    }

    static class BesideItsInterface implements Taker {
        @Override
        public void take(List<Order> orders) {}

        @BatchSqsListener(queue = "orders")
        public void other(List<Order> orders) {}
    }

    static class FinalMethod {
        @BatchSqsListener(queue = "orders")
        public final void handle(List<Order> orders) {}
    }

    static class Awspring {
        final Collection<Order> seen = new LinkedBlockingQueue<>();

        @SqsListener("theirs")
        void handle(Order order) {
            seen.add(order);
        }
    }

    static class Slow {
        final CountDownLatch started = new CountDownLatch(1);
        final CountDownLatch finish = new CountDownLatch(1);

        @BatchSqsListener(queue = "orders")
        void handle(List<Order> orders) throws InterruptedException {
            started.countDown();
            finish.await();
        }
    }

    /** In the phase of the listeners, and defined before them. */
    static class UsesAStore {
        UsesAStore(Store store) {}

        @BatchSqsListener(queue = "orders")
        void handle(List<Order> orders) {}
    }
}
