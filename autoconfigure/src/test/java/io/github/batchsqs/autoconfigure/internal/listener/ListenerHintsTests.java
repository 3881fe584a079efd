/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.listener;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.github.batchsqs.SqsMessage;
import io.github.batchsqs.annotation.BatchSqsHandler;
import io.github.batchsqs.annotation.BatchSqsListener;
import io.github.batchsqs.autoconfigure.internal.diagnostics.SetupException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.aot.test.generate.TestGenerationContext;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.context.support.GenericApplicationContext;

/** What ahead-of-time processing learns of listeners, by the processor's own entry in {@code aot.factories}. */
class ListenerHintsTests {

    @Test
    void annotatedMethodsAndTheirPayloadTypesAreKnown() throws Exception {
        RuntimeHints hints = process(Handler.class);
        var method = Handler.class.getDeclaredMethod("handle", List.class);
        assertThat(RuntimeHintsPredicates.reflection().onMethodInvocation(method))
                .accepts(hints);
        assertThat(RuntimeHintsPredicates.reflection().onMethodInvocation(Order.class.getDeclaredMethod("number")))
                .accepts(hints);
        assertThat(RuntimeHintsPredicates.reflection().onType(Item.class)).accepts(hints);
    }

    @Test
    void anUnsupportedSignatureEndsTheBuild() {
        assertThatExceptionOfType(SetupException.class)
                .isThrownBy(() -> process(Wrong.class))
                .withMessageContaining("Wrong.handle()");
    }

    @Test
    void theMethodsOfAnnotatedClassesAndTheirPayloadTypesAreKnown() throws Exception {
        RuntimeHints hints = process(Shapes.class);
        assertThat(RuntimeHintsPredicates.reflection()
                        .onMethodInvocation(Shapes.class.getDeclaredMethod("circles", List.class)))
                .accepts(hints);
        assertThat(RuntimeHintsPredicates.reflection()
                        .onMethodInvocation(Shapes.class.getDeclaredMethod("square", Square.class)))
                .accepts(hints);
        assertThat(RuntimeHintsPredicates.reflection().onMethodInvocation(Circle.class.getDeclaredMethod("radius")))
                .accepts(hints);
        assertThat(RuntimeHintsPredicates.reflection().onMethodInvocation(Square.class.getDeclaredMethod("side")))
                .accepts(hints);
        assertThat(RuntimeHintsPredicates.reflection().onType(Shape.class)).accepts(hints);
    }

    private static RuntimeHints process(Class<?> bean) {
        var context = new GenericApplicationContext();
        context.registerBean(bean);
        var generation = new TestGenerationContext();
        new ApplicationContextAotGenerator().processAheadOfTime(context, generation);
        return generation.getRuntimeHints();
    }

    record Item(String name) {}

    record Order(int number, List<Item> items) {}

    static class Handler {
        @BatchSqsListener(queue = "orders")
        void handle(List<SqsMessage<Order>> orders) {}
    }

    @JsonTypeInfo(use = JsonTypeInfo.Id.SIMPLE_NAME)
    sealed interface Shape permits Circle, Square {}

    record Circle(int radius) implements Shape {}

    record Square(int side) implements Shape {}

    @BatchSqsListener(queue = "shapes")
    static class Shapes {
        @BatchSqsHandler
        void circles(List<Circle> circles) {}

        @BatchSqsHandler
        void square(Square square) {}
    }

    static class Wrong {
        @BatchSqsListener(queue = "orders")
        void handle() {}
    }
}
