/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.listener;

import static org.assertj.core.api.Assertions.assertThat;

import io.awspring.cloud.sqs.annotation.SqsListener;
import io.github.batchsqs.Acknowledgement;
import io.github.batchsqs.BatchListener;
import io.github.batchsqs.MessageBatch;
import io.github.batchsqs.annotation.BatchSqsListener;
import io.github.batchsqs.autoconfigure.listener.ListenerDefinition;
import io.github.batchsqs.autoconfigure.options.ListenerOptionsCustomizer;
import io.github.batchsqs.autoconfigure.testkit.Contexts;
import io.github.batchsqs.autoconfigure.testkit.StartFailure;
import io.github.batchsqs.listener.ListenerOptions;
import io.github.batchsqs.listener.ListenerOptions.Acknowledge;
import io.github.batchsqs.listener.ListenerOptions.AcknowledgeMode;
import io.github.batchsqs.receive.ListenerContainers;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.annotation.AliasFor;
import org.springframework.scheduling.annotation.Async;

/** Annotations of listener methods: several of ours, those that conflict with ours, and what manual acknowledgement needs. */
class ListenerAnnotationTests {

    private final ApplicationContextRunner contexts =
            Contexts.aws().withPropertyValues("batchsqs.listener.auto-startup=false");

    @Test
    void eachRepeatedAnnotationMakesItsListenersWithItsSettings() {
        contexts.withBean(Repeated.class)
                .withPropertyValues("batchsqs.listeners.returns.concurrency=3")
                .run(context -> {
                    var containers = context.getBean(ListenerContainers.class);
                    assertThat(containers.all())
                            .extracting(each -> each.options().id())
                            .containsExactly("express", "orders", "orders-more", "returns");
                    assertThat(containers.get("orders").options().batchSize()).isEqualTo(20);
                    assertThat(containers.get("returns").options())
                            .returns(10, ListenerOptions::batchSize)
                            .returns(3, ListenerOptions::concurrency);
                });
    }

    @Test
    void composedAnnotationsOfOneMethodMakeTheirListeners() {
        contexts.withBean(Composed.class)
                .run(context -> assertThat(
                                context.getBean(ListenerContainers.class).all())
                        .extracting(each ->
                                each.options().id() + " " + each.options().batchSize())
                        .containsExactly("eu 500", "us 7"));
    }

    @Test
    void anAnnotationThatContainsSeveralMakesAllOfTheirListeners() {
        contexts.withBean(Both.class)
                .run(context -> assertThat(
                                context.getBean(ListenerContainers.class).all())
                        .extracting(each -> each.options().id())
                        .containsExactly("eu", "us"));
    }

    @Test
    void theAnnotationOfAnOverridingMethodReplacesThoseOfTheOverriddenOne() {
        contexts.withBean(Overriding.class)
                .run(context -> assertThat(
                                context.getBean(ListenerContainers.class).all())
                        .extracting(each -> each.options().id())
                        .containsExactly("special"));
    }

    @Test
    void twoAnnotationsWithOneIdAreRefused() {
        contexts.withBean(Twice.class)
                .run(context -> assertThat(StartFailure.of(context))
                        .contains("@BatchSqsListener(id) on " + Twice.class.getName() + ".handle must be unique"));
    }

    @ParameterizedTest
    @ValueSource(classes = {AsyncMethod.class, ComposedAsyncMethod.class, AsyncInterfaceMethod.class, AsyncClass.class})
    void anAsynchronousMethodIsRefused(Class<?> type) {
        contexts.withBean(type)
                .run(context -> assertThat(StartFailure.of(context))
                        .contains(
                                "The listener method " + type.getName()
                                        + ".handle is annotated with @Async, itself or by its",
                                "the listener would delete the messages at once, and would not see exceptions",
                                "Action: Remove @Async from the method and its class. Invocations already run concurrently",
                                "can return a CompletableFuture, for which the listener waits"));
    }

