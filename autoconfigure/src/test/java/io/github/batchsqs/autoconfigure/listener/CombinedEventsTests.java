/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.listener;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.Mockito.mock;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.github.batchsqs.events.ListenerEvents;
import io.github.batchsqs.listener.ErrorHook;
import io.github.batchsqs.time.TimeSource;
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

    private final List<String> seen = new ArrayList<>();
    private final Logger log = new LoggerContext().getLogger("events");
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();

    CombinedEventsTests() {
        lines.start();
        log.addAppender(lines);
    }

    static Stream<Method> events() {
        return Stream.of(ListenerEvents.class.getMethods()).filter(method -> method.getReturnType() == void.class);
    }

    @ParameterizedTest
    @MethodSource("events")
    void everyEventReachesAll(Method event) throws Exception {
        event.invoke(combined(recording("first"), recording("second"), recording("third")), arguments(event));

        assertThat(seen)
                .containsExactly("first " + event.getName(), "second " + event.getName(), "third " + event.getName());
    }

    @Test
    @SuppressWarnings("NullAway") // what a bean in a language without nullness may do
    void aBeanThatMakesNoReceiverIsLeftOutAndLogged() {
        ListenerEvents unable = new ListenerEvents() {
            @Override
            public ListenerEvents forListener(String listener, String queue, String client) {
                throw new AssertionError("by intention");
            }
        };
        ListenerEvents none = new ListenerEvents() {
            @Override
            public ListenerEvents forListener(String listener, String queue, String client) {
                return null;
            }
        };
        ListenerEvents able = new ListenerEvents() {};

        assertThat(CombinedEvents.receivers(List.of(unable, none, able), "orders", "orders", "default", log))
                .containsExactly(able);

        assertThat(lines.list)
                .extracting(ILoggingEvent::getFormattedMessage)
                .containsExactly(leftOut(unable), leftOut(none));
        assertThat(lines.list).extracting(ILoggingEvent::getThrowableProxy).doesNotContainNull();
    }

    private static String leftOut(ListenerEvents bean) {
        return "Listener orders: the ListenerEvents " + bean.getClass().getName()
                + " receive none of its events, because their forListener failed";
    }

    @ParameterizedTest
    @MethodSource("events")
    void whatAReceiverThrowsDisturbsNobodyAndIsLogged(Method event) throws Exception {
        var failure = new AssertionError("by intention");
        event.invoke(combined(throwing(failure), recording("second")), arguments(event));

        assertThat(seen).containsExactly("second " + event.getName());
        assertThat(lines.list)
                .singleElement()
                .extracting(ILoggingEvent::getFormattedMessage)
                .asString()
                .matches("Listener orders: the ListenerEvents \\S+ threw in " + event.getName() + "\\(\\); it goes on");
    }

    @Test
    void theFailuresOfEachReceiverAreLoggedOnceAMinute() {
        ListenerEvents events = combined(throwing(new AssertionError("one")), throwing(new AssertionError("two")));
        for (int i = 0; i < 10; i++) {
            events.received(i);
            events.deadLettered();
        }

        assertThat(lines.list)
                .extracting(line -> line.getThrowableProxy().getMessage())
                .containsExactly("one", "two");
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

    private CombinedEvents combined(ListenerEvents... receivers) {
        return new CombinedEvents("orders", List.of(receivers), log, TimeSource.system());
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

    private static Object[] arguments(Method event) {
        return Stream.of(event.getParameterTypes())
                .map(type -> type == int.class
                        ? 1
                        : type == String.class
                                ? "text"
                                : type == Duration.class ? Duration.ZERO : new IllegalStateException("of the engine"))
                .toArray();
    }

    private interface Receiver {
        void on(Method event) throws Throwable;
    }
}
