/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.listener;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.github.batchsqs.Acknowledgement;
import io.github.batchsqs.annotation.BatchSqsHandler;
import io.github.batchsqs.annotation.BatchSqsListener;
import io.github.batchsqs.autoconfigure.testkit.Contexts;
import io.github.batchsqs.autoconfigure.testkit.StartFailure;
import io.github.batchsqs.listener.ListenerOptions;
import io.github.batchsqs.receive.ListenerContainers;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.annotation.AliasFor;
import org.springframework.scheduling.annotation.Async;

/** Classes whose methods take one payload type each: what becomes a listener, and what is refused at start. */
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
    void settingsAreNamedWithTheClass() {
        typed.withBean(BadValue.class)
                .run(context -> assertThat(StartFailure.of(context))
                        .contains("@BatchSqsListener(batchSize) on " + BadValue.class.getName() + " must be"));
    }

    @Test
    void aClassWithoutHandlersIsRefused() {
        assertFailure(
                contexts.withBean(NoHandlers.class),
                "The class " + NoHandlers.class.getName()
                        + " is annotated with @BatchSqsListener, but none of its methods with @BatchSqsHandler.",
                "Action: Annotate a method for each payload type with @BatchSqsHandler");
    }

    @Test
    void aHandlerWithoutAListenerIsRefused() {
        assertFailure(
                contexts.withBean(NoListener.class),
                "The method " + NoListener.class.getName()
                        + ".handle is annotated with @BatchSqsHandler, but its class is not annotated with"
                        + " @BatchSqsListener.",
                "Action: Annotate the class with @BatchSqsListener(queue = \"orders\")");
    }

    @Test
    void aListenerMethodInAListenerClassIsRefused() {
        assertFailure(
                contexts.withBean(BothLevels.class),
                "The class " + BothLevels.class.getName()
                        + " and its method all are both annotated with @BatchSqsListener.",
                "Action: Keep the annotation of the class, whose methods with @BatchSqsHandler take one payload type each");
    }

    @Test
    void aMethodThatIsListenerAndHandlerIsRefused() {
        assertFailure(
                contexts.withBean(BothOfOneMethod.class),
                "The method " + BothOfOneMethod.class.getName() + ".handle is annotated with @BatchSqsHandler");
    }

    @Test
    void twoDefaultsAreRefused() {
        assertFailure(
                typed.withBean(TwoDefaults.class),
                "The class " + TwoDefaults.class.getName() + " has more than one default method: ",
                "Action: Leave @BatchSqsHandler(isDefault = true) on one of them.");
    }

    @Test
    void twoHandlersOfOneTypeAreRefused() {
        assertFailure(
                typed.withBean(OneTypeTwice.class),
                "Two methods of " + OneTypeTwice.class.getName() + " with @BatchSqsHandler take " + HERE + "$Placed: ");
    }

    @Test
    void anUnsupportedSignatureIsRefused() {
        assertFailure(
                typed.withBean(BadSignature.class),
                "The method " + BadSignature.class.getName() + ".handle() cannot be a listener");
    }

    @ParameterizedTest
    @ValueSource(classes = {AsyncMethod.class, AsyncClass.class})
    void anAsynchronousHandlerIsRefused(Class<?> type) {
        assertFailure(
                typed.withBean(type), "The listener method " + type.getName() + ".handle is annotated with @Async");
    }

    @Test
    void manualModeNeedsAnAcknowledgementInEachMethod() {
        assertFailure(
                typed.withBean(HalfManual.class),
                "must not be manual for " + HalfManual.class.getName() + ".cancelled: the method has no parameter");
    }

    @Test
    void severalTypesNeedAnAttributeOrACommonSupertypeWithTypeInfo() {
        assertFailure(
                contexts.withBean(Events.class),
                "The class " + Events.class.getName() + " has @BatchSqsHandler methods for " + HERE + "$Cancelled, "
                        + HERE + "$Placed, and nothing says which of these types the payload of a message has.",
                "Action: Set batchsqs.listeners.events.payload.type-header",
                "with Jackson's @JsonTypeInfo");
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
    void everyListedTypeMustHaveAMethod() {
        assertFailure(
                typed.withBean(Events.class)
                        .withPropertyValues("batchsqs.listener.payload.types.text=java.lang.String"),
                "batchsqs.listener.payload.types must name classes that a @BatchSqsHandler method takes: "
                        + Events.class.getName() + " has @BatchSqsHandler methods for",
                "Value: text=java.lang.String",
                "or one with @BatchSqsHandler(isDefault = true)");
        typed.withBean(WithDefault.class)
                .withPropertyValues("batchsqs.listener.payload.types.text=java.lang.Integer")
                .run(context -> assertThat(context).hasNotFailed());
    }

    private static void assertFailure(ApplicationContextRunner contexts, String... texts) {
        contexts.run(context -> assertThat(StartFailure.of(context)).contains(texts));
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

    @BatchSqsListener(queue = "events", batchSize = "0")
    static class BadValue {
        @BatchSqsHandler
        void placed(List<Placed> events) {}
    }

    @BatchSqsListener(queue = "events")
    static class NoHandlers {
        void placed(List<Placed> events) {}
    }

    static class NoListener {
        @BatchSqsHandler
        void handle(List<Placed> events) {}
    }

    @BatchSqsListener(queue = "events")
    static class BothLevels {
        @BatchSqsHandler
        void placed(List<Placed> events) {}

        @BatchSqsListener(queue = "others")
        void all(List<Placed> events) {}
    }

    static class BothOfOneMethod {
        @BatchSqsHandler
        @BatchSqsListener(queue = "others")
        void handle(List<Placed> events) {}
    }

    @BatchSqsListener(queue = "events")
    static class TwoDefaults {
        @BatchSqsHandler(isDefault = true)
        void placed(List<Placed> events) {}

        @BatchSqsHandler(isDefault = true)
        void cancelled(List<Cancelled> events) {}
    }

    @BatchSqsListener(queue = "events")
    static class OneTypeTwice {
        @BatchSqsHandler
        void handle(List<Placed> events) {}

        @BatchSqsHandler
        void handle(Placed event) {}
    }

    @BatchSqsListener(queue = "events")
    static class BadSignature {
        @BatchSqsHandler
        void handle() {}
    }

    @BatchSqsListener(queue = "events")
    static class AsyncMethod {
        @Async
        @BatchSqsHandler
        void handle(List<Placed> events) {}
    }

    @Async
    @BatchSqsListener(queue = "events")
    static class AsyncClass {
        @BatchSqsHandler
        void handle(List<Placed> events) {}
    }

    @BatchSqsListener(queue = "events", acknowledgeMode = "manual")
    static class HalfManual {
        @BatchSqsHandler
        void placed(List<Placed> events, Acknowledgement acknowledgement) {}

        @BatchSqsHandler
        void cancelled(List<Cancelled> events) {}
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
