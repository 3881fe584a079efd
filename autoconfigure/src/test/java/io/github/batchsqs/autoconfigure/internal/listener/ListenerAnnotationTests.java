/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.listener;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.Acknowledgement;
import io.github.batchsqs.BatchListener;
import io.github.batchsqs.MessageBatch;
import io.github.batchsqs.annotation.BatchSqsListener;
import io.github.batchsqs.autoconfigure.listener.ListenerDefinition;
import io.github.batchsqs.autoconfigure.testkit.Contexts;
import io.github.batchsqs.listener.ListenerOptions;
import io.github.batchsqs.receive.ListenerContainers;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.List;
import org.junit.jupiter.api.Test;
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
    void anAsynchronousMethodBesideAListenerIsNot() {
        contexts.withBean(AsyncNeighbour.class)
                .run(context -> assertThat(context).hasNotFailed());
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

    static class AsyncNeighbour {
        @BatchSqsListener(queue = "orders")
        void handle(List<String> orders) {}

        @Async
        void mail() {}
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
