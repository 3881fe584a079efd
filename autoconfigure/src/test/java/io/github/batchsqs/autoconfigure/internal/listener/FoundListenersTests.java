/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.listener;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.github.batchsqs.Acknowledgement;
import io.github.batchsqs.BatchListener;
import io.github.batchsqs.MessageBatch;
import io.github.batchsqs.SnsNotification;
import io.github.batchsqs.annotation.BatchSqsHandler;
import io.github.batchsqs.annotation.BatchSqsListener;
import io.github.batchsqs.autoconfigure.listener.ListenerDefinition;
import io.github.batchsqs.autoconfigure.testkit.Contexts;
import io.github.batchsqs.receive.ListenerContainers;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.AliasFor;
import org.springframework.samples.visits.Visits;
import org.springframework.scheduling.annotation.Async;
import software.amazon.awssdk.services.sqs.model.Message;

/** The listeners that the annotations of methods and classes make. */
class FoundListenersTests {

    private static final String TYPES = "batchsqs.listener.payload.type-header=kind; "
            + "batchsqs.listener.payload.types.placed={Placed}; batchsqs.listener.payload.types.cancelled={Cancelled}";

    /**
     * Starts an application with a bean.
     *
     * @param settings its settings; "types" stands for a payload type by the attribute "kind"
     * @param listeners the ids of its listeners with their batch sizes
     */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        # Methods: repeated, composed and overridden annotations, other annotations of the class, proxies and generic beans
        Repeated        | -     | express 10, orders 20, orders-more 20, returns 10
        Composed        | -     | eu 500, us 7
        Both            | -     | eu 10, us 10
        Overriding      | -     | special 10
        AsyncNeighbour  | -     | orders 10
        ByValue         | -     | orders 10
        ByUrl           | -     | orders-fifo 10, returns 10
        GenericBeans    | -     | orders 10
        Single          | batchsqs.listener.batch-size=100 | orders 1
        Acknowledging   | batchsqs.listener.acknowledge.mode=manual | batches 10, code 10, lists 10, singles 1
        # Classes: repeated, composed and inherited annotations, and how the type of a payload is known
        RepeatedClass   | types | eu-events 10, express 5, us-events 10
        ComposedClass   | -     | composed 50
        Inheriting      | types | events 10
        Singles         | types | events 1
        Events          | types | events 10
        Shapes          | -     | shapes 10
        Alone           | -     | events 10
        WithDefault     | types; batchsqs.listener.payload.types.text=java.lang.Integer | events 10
        # Settings of all listeners that do not concern what the method takes
        Notifications   | batchsqs.listener.payload.envelope=event-bridge | orders 10
        Notifications   | batchsqs.listeners.orders.payload.envelope=sns | orders 10
        Notifications   | batchsqs.listener.payload.type-header=kind | orders 10
        Sdk             | types | orders 10
        """)
    void areThoseOfTheAnnotations(String bean, String settings, String listeners) {
        assertListeners(bean, settings.replace("types;", TYPES + ";").replaceFirst("^types$", TYPES), listeners);
    }

    @Test
    void haveTheirPlaceInComponentsOfTheApplicationInPackagesOfSpring() {
        Contexts.aws()
                .withBean(Visits.class)
                .withPropertyValues("batchsqs.listener.auto-startup=false")
                .run(context -> assertThat(
                                context.getBean(ListenerContainers.class).find("visits"))
                        .isPresent());
    }

    private static void assertListeners(String bean, String settings, String listeners) {
        Contexts.with(FoundListenersTests.class, bean, settings)
                .run(context -> assertThat(context.getBean(ListenerContainers.class).all().stream()
                                .map(each -> each.options().id() + " "
                                        + each.options().batchSize())
                                .collect(Collectors.joining(", ")))
                        .isEqualTo(listeners));
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
    @interface Bulk {
        @AliasFor(annotation = BatchSqsListener.class)
        String[] queue();

        @AliasFor(annotation = BatchSqsListener.class, attribute = "id")
        String name();
    }

    @Target(ElementType.METHOD)
    @Retention(RetentionPolicy.RUNTIME)
    @BatchSqsListener(batchSize = "7", queue = "us")
    @interface Us {}

    static class Composed {
        @Bulk(queue = "orders", name = "eu")
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

    static class ByValue {
        @BatchSqsListener("orders")
        void handle(List<String> orders) {}
    }

    static class ByUrl {
        @BatchSqsListener(
                queue = {
                    "https://sqs.eu-central-1.amazonaws.com/123456789012/orders.fifo",
                    "arn:aws:sqs:eu-central-1:123456789012:returns"
                })
        void handle(List<String> orders) {}
    }

    static class Any<T> {
        @BatchSqsListener(queue = "orders")
        void handle(List<T> payloads) {}
    }

    @Configuration(proxyBeanMethods = false)
    static class GenericBeans {
        @Bean
        Any<Placed> any() {
            return new Any<>();
        }
    }

    static class Notifications {
        @BatchSqsListener(queue = "orders")
        void handle(List<SnsNotification<String>> notifications) {}
    }

    static class Sdk {
        @BatchSqsListener(queue = "orders")
        void handle(List<Message> messages) {}
    }

    static class Single {
        @BatchSqsListener(queue = "orders")
        void handle(String order) {}
    }

    @Configuration(proxyBeanMethods = false)
    static class Acknowledging {
        @BatchSqsListener(queue = "batches")
        void batch(MessageBatch<String> orders) {}

        @BatchSqsListener(queue = "lists")
        void list(List<String> orders, Acknowledgement acknowledgement) {}

        @BatchSqsListener(queue = "singles")
        void single(Acknowledgement acknowledgement, String order) {}

        @Bean
        ListenerDefinition<String> code() {
            return ListenerDefinition.of("code", "code", String.class, BatchListener.of(batch -> {}));
        }
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
    static class RepeatedClass {
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
    static class ComposedClass {
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
