/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.signature;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.batchsqs.SnsNotification;
import io.github.batchsqs.SqsMessage;
import io.github.batchsqs.autoconfigure.internal.diagnostics.SetupException;
import io.github.batchsqs.codec.ConversionException;
import io.github.batchsqs.internal.codec.Envelope;
import io.github.batchsqs.internal.receive.invoke.PartitionedListener;
import java.lang.reflect.Method;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.core.ResolvableType;

/** Which method takes a payload. */
class HandlersTests {

    private static final SpringArguments NO_SPRING = SpringArguments.of(null, Envelope.NONE);

    @Test
    void aPayloadGoesToTheMethodOfItsClassOrOfTheNearestSupertype() {
        var handlers = handlers(Family.class, null);

        assertThat(handlers.require(new Placed())).hasToString(name(Family.class, "placed"));
        assertThat(handlers.require(new Cancelled())).hasToString(name(Family.class, "event"));
        assertThat(handlers.require(7)).hasToString(name(Family.class, "number"));
        assertThat(handlers.require(new LinkedHashMap<>(Map.of()))).hasToString(name(Family.class, "json"));
    }

    @Test
    void aPayloadThatSeveralMethodsTakeEquallyGoesToTheDefault() {
        assertThatExceptionOfType(ConversionException.class)
                .isThrownBy(() -> handlers(Ambiguous.class, null).require(new Both()))
                .withMessageContaining("several @BatchSqsHandler methods of " + Ambiguous.class.getName()
                        + " take it, those for " + Event.class.getName() + ", " + Other.class.getName());
        assertThat(handlers(Ambiguous.class, "event").require(new Both())).hasToString(name(Ambiguous.class, "event"));
    }

    @Test
    void twoMethodsOfOneTypeAreRefused() {
        assertThatExceptionOfType(SetupException.class)
                .isThrownBy(() -> handlers(Twice.class, null))
                .withMessageStartingWith("Two methods of " + Twice.class.getName() + " with @BatchSqsHandler take "
                        + Placed.class.getName() + ": ")
                .withMessageContaining("Leave one method for each payload type.");
    }

    @Test
    void aMethodWithoutAPayloadIsRefused() {
        assertThatExceptionOfType(SetupException.class)
                .isThrownBy(() -> handlers(Sdk.class, null))
                .withMessageStartingWith("The method " + Sdk.class.getName()
                        + ".handle cannot be a @BatchSqsHandler: it takes messages of the"
                        + " SDK, which have no payload type.");
    }

    @Test
    void theKindOfAPayloadIsItsMethodUnlessThatTakesOneMessage() {
        var listener =
                (PartitionedListener<Object>) handlers(Family.class, null).listener(new Family(), NO_SPRING);

        assertThat(listener.kind(new Placed())).isEqualTo(listener.kind(new Placed()));
        assertThat(listener.kind(new Cancelled())).isNotEqualTo(listener.kind(new Placed()));
        assertThat(listener.kind(7)).isNull();
        assertThat(listener.kind(new SnsNotification<>(new Placed(), null, Map.of(), null, null)))
                .isEqualTo(listener.kind(new Placed()));
    }

    private static Handlers handlers(Class<?> type, @Nullable String defaultMethod) {
        List<Method> methods = Stream.of(type.getDeclaredMethods())
                .filter(method -> !method.isSynthetic()) // JaCoCo's
                .sorted(Comparator.comparing(Method::getName))
                .toList();
        Method byDefault = methods.stream()
                .filter(method -> method.getName().equals(defaultMethod))
                .findFirst()
                .orElse(null);
        return Handlers.byType(methods, byDefault, ResolvableType.forClass(type));
    }

    private static String name(Class<?> type, String method) {
        return type.getName() + "." + method;
    }

    interface Event {}

    interface Other {}

    record Placed() implements Event {}

    record Cancelled() implements Event {}

    record Both() implements Event, Other {}

    static class Family {
        void event(List<Event> events) {}

        void placed(List<SqsMessage<Placed>> events) {}

        void number(int number) {}

        void json(Map<String, Object> json) {}
    }

    static class Ambiguous {
        void event(List<Event> events) {}

        void other(List<Other> others) {}
    }

    static class Twice {
        void batch(List<Placed> placed) {}

        void single(Placed placed) {}
    }

    static class Sdk {
        void handle(List<software.amazon.awssdk.services.sqs.model.Message> messages) {}
    }
}
