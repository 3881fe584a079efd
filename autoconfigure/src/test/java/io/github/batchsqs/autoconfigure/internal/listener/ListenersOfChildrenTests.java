/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.listener;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.github.batchsqs.annotation.BatchSqsListener;
import io.github.batchsqs.autoconfigure.testkit.Contexts;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.slf4j.LoggerFactory;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;

/** A listener in a child context that nobody reads does not go unnoticed. */
@Isolated
class ListenersOfChildrenTests {

    @Test
    void aListenerInAChildWithoutTheAutoConfigurationCausesAWarning() {
        Contexts.aws()
                .withPropertyValues("batchsqs.listener.auto-startup=false")
                .run(parent -> {
                    assertThat(warnings(parent, ChildHandler.class))
                            .singleElement()
                            .asString()
                            .contains("The listener " + ChildHandler.class.getName() + ".handle receives nothing")
                            .contains("Define the bean in the parent context");
                    assertThat(warnings(parent, Other.class)).isEmpty();
                });
    }

    @Test
    void listenersOfTheContextItselfCauseNone() {
        try (var heard = new Heard()) {
            Contexts.aws()
                    .withPropertyValues("batchsqs.listener.auto-startup=false")
                    .withBean(OwnHandler.class)
                    .run(context -> assertThat(context).hasNotFailed());
            assertThat(heard.lines()).noneMatch(line -> line.contains(OwnHandler.class.getName()));
        }
    }

    private static List<String> warnings(ApplicationContext parent, Class<?> bean) {
        try (var heard = new Heard();
                var child = new AnnotationConfigApplicationContext()) {
            child.setParent(parent);
            child.register(bean);
            child.refresh();
            return heard.lines();
        }
    }

    /** What the warnings' logger logs meanwhile. */
    private static final class Heard implements AutoCloseable {

        private final Logger log = (Logger) LoggerFactory.getLogger(ListenersOfChildren.class);
        private final ListAppender<ILoggingEvent> lines = new ListAppender<>();

        Heard() {
            lines.start();
            log.addAppender(lines);
        }

        List<String> lines() {
            return lines.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
        }

        @Override
        public void close() {
            log.detachAppender(lines);
        }
    }

    static class OwnHandler {
        @BatchSqsListener(queue = "orders")
        void handle(List<String> orders) {}
    }

    static class ChildHandler {
        @BatchSqsListener(queue = "orders")
        void handle(List<String> orders) {}
    }

    static class Other {}
}