    @Test
    void anAsynchronousMethodBesideAListenerIsNot() {
        contexts.withBean(AsyncNeighbour.class)
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void theListenerAnnotationOfAnotherLibraryIsRefused() {
        contexts.withBean(OfTwoLibraries.class)
                .run(context -> assertThat(StartFailure.of(context))
                        .contains(
                                "The listener method " + OfTwoLibraries.class.getName()
                                        + ".handle is annotated with @SqsListener as well.",
                                "Action: Remove one of the annotations, or give @SqsListener a method of its own"));
    }

    @Test
    void manualModeWithoutAnAcknowledgementIsRefused() {
        contexts.withBean(Forgetful.class)
                .run(context -> assertThat(StartFailure.of(context))
                        .contains(
                                "@BatchSqsListener(acknowledgeMode) on " + Forgetful.class.getName()
                                        + ".handle must not be manual for " + Forgetful.class.getName()
                                        + ".handle: the method has no parameter with which it could acknowledge a"
                                        + " message.",
                                "Action: Add a parameter of type io.github.batchsqs.Acknowledgement to the method, take a"
                                        + " MessageBatch, which has one, or set acknowledge.mode to on-success for the"
                                        + " listener 'orders'."));
    }

    @Test
    void anAcknowledgementWithoutManualModeIsRefused() {
        contexts.withBean(Eager.class)
                .run(context -> assertThat(StartFailure.of(context))
                        .contains(
                                "batchsqs.listeners.orders.acknowledge.mode must be manual for " + Eager.class.getName()
                                        + ".handle: the method takes an Acknowledgement",
                                "on-success",
                                "Action: Set it to manual, or remove the parameter"));
    }

    @Test
    void manualModeForAllListenersIsRefusedForTheOneWithoutAnAcknowledgement() {
        contexts.withBean(Repeated.class)
                .withPropertyValues("batchsqs.listener.acknowledge.mode=manual")
                .run(context -> assertThat(StartFailure.of(context))
                        .contains("batchsqs.listener.acknowledge.mode must not be manual for "
                                + Repeated.class.getName() + ".handle"));
    }

    @Test
    void manualModeOfACustomizerIsRefusedWithoutAnAcknowledgement() {
        contexts.withBean(Repeated.class)
                .withBean(
                        ListenerOptionsCustomizer.class,
                        () -> options -> options.toBuilder()
                                .acknowledge(new Acknowledge(
                                        AcknowledgeMode.MANUAL,
                                        options.acknowledge().linger()))
                                .build())
                .run(context -> assertThat(StartFailure.of(context))
                        .contains("acknowledge.mode, changed by a customizer, must not be manual for "
                                + Repeated.class.getName() + ".handle"));
    }

    @Test
    void manualModeTakesAnAcknowledgementOrAMessageBatchOrCode() {
        contexts.withBean(Acknowledging.class)
                .withBean(
                        ListenerDefinition.class,
                        () -> ListenerDefinition.of("code", "code", String.class, BatchListener.of(batch -> {})))
                .withPropertyValues("batchsqs.listener.acknowledge.mode=manual")
                .run(context -> assertThat(context).hasNotFailed());
    }

    static class Repeated {
        @BatchSqsListener(
                queue = {"orders", "more"},
                id = "orders",
                batchSize = "20")
        @BatchSqsListener(queue = "returns")
        @BatchSqsListener(queue = "orders", id = "express")
        void handle(List<String> orders) {}
    }

    @Target(ElementType.METHOD)
    @Retention(RetentionPolicy.RUNTIME)
    @BatchSqsListener(batchSize = "500")
    @interface Eu {
        @AliasFor(annotation = BatchSqsListener.class)
        String[] queue();
    }

    @Target(ElementType.METHOD)
    @Retention(RetentionPolicy.RUNTIME)
    @BatchSqsListener(batchSize = "7", queue = "us")
    @interface Us {}

    static class Composed {
        @Eu(queue = "eu")
        @Us
        void handle(List<String> orders) {}
    }

    @Target(ElementType.METHOD)
    @Retention(RetentionPolicy.RUNTIME)
    @BatchSqsListener.List({@BatchSqsListener(queue = "eu"), @BatchSqsListener(queue = "us")})
    @interface EverywhereElse {}

    static class Both {
        @EverywhereElse
        void handle(List<String> orders) {}
    }

    static class Overriding extends Repeated {
        @Override
        @BatchSqsListener(queue = "special")
        void handle(List<String> orders) {}
    }

    static class Twice {
        @BatchSqsListener(queue = "orders")
        @BatchSqsListener(queue = "orders", batchSize = "1")
        void handle(List<String> orders) {}
    }

    static class AsyncMethod {
        @Async
        @BatchSqsListener(queue = "orders")
        void handle(List<String> orders) {}
    }

    @Target(ElementType.METHOD)
    @Retention(RetentionPolicy.RUNTIME)
    @Async("pool")
    @interface InBackground {}

    static class ComposedAsyncMethod {
        @InBackground
        @BatchSqsListener(queue = "orders")
        void handle(List<String> orders) {}
    }

    interface Background {
        @Async
        void handle(List<String> orders);
    }

    static class AsyncInterfaceMethod implements Background {
        @Override
        @BatchSqsListener(queue = "orders")
        public void handle(List<String> orders) {}
    }

    @Async
    static class AsyncClass {
        @BatchSqsListener(queue = "orders")
        void handle(List<String> orders) {}
    }

    static class AsyncNeighbour {
        @BatchSqsListener(queue = "orders")
        void handle(List<String> orders) {}

        @Async
        void mail() {}
    }

    static class OfTwoLibraries {
        @SqsListener("orders")
        @BatchSqsListener(queue = "orders")
        void handle(List<String> orders) {}
    }

    static class Eager {

        @BatchSqsListener(queue = "orders")
        void handle(String payload, Acknowledgement acknowledgement) {}
    }

    static class Forgetful {
        @BatchSqsListener(queue = "orders", acknowledgeMode = "manual")
        void handle(List<String> orders) {}
    }

    static class Acknowledging {
        @BatchSqsListener(queue = "batches")
        void batch(MessageBatch<String> orders) {}

        @BatchSqsListener(queue = "lists")
        void list(List<String> orders, Acknowledgement acknowledgement) {}

        @BatchSqsListener(queue = "singles")
        void single(Acknowledgement acknowledgement, String order) {}
    }
}
