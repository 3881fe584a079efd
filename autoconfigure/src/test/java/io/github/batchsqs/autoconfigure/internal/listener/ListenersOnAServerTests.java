/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.listener;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.annotation.BatchSqsListener;
import io.github.batchsqs.autoconfigure.testkit.Contexts;
import io.github.batchsqs.autoconfigure.testkit.Queues;
import io.github.batchsqs.autoconfigure.testkit.StartFailure;
import io.github.batchsqs.listener.ContainerState;
import io.github.batchsqs.receive.ListenerContainers;
import io.github.batchsqs.testkit.Progress;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.aop.framework.autoproxy.BeanNameAutoProxyCreator;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.core.exception.SdkClientException;

/** Annotated methods against a real server over HTTP: the embedded one. */
class ListenersOnAServerTests {

    private final ApplicationContextRunner contexts =
            Contexts.embedded().withPropertyValues("batchsqs.embedded.queues=orders", "batchsqs.listener.wait-time=1s");

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
                    send(context, "orders");
                    handler.context.complete(context.getSourceApplicationContext()); // not before: it closes the client

                    assertThat(Progress.take(handler.interrupted)).isFalse();
                    assertThat(others.state()).isEqualTo(ContainerState.STOPPED);
                });
    }

    @ParameterizedTest
    @CsvSource({"Batches, true, handle", "BehindAnInterface, false, take"})
    void methodsOfProxiedBeansAreCalledThroughTheProxy(String type, boolean byClass, String method) {
        var calls = new LinkedBlockingQueue<String>();
        proxied(type, byClass)
                .withBean("advice", MethodInterceptor.class, () -> call -> {
                    calls.add(call.getMethod().getName());
                    return call.proceed();
                })
                .run(context -> {
                    send(context, "orders");
                    assertThat(Progress.take(calls)).isEqualTo(method);
                });
    }

    @ParameterizedTest
    @CsvSource({
        "BesideItsInterface, false, is not reachable through the proxy around its bean, spring.aop.proxy-target-class=true",
        "FinalMethod, true, is final, Make it non-final.",
    })
    void aMethodThatItsProxyDoesNotPassOnIsRefused(String type, boolean byClass, String problem, String remedy) {
        proxied(type, byClass)
                .withBean("advice", MethodInterceptor.class, () -> MethodInvocation::proceed)
                .run(context -> assertThat(StartFailure.of(context)).contains(problem, remedy));
    }

    private ApplicationContextRunner proxied(String type, boolean byClass) {
        try {
            return contexts.withBean("handler", Class.forName(getClass().getName() + "$" + type))
                    .withBean(BeanNameAutoProxyCreator.class, () -> proxies(byClass));
        } catch (ClassNotFoundException misspelt) {
            throw new AssertionError(misspelt);
        }
    }

    @Test
    void whatRunsWhenTheContextClosesIsFinishedAndAcknowledgedOnTheServerThatClosesAfterIt() {
        var meters = new SimpleMeterRegistry();
        var handler = new Slow();
        contexts.withBean(Slow.class, () -> handler)
                .withBean(MeterRegistry.class, () -> meters)
                .run(context -> {
                    send(context, "orders");
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

        assertThat(stops)
                .containsExactly(
                        "the stop of the store, with orders STOPPED", "the end of the store, with orders STOPPED");
    }

    @Test
    void missingCredentialsAreToldWithWhereToPutThem() {
        Contexts.aws()
                .withBean(Batches.class)
                .withBean("credentialsProvider", AwsCredentialsProvider.class, () -> () -> {
                    throw SdkClientException.create(
                            "Unable to load credentials from any of the providers in the chain");
                })
                .run(context -> assertThat(StartFailure.of(context))
                        .contains("no AWS credentials were found", "spring.cloud.aws.credentials.access-key"));
    }

    @ParameterizedTest
    @CsvSource({
        "http://sqs.nowhere.invalid, http://sqs.nowhere.invalid",
        "http://user:secret@sqs.nowhere.invalid, http://***@sqs.nowhere.invalid",
    })
    void aHostThatHasNoAddressIsNamedWithWhatToCheck(String endpoint, String named) {
        Contexts.aws()
                .withPropertyValues("spring.cloud.aws.sqs.endpoint=" + endpoint)
                .withBean(Batches.class)
                .run(context -> assertThat(StartFailure.of(context))
                        .contains("The listener 'orders' did not start: ")
                        .contains("region eu-central-1 (" + named + ")")
                        .contains("as spring.cloud.aws.region.static, spring.cloud.aws.sqs.endpoint if it is set say")
                        .contains("batchsqs.listeners.orders.auto-startup=false")
                        .doesNotContain("secret@"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
        batchsqs.embedded.queues=others | The listener 'orders' reads the queue 'orders', which does not exist in the region us-east-1 (http://127.0.0.1: | Action: Add the queue to batchsqs.embedded.queues, correct its name, or set batchsqs.listener.queue-not-found=create | for this listener alone).
        batchsqs.listener.failure.dead-letter=nowhere | The dead-letter queue 'nowhere' of the listener 'orders' does not exist in the region us-east-1 (http://127.0.0.1: | Action: Add the queue to batchsqs.embedded.queues, or correct batchsqs.listeners.orders.failure.dead-letter: | redrive-policy (the dead-letter queue of the queue's redrive policy) or none.
        batchsqs.listeners.orders.failure.dead-letter=orders | batchsqs.listeners.orders.failure.dead-letter must be another queue | Value: orders | Action: Set it to a queue for dead letters, redrive-policy or none.
        """)
    void aQueueThatDoesNotFitIsNamedWithItsListenerAndTheRemedy(
            String property, String begins, String contains, String ends) {
        contexts.withBean(Batches.class)
                .withPropertyValues(property)
                .run(context -> assertThat(StartFailure.of(context))
                        .startsWith(begins)
                        .contains(contains)
                        .endsWith(ends));
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

    private static void send(ApplicationContext context, String queue) {
        Queues.send(context, queue, "{\"number\":0}", Map.of());
    }

    record Order(int number) {}

    static class Batches {
        @BatchSqsListener(queue = "orders", batchSize = "25", batchLinger = "50ms")
        void handle(List<Order> orders) {}
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
