/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.listener;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.github.batchsqs.annotation.BatchSqsHandler;
import io.github.batchsqs.annotation.BatchSqsListener;
import io.github.batchsqs.autoconfigure.testkit.Contexts;
import io.github.batchsqs.listener.ListenerOptions;
import io.github.batchsqs.receive.ListenerContainers;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.annotation.AliasFor;

/** Classes whose methods take one payload type each: what becomes a listener. */
class ListenerClassTests {

    private static final String HERE = ListenerClassTests.class.getName();
    private static final String TYPE_HEADER = "batchsqs.listener.payload.type-header=kind";
    private static final String PLACED = "batchsqs.listener.payload.types.placed=" + HERE + "$Placed";
    private static final String CANCELLED = "batchsqs.listener.payload.types.cancelled=" + HERE + "$Cancelled";

    private final ApplicationContextRunner contexts =
            Contexts.aws().withPropertyValues("batchsqs.listener.auto-startup=false");
    private final ApplicationContextRunner typed = contexts.withPropertyValues(TYPE_HEADER, PLACED, CANCELLED);

    @Test
    void aClassIsOneListenerForEachOfItsQueuesAndAnnotations() {
        typed.withBean(Repeated.class).run(context -> {
            assertThat(ids(context)).containsExactly("eu-events", "express", "us-events");
            assertThat(options(context, "express").batchSize()).isEqualTo(5);
        });
    }

    @Test
    void aComposedAnnotationMakesAClassAListenerAndOneOfItsMethodsAHandler() {
        contexts.withBean(Composed.class).run(context -> {
            assertThat(ids(context)).containsExactly("composed");
            assertThat(options(context, "composed").batchSize()).isEqualTo(50);
        });
    }

    @Test
    void aSubclassInheritsTheAnnotationAndTheMethods() {
        typed.withBean(Inheriting.class).run(context -> assertThat(ids(context)).containsExactly("events"));
    }

    @Test
    void onlyAClassWhoseMethodsAllTakeOneMessageHasABatchSizeOfOne() {
        typed.withBean(Singles.class)
                .run(context ->
                        assertThat(options(context, "events").batchSize()).isOne());
        typed.withBean(Events.class)
                .run(context ->
                        assertThat(options(context, "events").batchSize()).isEqualTo(10));
    }

    @Test
    void aCommonSupertypeWithTypeInfoNeedsNoAttribute() {
        contexts.withBean(Shapes.class).run(context -> assertThat(ids(context)).containsExactly("shapes"));
    }

    @Test
    void oneHandlerNeedsNoAttribute() {
        contexts.withBean(Alone.class).run(context -> assertThat(ids(context)).containsExactly("events"));
    }

    @Test
    void aListedTypeMayHaveTheDefaultMethod() {
        typed.withBean(WithDefault.class)
                .withPropertyValues("batchsqs.listener.payload.types.text=java.lang.Integer")
                .run(context -> assertThat(context).hasNotFailed());
    }

    private static List<String> ids(AssertableApplicationContext context) {
        return context.getBean(ListenerContainers.class).all().stream()
                .map(each -> each.options().id())
                .toList();
    }

    private static ListenerOptions options(AssertableApplicationContext context, String id) {
        return context.getBean(ListenerContainers.class).get(id).options();
    }

    interface Event {}

    record Placed(int number) implements Event {}

    record Cancelled(int number) implements Event {}

    @JsonTypeInfo(use = JsonTypeInfo.Id.SIMPLE_NAME)
    sealed interface Shape permits Circle, Square {}

    record Circle(int radius) implements Shape {}

    record Square(int side) implements Shape {}

    @BatchSqsListener(queue = "events")
    static class Events implements Event {
        @BatchSqsHandler
        void placed(List<Placed> events) {}

        @BatchSqsHandler
        void cancelled(Cancelled event) {}
    }

    static class Inheriting extends Events {}

    @BatchSqsListener(queue = {"eu-events", "us-events"})
    @BatchSqsListener(queue = "events", id = "express", batchSize = "5")
    static class Repeated {
        @BatchSqsHandler
        void placed(List<Placed> events) {}

        @BatchSqsHandler
        void cancelled(List<Cancelled> events) {}
    }

    @Target(ElementType.TYPE)
    @Retention(RetentionPolicy.RUNTIME)
    @BatchSqsListener(batchSize = "50")
    @interface FiftyOf {
        @AliasFor(annotation = BatchSqsListener.class, attribute = "queue")
        String[] value();
    }

    @Target(ElementType.METHOD)
    @Retention(RetentionPolicy.RUNTIME)
    @BatchSqsHandler(isDefault = true)
    @interface Otherwise {}

    @FiftyOf("composed")
    static class Composed {
        @Otherwise
        void handle(List<Placed> events) {}
    }

    @BatchSqsListener(queue = "events")
    static class Singles {
        @BatchSqsHandler
        void placed(Placed event) {}

        @BatchSqsHandler
        void cancelled(Cancelled event) {}
    }

    @BatchSqsListener(queue = "shapes")
    static class Shapes {
        @BatchSqsHandler
        void circles(List<Circle> circles) {}

        @BatchSqsHandler
        void squares(List<Square> squares) {}
    }

    @BatchSqsListener(queue = "events")
    static class Alone {
        @BatchSqsHandler
        void placed(List<Placed> events) {}
    }

    @BatchSqsListener(queue = "events")
    static class WithDefault {
        @BatchSqsHandler
        void placed(List<Placed> events) {}

        @BatchSqsHandler
        void cancelled(List<Cancelled> events) {}

        @BatchSqsHandler(isDefault = true)
        void others(Map<String, Object> json) {}
    }
}
