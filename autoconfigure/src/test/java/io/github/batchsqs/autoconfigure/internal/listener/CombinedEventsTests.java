/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.listener;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.Mockito.mock;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.github.batchsqs.events.ListenerEvent;
import io.github.batchsqs.events.ListenerEvents;
import io.github.batchsqs.listener.ErrorHook;
import io.github.batchsqs.testkit.EventMethods;
import io.github.batchsqs.time.TimeSource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CombinedEventsTests {

    private final List<String> seen = new ArrayList<>();
    private final Logger log = new LoggerContext().getLogger("events");
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();

    CombinedEventsTests() {
        lines.start();
        log.addAppender(lines);
    }

    @Test
    void everyEventReachesAll() {
        combined(recording("first"), recording("second"), recording("third")).on(new ListenerEvent.Received(1));

        assertThat(seen).containsExactly("first", "second", "third");
    }

    @Test
    @SuppressWarnings("NullAway") // what a bean in a language without nullness may do
    void aBeanThatMakesNoReceiverIsLeftOutAndLogged() {
        ListenerEvents unable = new EventMethods() {
            @Override
            public ListenerEvents forListener(String listener, String queue, String client) {
                throw new AssertionError("by intention");
            }
        };
        ListenerEvents none = new EventMethods() {
            @Override
            public ListenerEvents forListener(String listener, String queue, String client) {
                return null;
            }
        };
        ListenerEvents able = event -> {};

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

    @Test
    void whatAReceiverThrowsDisturbsNobodyAndIsLogged() {
        combined(throwing(new AssertionError("by intention")), recording("second"))
                .on(new ListenerEvent.Received(1));

        assertThat(seen).containsExactly("second");
        assertThat(lines.list)
                .singleElement()
                .extracting(ILoggingEvent::getFormattedMessage)
                .asString()
                .matches("Listener orders: the ListenerEvents \\S+ threw at Received, which has no other effect");
    }

    @Test
    void theFailuresOfEachReceiverAreLoggedOnceAMinute() {
        ListenerEvents events = combined(throwing(new AssertionError("one")), throwing(new AssertionError("two")));
        for (int i = 0; i < 10; i++) {
            events.on(new ListenerEvent.Received(i));
            events.on(new ListenerEvent.DeadLettered());
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
        return event -> seen.add(name);
    }

    private static ListenerEvents throwing(Error failure) {
        return event -> {
            throw failure;
        };
    }
}
