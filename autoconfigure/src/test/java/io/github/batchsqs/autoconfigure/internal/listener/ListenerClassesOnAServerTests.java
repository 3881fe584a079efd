/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.listener;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.github.batchsqs.ReceivedMessage;
import io.github.batchsqs.annotation.BatchSqsHandler;
import io.github.batchsqs.annotation.BatchSqsListener;
import io.github.batchsqs.autoconfigure.testkit.Contexts;
import io.github.batchsqs.autoconfigure.testkit.Queues;
import io.github.batchsqs.listener.ErrorHook;
import io.github.batchsqs.receive.ListenerContainers;
import io.github.batchsqs.send.BatchSqsOperations;
import io.github.batchsqs.send.OutgoingMessage;
import io.github.batchsqs.testkit.Progress;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.validation.autoconfigure.ValidationAutoConfiguration;
import org.springframework.context.ApplicationContext;

/** Classes whose methods take one payload type each, with messages that went through a real server: the embedded one. */
class ListenerClassesOnAServerTests {

    private final Collection<String> failures = new LinkedBlockingQueue<>();

    private final ApplicationContextRunner contexts = Contexts.embedded()
            .withConfiguration(AutoConfigurations.of(ValidationAutoConfiguration.class))
            .withBean(ErrorHook.class, () -> this::failed)
            .withPropertyValues(
                    "batchsqs.listener.wait-time=1s",
                    "batchsqs.embedded.queues[0].name=events",
                    "batchsqs.embedded.queues[0].dead-letter-queue=dead",
                    "batchsqs.embedded.queues[1].name=events.fifo",
                    "batchsqs.embedded.queues[1].dead-letter-queue=dead.fifo",
                    "batchsqs.listener.batch-size=10",
                    "batchsqs.listener.failure.backoff.initial=1ms",
                    "batchsqs.listener.failure.backoff.max=1ms");

    private final ApplicationContextRunner typed = contexts.withPropertyValues(
            "batchsqs.listener.payload.type-header=kind",
            "batchsqs.listener.payload.types.placed=" + Placed.class.getName(),
            "batchsqs.listener.payload.types.cancelled=" + Cancelled.class.getName());

    private void failed(String queue, ReceivedMessage message, Throwable cause) {
        failures.add(String.valueOf(cause.getMessage()));
    }

    @Test
    void aBatchOfAGroupIsDividedInOrder() {
        var handler = new Orders();
        typed.withBean(Orders.class, () -> handler)
                .withPropertyValues("batchsqs.listeners.events-fifo.auto-startup=false")
                .run(context -> {
                    send(
                            context,
                            placed("events.fifo", 1),
                            placed("events.fifo", 2),
                            cancelled("events.fifo", 3),
                            placed("events.fifo", 4));
                    context.getBean(ListenerContainers.class).get("events-fifo").start();
                    Progress.until(() -> handler.numbers.get() == 4);
                    Queues.awaitEmpty(context, "events.fifo");

                    assertThat(handler.calls).containsExactly("placed [1, 2]", "cancelled 3", "placed [4]");
                });
    }

    @Test
    void aMessageOfAnUnknownTypeGoesToTheDeadLetterQueueWithoutADefault() {
        var handler = new Orders();
        typed.withBean(Orders.class, () -> handler).run(context -> {
            send(
                    context,
                    placed("events", 1),
                    of("events", "{\"number\":2}", "returned"),
                    OutgoingMessage.of("events", "{\"number\":3}"));
            Progress.until(
                    () -> handler.numbers.get() == 1 && Queues.of(context).size("dead") == 2);
            Queues.awaitEmpty(context, "events");

            assertThat(failures)
                    .anySatisfy(failure -> assertThat(failure)
                            .isEqualTo("The body cannot be read as a payload of " + Orders.class.getName()
                                    + ": the message's attribute kind must be one of"
                                    + " those in payload.types: cancelled, placed; "
                                    + Orders.class.getName() + " has @BatchSqsHandler methods for "
                                    + Cancelled.class.getName() + ", " + Placed.class.getName()
                                    + ". A method with @BatchSqsHandler(isDefault = true) would take such"
                                    + " messages"))
                    .anySatisfy(failure ->
                            assertThat(failure).contains("the message has no attribute kind (payload.type-header)"));
        });
    }

    @Test
    void jacksonDecidesWhereTheTypesHaveACommonSupertype() {
        var handler = new Shapes();
        contexts.withBean(Shapes.class, () -> handler).run(context -> {
            send(
                    context,
                    OutgoingMessage.of("events", "{\"@type\":\"Circle\",\"size\":1}"),
                    OutgoingMessage.of("events", new Square(2)),
                    OutgoingMessage.of("events", new Triangle(3)),
                    OutgoingMessage.of("events", "{\"@type\":\"Hexagon\",\"size\":4}"));
            Progress.until(() -> handler.seen.size() == 2 && Queues.of(context).size("dead") == 2);
            Queues.awaitEmpty(context, "events");

            assertThat(handler.seen).containsExactlyInAnyOrder("circles [Circle[size=1]]", "square Square[size=2]");
            assertThat(failures)
                    .anySatisfy(failure -> assertThat(failure)
                            .isEqualTo("The payload is a " + Triangle.class.getTypeName() + ", and "
                                    + Shapes.class.getName() + " has @BatchSqsHandler methods for "
                                    + Circle.class.getTypeName() + ", " + Square.class.getTypeName()
                                    + " alone; add a method for it, or one with @BatchSqsHandler(isDefault = true) that takes a"
                                    + " supertype"));
        });
    }

    private static OutgoingMessage placed(String queue, int number) {
        return of(queue, "{\"number\":" + number + "}", "placed");
    }

    private static OutgoingMessage cancelled(String queue, int number) {
        return of(queue, "{\"number\":" + number + "}", "cancelled");
    }

    private static OutgoingMessage of(String queue, String body, String kind) {
        return OutgoingMessage.builder(queue, body)
                .attribute("kind", kind)
                .groupId(queue.endsWith(".fifo") ? "group" : null)
                .build();
    }

    private static void send(ApplicationContext context, OutgoingMessage... messages) throws InterruptedException {
        assertThat(context.getBean(BatchSqsOperations.class)
                        .sendAll(Arrays.asList(messages))
                        .failed())
                .isEmpty();
    }

    record Placed(int number) {}

    record Cancelled(int number) {}

    @JsonTypeInfo(use = JsonTypeInfo.Id.SIMPLE_NAME)
    sealed interface Shape permits Circle, Square, Triangle {}

    record Circle(int size) implements Shape {}

    record Square(int size) implements Shape {}

    record Triangle(int size) implements Shape {}

    @BatchSqsListener(queue = {"events", "events.fifo"})
    static class Orders {
        final Collection<String> calls = new LinkedBlockingQueue<>();
        final AtomicInteger numbers = new AtomicInteger();

        @BatchSqsHandler
        void placed(List<Placed> events) {
            calls.add("placed " + events.stream().map(Placed::number).toList());
            numbers.addAndGet(events.size());
        }

        @BatchSqsHandler
        void cancelled(Cancelled event) {
            calls.add("cancelled " + event.number());
            numbers.incrementAndGet();
        }
    }

    @BatchSqsListener(queue = "events")
    static class Shapes {
        final Collection<String> seen = new LinkedBlockingQueue<>();

        @BatchSqsHandler
        void circles(List<Circle> circles) {
            seen.add("circles " + circles);
        }

        @BatchSqsHandler
        void square(Square square) {
            seen.add("square " + square);
        }
    }
}
