/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.listener;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.Mockito.mock;

import io.github.batchsqs.events.ListenerEvents;
import io.github.batchsqs.listener.ErrorHook;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class CombinedEventsTests {

    private final Throwable byIntention = new AssertionError("by intention");

    private final List<String> seen = new ArrayList<>();

    static Stream<Method> events() {
        return Stream.of(ListenerEvents.class.getMethods());
    }

    @ParameterizedTest
    @MethodSource("events")
    void everyEventReachesBoth(Method event) throws Exception {
        event.invoke(new CombinedEvents(recording("first"), recording("second")), arguments(event));

        assertThat(seen).containsExactly("first " + event.getName(), "second " + event.getName());
    }

    @ParameterizedTest
    @MethodSource("events")
    void everyEventReachesTheSecondIfTheFirstThrows(Method event) {
        assertThatThrownBy(() ->
                        event.invoke(new CombinedEvents(throwing(byIntention), recording("second")), arguments(event)))
                .isInstanceOf(InvocationTargetException.class)
                .hasCause(byIntention);

        assertThat(seen).containsExactly("second " + event.getName());
    }

    @ParameterizedTest
    @MethodSource("events")
    void theFailureOfTheSecondIsSuppressedInThatOfTheFirst(Method event) {
        var later = new IllegalStateException("by intention, too");
        var both = new CombinedEvents(throwing(byIntention), throwing(later));
        assertThatThrownBy(() -> event.invoke(both, arguments(event)))
                .isInstanceOf(InvocationTargetException.class)
                .hasCause(byIntention);

        assertThat(byIntention).hasSuppressedException(later);
    }

    @ParameterizedTest
    @MethodSource("events")
    void oneFailureOfBothIsThrownAsItIs(Method event) {
        var both = new CombinedEvents(throwing(byIntention), throwing(byIntention));
        assertThatThrownBy(() -> event.invoke(both, arguments(event)))
                .isInstanceOf(InvocationTargetException.class)
                .hasCause(byIntention);

        assertThat(byIntention).hasNoSuppressedExceptions();
    }

    @Test
    void theFailureOfTheSecondErrorHookIsSuppressedInThatOfTheFirst() {
        var first = new IllegalStateException("by intention");
        var later = new IllegalStateException("by intention, too");
        ErrorHook hooks = ListenerContainerFactory.both(failing(first), failing(later));
        assertThatThrownBy(() -> hooks.failed("orders", mock(), new IllegalStateException("of the handler")))
                .isSameAs(first)
                .hasSuppressedException(later);
    }

    private static ErrorHook failing(RuntimeException failure) {
        return (queue, message, cause) -> {
            throw failure;
        };
    }

    private ListenerEvents recording(String name) {
        return proxy(event -> seen.add(name + " " + event.getName()));
    }

    private static ListenerEvents throwing(Throwable failure) {
        return proxy(event -> {
            throw failure;
        });
    }

    private static ListenerEvents proxy(Receiver receiver) {
        return (ListenerEvents) Proxy.newProxyInstance(
                CombinedEventsTests.class.getClassLoader(),
                new Class<?>[] {ListenerEvents.class},
                (proxy, event, arguments) -> {
                    receiver.on(event);
                    return null;
                });
    }

    private Object[] arguments(Method event) {
        return Stream.of(event.getParameterTypes())
                .map(type -> type == int.class
                        ? 1
                        : type == String.class ? "text" : type == Duration.class ? Duration.ZERO : byIntention)
                .toArray();
    }

    private interface Receiver {
        void on(Method event) throws Throwable;
    }
}
