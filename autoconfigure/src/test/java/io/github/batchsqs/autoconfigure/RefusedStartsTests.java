/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.awspring.cloud.sqs.annotation.SqsListener;
import io.github.batchsqs.Acknowledgement;
import io.github.batchsqs.BatchListener;
import io.github.batchsqs.SnsNotification;
import io.github.batchsqs.annotation.BatchSqsHandler;
import io.github.batchsqs.annotation.BatchSqsListener;
import io.github.batchsqs.annotation.SnsPayload;
import io.github.batchsqs.autoconfigure.listener.ListenerDefinition;
import io.github.batchsqs.autoconfigure.options.ListenerOptionsCustomizer;
import io.github.batchsqs.autoconfigure.testkit.Contexts;
import io.github.batchsqs.autoconfigure.testkit.StartFailure;
import io.github.batchsqs.codec.JacksonPayloadCodec;
import io.github.batchsqs.codec.PayloadCodec;
import io.github.batchsqs.listener.ListenerOptions;
import io.github.batchsqs.listener.ListenerOptions.Acknowledge;
import io.github.batchsqs.listener.ListenerOptions.AcknowledgeMode;
import jakarta.validation.Valid;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.annotation.Async;
import software.amazon.awssdk.services.sqs.model.Message;
import tools.jackson.databind.json.JsonMapper;

/** What bad settings, annotations and handler methods are told at start: the thing, the rule, the value and the remedy. */
class RefusedStartsTests {

    /**
     * Starts an application that must not start.
     *
     * @param beans simple names of the nested classes that are its beans
     * @param properties its settings, separated by semicolons, or a dash
     * @param texts what the failure contains, separated by two ampersands; a name in braces is that of a nested class
     */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', emptyValue = "", textBlock = """
        # Settings of listeners, each named by its key, attribute or customizer
        Single        | batchsqs.listeners.single.batch-size=2 | batchsqs.listeners.single.batch-size must be 1, since the method takes one message. && Value: 2 && Let the method take a List, or remove the setting.
        Single        | batchsqs.listeners.single.batch-linger=200ms | batchsqs.listeners.single.batch-linger must be 0s, since the method takes one message. && Value: 200ms && Let the method take a List, or remove the setting.
        Plain         | batchsqs.listeners.orders.batch-size=10001 | batchsqs.listeners.orders.batch-size must be between 1 and 10000. && Value: 10001
        ByProperty    | my.size=10001 | @BatchSqsListener(batchSize) on {ByProperty}.handle must be between 1 and 10000. && Value: 10001
        BadValue      | -   | @BatchSqsListener(batchSize) on {BadValue} must be
        Configured    | -   | @BatchSqsListener(batchSize) on {Configured}.handle must
        Plain,Greedy  | -   | batch-size of the listener 'orders', changed by the customizer {Greedy}, must be between 1 and 10000. && Value: 20000
        Plain         | batchsqs.listener.pollers.min=64; batchsqs.listeners.orders.pollers.max=8 | batchsqs.listeners.orders.pollers.max must be at least pollers.min (64). && Value: 8
        Plain         | batchsqs.listener.concurrency=many | batchsqs.listener.concurrency must be auto, auto with a maximum such as auto:50, or a number of invocations. && Value: many
        Plain,Pool    | batchsqs.listener.executor=poll | batchsqs.listener.executor must be virtual, platform, or the name of a bean of type java.util.concurrent.Executor. && Value: poll && take one of: pool
        ByProperty    | my.linger=soon | to java.time.Duration && Value: "soon" && Origin: @BatchSqsListener(batchLinger) on {ByProperty}.handle && 'soon' is not a valid duration
        ByProperty    | my.mode=ignore | Value: "ignore" && Origin: @BatchSqsListener(acknowledgeMode) on {ByProperty}.handle && The following values are valid: && ON_SUCCESS
        ByProperty    | my.envelope=paper | Value: "paper" && Origin: @BatchSqsListener(envelope) on {ByProperty}.handle && EVENT_BRIDGE
        Placeholder   | -   | @BatchSqsListener(queue) on {Placeholder}.handle is ${my.queue}, which cannot be evaluated:  && or write a default into the placeholder
        BadExpression | -   | @BatchSqsListener(concurrency) on {BadExpression}.handle is #{nobody.size}, which cannot be evaluated
        # Keys that are no settings, and ids without a listener
        Plain         | batchsqs.colour=red | batchsqs.colour is not a setting. && Remove batchsqs.colour.
        Plain         | batchsqs.listener.wait-time= | batchsqs.listener.wait-time has no value && Give batchsqs.listener.wait-time a value, or remove it.
        Plain         | batchsqs.listeners.ordrs.concurrency=1 | batchsqs.listeners.ordrs has settings, but there is no listener with this id, and 'orders' is similar. && Action: Correct it to batchsqs.listeners.orders.
        # Queues and ids
        NoQueue       | -   | @BatchSqsListener(queue) on {NoQueue}.handle names no queue.
        ByBoth        | -   | declared on void {ByBoth}.handle(java.util.List); attribute 'queue' and its alias 'value' are declared with values of [{returns}] and [{orders}]. && Action: Name the queue once: @BatchSqsListener("orders")
        Plain,Again   | -   | @BatchSqsListener(id) on {Again}.handle must be unique and not that of {Plain}.handle. && Value: orders && Set another id for one of the two
        Twice         | -   | @BatchSqsListener(id) on {Twice}.handle must be unique
        Plain,Defined | -   | id of the bean definition must be unique and not that of {Plain}.handle. && Value: orders
        Defined       | -   | batch-size of the listener 'orders', changed by the customizer
        # Methods, and annotations beside ours
        NoPayload     | -   | The method {NoPayload}.handle(java.lang.Object) cannot be a listener: parameter 1, java.lang.Object, does not say which type the payload has. && List<T>, List<SqsMessage<T>>, MessageBatch<T>
        BadSignature  | -   | The method {BadSignature}.handle() cannot be a listener
        Async1        | -   | The listener method {Async1}.handle is annotated with @Async, itself or by its && the listener would delete the messages at once, and would not see exceptions && Action: Remove @Async from the method and its class. Invocations already run concurrently && can return a CompletableFuture, for which the listener waits
        AsyncComposed | -   | The listener method {AsyncComposed}.handle is annotated with @Async
        AsyncInherited| -   | The listener method {AsyncInherited}.handle is annotated with @Async
        AsyncClass    | -   | The listener method {AsyncClass}.handle is annotated with @Async
        AsyncHandler  | -   | The listener method {AsyncHandler}.handle is annotated with @Async
        OfTwoLibraries| -   | The listener method {OfTwoLibraries}.handle is annotated with @SqsListener as well. && Action: Remove one of the annotations, or give @SqsListener a method of its own
        Valids        | -   | {Valids}.handle && there is no Validator bean && spring-boot-starter-validation
        # Manual acknowledgement
        ByProperty    | my.mode=manual | @BatchSqsListener(acknowledgeMode) on {ByProperty}.handle must not be manual for {ByProperty}.handle: the method has no parameter with which it could acknowledge a message. && Action: Add a parameter of type io.github.batchsqs.Acknowledgement to the method, take a MessageBatch, which has one, or set acknowledge.mode to on-success for the listener 'orders'.
        Eager         | -   | batchsqs.listeners.orders.acknowledge.mode must be manual for {Eager}.handle: the method takes an Acknowledgement && on-success && Action: Set it to manual, or remove the parameter
        Plain         | batchsqs.listener.acknowledge.mode=manual | batchsqs.listener.acknowledge.mode must not be manual for {Plain}.handle
        Plain,Manual  | -   | acknowledge.mode, changed by a customizer, must not be manual for {Plain}.handle
        HalfManual    | -   | must not be manual for {HalfManual}.cancelled: the method has no parameter
        # Classes whose methods take one payload type each
        NoHandlers    | -   | The class {NoHandlers} is annotated with @BatchSqsListener, but none of its methods with @BatchSqsHandler. && Action: Annotate a method for each payload type with @BatchSqsHandler
        NoListener    | -   | The method {NoListener}.handle is annotated with @BatchSqsHandler, but its class is not annotated with @BatchSqsListener. && Action: Annotate the class with @BatchSqsListener(queue = "orders")
        BothOfOne     | -   | The method {BothOfOne}.handle is annotated with @BatchSqsHandler
        TwoDefaults   | -   | The class {TwoDefaults} has more than one default method: cancelled, placed. && Action: Leave @BatchSqsHandler(isDefault = true) on one of them.
        Events        | -   | The class {Events} has @BatchSqsHandler methods for {Cancelled}, {Placed}, and nothing says which of these types the payload of a message has. && Action: Set batchsqs.listeners.orders.payload.type-header && with Jackson's @JsonTypeInfo
        Events        | batchsqs.listener.payload.type-header=kind; batchsqs.listener.payload.types.text=java.lang.String | batchsqs.listener.payload.types must name classes that a @BatchSqsHandler method takes: {Events} has @BatchSqsHandler methods for && Value: text=java.lang.String && or one with @BatchSqsHandler(isDefault = true)
        # Payloads
        Notifications | batchsqs.listeners.orders.payload.envelope=event-bridge | batchsqs.listeners.orders.payload.envelope must be sns, since the method takes SNS notifications. && Value: EVENT_BRIDGE
        Contradiction | -   | @BatchSqsListener(envelope) on {Contradiction}.handle must be sns, since the method takes SNS notifications. && Value: NONE
        Shapes        | -   | The listener 'orders' cannot read its payloads: No body can be read as {Shape} && Cannot construct instance of
        Shapes        | batchsqs.listener.payload.type-header=kind; batchsqs.listener.payload.types.shape={Shape} | The listener 'orders' cannot read its payloads: No body can be read as {Shape} && Cannot construct instance of
        ShapesByType  | batchsqs.listener.payload.type-header=kind; batchsqs.listener.payload.types.shape={Shape} | The listener 'orders' cannot read its payloads: No body can be read as {Shape} && Cannot construct instance of
        TypedEvents   | batchsqs.listener.payload.type-header=kind; batchsqs.listener.payload.types.placed={Placed}; batchsqs.listener.payload.types.text=java.lang.String | batchsqs.listener.payload.types must name classes that are a {Event}, which the method takes. && Value: text=java.lang.String
        TypedEvents   | batchsqs.listener.payload.type-header=kind; batchsqs.listeners.orders.payload.types.placed=Placed | batchsqs.listeners.orders.payload.types must name classes on the class path. && Value: placed=Placed
        TypedEvents   | batchsqs.listener.payload.types.placed={Placed} | batchsqs.listener.payload.types needs payload.type-header.
        TypedEvents   | batchsqs.listeners.orders.payload.type-header=kind | batchsqs.listeners.orders.payload.type-header needs payload.types. && Value: kind
        # The default client, and the switch
        Plain         | spring.cloud.aws.region.static=eu central 1 | spring.cloud.aws.region.static must be the code of an AWS region && Value: eu central 1 && eu-central-1
        Plain         | spring.cloud.aws.sqs.region=eu central 1 | spring.cloud.aws.sqs.region must be the code of an AWS region && Value: eu central 1 && eu-central-1
        Plain         | batchsqs.enabled=maybe | batchsqs.enabled
        # Clients by name
        ByProperty    | batchsqs.clients.usa.region=us-west-2; my.client=us | @BatchSqsListener(client) on {ByProperty}.handle && must be default or a client of batchsqs.clients (usa) && Define the client with batchsqs.clients.us.region
        Plain         | batchsqs.clients.us.region=us-west-2; batchsqs.clients.frankfurt.region=eu-central-1; batchsqs.listeners.orders.client=frankfort | batchsqs.listeners.orders.client && (frankfurt, us) && frankfort && Write frankfurt, or define the client
        ByProperty    | my.client=us | must be default while batchsqs.clients has no client
        Plain,Mars    | batchsqs.clients.us.region=us-west-2 | changed by the customizer && mars
        Plain         | batchsqs.clients.us.region=US West | batchsqs.clients.us.region must be the code of an AWS region && Value: US West && Write a code such as eu-central-1
        Plain         | batchsqs.clients.us.endpoint=localhost:4566 | batchsqs.clients.us.endpoint must be a URL with http:// or https:// && Value: localhost:4566 && Write http://localhost:4566
        Plain         | batchsqs.clients.us.credentials.access-key=key | batchsqs.clients.us.credentials.secret-key must be set, as the client has keys of its own && Value: absent && Set access-key and secret-key, or remove both
        Plain         | batchsqs.clients.us.credentials.secret-key=hidden | batchsqs.clients.us.credentials.access-key must be set, as the client has keys of its own && Value: absent
        Plain         | batchsqs.clients.us.credentials.access-key= | batchsqs.clients.us.credentials.access-key must be set, as the client has keys of its own && Value: empty
        Plain         | batchsqs.clients.us.credentials.access-key=a; batchsqs.clients.us.credentials.secret-key=b; batchsqs.clients.us.credentials.profile=audit | batchsqs.clients.us.credentials.profile must not be set beside batchsqs.clients.us.credentials.access-key && Value: audit && Remove one of them
        Plain         | batchsqs.clients.us.credentials.role-arn=audit | batchsqs.clients.us.credentials.role-arn must be the ARN of an IAM role && Value: audit && Write an ARN such as arn:aws:iam::123456789012:role/orders
        Plain         | batchsqs.clients.default.region=eu-west-1 | batchsqs.clients.default must not exist && Value: set && Set spring.cloud.aws.* for the default client, or choose another name
        # The template, payloads in S3, and the embedded server
        Plain         | batchsqs.sender.buffer-bytes=512KB | batchsqs.sender.buffer-bytes must be between 1MB and 1024MB. && Value: 512KB
        Plain         | batchsqs.in-flight-bytes=512KB | batchsqs.in-flight-bytes must be at least 1MB. && Value: 512KB
        Plain         | batchsqs.sender.buffer-bytes=2GB | batchsqs.sender.buffer-bytes must be between 1MB and 1024MB. && Value: 2048MB
        Plain         | batchsqs.sender.default-attributes.source= | batchsqs.sender.default-attributes must be attributes that SQS takes (The attribute 'source'
        Plain         | batchsqs.s3.bucket=payloads | batchsqs.s3.bucket needs the module batchsqs-spring-boot-s3 && Value: payloads && Add io.github.batchsqs:batchsqs-spring-boot-s3, or remove the key.
        Plain         | batchsqs.embedded.queues[0].name=orders.fifo; batchsqs.embedded.queues[0].dead-letter-queue=orders-dlq | batchsqs.embedded.queues[0].dead-letter-queue must be a FIFO queue if the queue is one && orders-dlq for orders.fifo
        Plain         | batchsqs.embedded.queues=orders,bad name! | batchsqs.embedded.queues[1].name must be the name of a queue: 1 to 80 of A-Z && Value: bad name! && Action: Correct the name
        Plain         | batchsqs.embedded.queues[0].name=orders; batchsqs.embedded.queues[0].dead-letter-queue=a/b | batchsqs.embedded.queues[0].dead-letter-queue must be the name of a queue && Value: a/b
        """)
    void names(String beans, String properties, String texts) {
        assertFailure(contexts(beans, properties), Stream.of(texts.split(" && ", -1)));
    }

    /** The same of an application without Jackson, which has a codec of its own. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        TypedEvents   | batchsqs.listener.payload.envelope=event-bridge | batchsqs.listener.payload.envelope must be none without Jackson 3, which reads envelopes and is not on the class path. && Value: event-bridge && spring-boot-starter-jackson
        Notifications | - | must be none without Jackson 3, which reads envelopes and is not on the class path. && Value: sns
        ByCode        | batchsqs.listeners.orders.payload.envelope=sns | batchsqs.listeners.orders.payload.envelope must be none without Jackson 3 && Value: sns
        """)
    void namesEnvelopesWithoutJackson(String beans, String properties, String texts) {
        assertFailure(withoutJackson(beans, properties), Stream.of(texts.split(" && ", -1)));
    }

    @ParameterizedTest
    @CsvSource({"Plain, -", "Sdk, batchsqs.listener.payload.envelope=sns"})
    void nothingWithoutJacksonThatNeedsNoEnvelope(String beans, String properties) {
        withoutJackson(beans, properties).run(context -> assertThat(context).hasNotFailed());
    }

    private static ApplicationContextRunner withoutJackson(String beans, String properties) {
        return contexts(beans, properties)
                .withClassLoader(new FilteredClassLoader("tools.jackson"))
                .withBean(PayloadCodec.class, () -> new JacksonPayloadCodec(JsonMapper.shared()));
    }

    /** Keys that are no settings, and those that are meant. */
    private static final String MISSPELT = """
            batchsqs.listeners.orders.batchsiz, batchsqs.listeners.orders.batch-size
            batchsqs.listener.visibility-timeout, batchsqs.listener.visibility.timeout
            batchsqs.listener.dead-letter, batchsqs.listener.failure.dead-letter
            batchsqs.listener.failure.dead-lettr, batchsqs.listener.failure.dead-letter
            batchsqs.dead-lettre, batchsqs.listener.failure.dead-letter
            batchsqs.listeners.orders.max-extension, batchsqs.listeners.orders.visibility.max-extension
            batchsqs.batch-size, batchsqs.listener.batch-size
            batchsqs.embeded.port, batchsqs.embedded.port
            batchsqs.listener.orders.batch-size, batchsqs.listeners.orders.batch-size
            batchsqs.listener.orders.failure.dead-letter, batchsqs.listeners.orders.failure.dead-letter
            batchsqs.listeners[Orders].conurrency, batchsqs.listeners[Orders].concurrency
            batchsqs.listeners[my.orders].conurrency, batchsqs.listeners[my.orders].concurrency
            batchsqs.listeners[Orders].max-extension, batchsqs.listeners[Orders].visibility.max-extension
            """;

    @Test
    void correctsMisspeltKeys() {
        List<String[]> keys = MISSPELT.lines().map(line -> line.split(", ", -1)).toList();
        assertFailure(
                contexts("Plain", keys.stream().map(key -> key[0] + "=1").collect(Collectors.joining("; "))),
                keys.stream()
                        .flatMap(key -> Stream.of(
                                "%s is not a setting.%n%n    Value: \"1\"".formatted(key[0]),
                                "Correct " + key[0] + " to " + key[1])));
    }

    private static ApplicationContextRunner contexts(String beans, String properties) {
        return Contexts.with(RefusedStartsTests.class, beans, properties);
    }

    private static void assertFailure(ApplicationContextRunner contexts, Stream<String> texts) {
        contexts.run(context -> assertThat(StartFailure.of(context))
                .contains(texts.map(text -> Contexts.named(RefusedStartsTests.class, text))
                        .toList()));
    }

    static class Plain {
        @BatchSqsListener(queue = "orders")
        void handle(List<String> orders) {}
    }

    static class Again {
        @BatchSqsListener(queue = "orders")
        void handle(List<String> orders) {}
    }

    static class Twice {
        @BatchSqsListener(queue = "orders")
        @BatchSqsListener(queue = "orders", batchSize = "1")
        void handle(List<String> orders) {}
    }

    @Configuration(proxyBeanMethods = false)
    static class Defined {
        @Bean
        ListenerDefinition<String> definition() {
            return ListenerDefinition.of("orders", "orders", String.class, BatchListener.of(batch -> {}))
                    .with(options -> options.toBuilder().batchSize(0).build());
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class ByCode {
        @Bean
        ListenerDefinition<String> definition() {
            return ListenerDefinition.of("orders", "orders", String.class, BatchListener.of(batch -> {}));
        }
    }

    static class Single {
        @BatchSqsListener(queue = "orders", id = "single")
        void handle(String order) {}
    }

    @Configuration
    static class Configured {
        @BatchSqsListener(queue = "orders", batchSize = "0")
        void handle(List<String> orders) {}
    }

    static class ByProperty {
        @BatchSqsListener(
                queue = "orders",
                batchSize = "${my.size:}",
                batchLinger = "${my.linger:}",
                acknowledgeMode = "${my.mode:}",
                envelope = "${my.envelope:}",
                client = "${my.client:}")
        void handle(List<String> orders) {}
    }

    static class Placeholder {
        @BatchSqsListener(queue = "${my.queue}")
        void handle(List<String> orders) {}
    }

    static class BadExpression {
        @BatchSqsListener(queue = "orders", concurrency = "#{nobody.size}")
        void handle(List<String> orders) {}
    }

    static class NoQueue {
        @BatchSqsListener
        void handle(List<String> orders) {}
    }

    static class ByBoth {
        @BatchSqsListener(value = "orders", queue = "returns")
        void handle(List<String> orders) {}
    }

    static class NoPayload {
        @BatchSqsListener(queue = "orders")
        void handle(Object order) {}
    }

    static class Async1 {
        @Async
        @BatchSqsListener(queue = "orders")
        void handle(List<String> orders) {}
    }

    @Target(ElementType.METHOD)
    @Retention(RetentionPolicy.RUNTIME)
    @Async("pool")
    @interface InBackground {}

    static class AsyncComposed {
        @InBackground
        @BatchSqsListener(queue = "orders")
        void handle(List<String> orders) {}
    }

    interface Background {
        @Async
        void handle(List<String> orders);
    }

    static class AsyncInherited implements Background {
        @Override
        @BatchSqsListener(queue = "orders")
        public void handle(List<String> orders) {}
    }

    @Async
    static class AsyncClass {
        @BatchSqsListener(queue = "orders")
        void handle(List<String> orders) {}
    }

    @BatchSqsListener(queue = "orders")
    static class AsyncHandler {
        @Async
        @BatchSqsHandler
        void handle(List<Placed> events) {}
    }

    static class OfTwoLibraries {
        @SqsListener("orders")
        @BatchSqsListener(queue = "orders")
        void handle(List<String> orders) {}
    }

    static class Valids {
        @BatchSqsListener(queue = "orders")
        void handle(List<@Valid Placed> orders) {}
    }

    static class Eager {
        @BatchSqsListener(queue = "orders")
        void handle(String payload, Acknowledgement acknowledgement) {}
    }

    static class Notifications {
        @BatchSqsListener(queue = "orders")
        void handle(List<SnsNotification<String>> notifications) {}
    }

    static class Sdk {
        @BatchSqsListener(queue = "orders")
        void handle(List<Message> messages) {}
    }

    static class Contradiction {
        @BatchSqsListener(queue = "orders", envelope = "none")
        void handle(@SnsPayload List<String> notifications) {}
    }

    static class Shapes {
        @BatchSqsListener(queue = "orders")
        void handle(List<Shape> shapes) {}
    }

    static class TypedEvents {
        @BatchSqsListener(queue = "orders")
        void handle(List<Event> events) {}
    }

    interface Shape {}

    interface Event {}

    record Placed(int number) implements Event {}

    record Cancelled(int number) implements Event {}

    @BatchSqsListener(queue = "orders")
    static class ShapesByType {
        @BatchSqsHandler
        void handle(List<Shape> shapes) {}
    }

    @BatchSqsListener(queue = "orders")
    static class Events {
        @BatchSqsHandler
        void placed(List<Placed> events) {}

        @BatchSqsHandler
        void cancelled(Cancelled event) {}
    }

    @BatchSqsListener(queue = "orders", batchSize = "0")
    static class BadValue {
        @BatchSqsHandler
        void placed(List<Placed> events) {}
    }

    @BatchSqsListener(queue = "orders")
    static class NoHandlers {
        void placed(List<Placed> events) {}
    }

    static class NoListener {
        @BatchSqsHandler
        void handle(List<Placed> events) {}
    }

    static class BothOfOne {
        @BatchSqsHandler
        @BatchSqsListener(queue = "others")
        void handle(List<Placed> events) {}
    }

    @BatchSqsListener(queue = "orders")
    static class TwoDefaults {
        @BatchSqsHandler(isDefault = true)
        void placed(List<Placed> events) {}

        @BatchSqsHandler(isDefault = true)
        void cancelled(List<Cancelled> events) {}
    }

    @BatchSqsListener(queue = "orders")
    static class BadSignature {
        @BatchSqsHandler
        void handle() {}
    }

    @BatchSqsListener(queue = "orders", acknowledgeMode = "manual")
    static class HalfManual {
        @BatchSqsHandler
        void placed(List<Placed> events, Acknowledgement acknowledgement) {}

        @BatchSqsHandler
        void cancelled(List<Cancelled> events) {}
    }

    static final class Greedy implements ListenerOptionsCustomizer {
        @Override
        public ListenerOptions customize(ListenerOptions options) {
            return options.toBuilder().batchSize(20_000).build();
        }
    }

    static final class Manual implements ListenerOptionsCustomizer {
        @Override
        public ListenerOptions customize(ListenerOptions options) {
            var manual = new Acknowledge(
                    AcknowledgeMode.MANUAL, options.acknowledge().linger());
            return options.toBuilder().acknowledge(manual).build();
        }
    }

    static final class Mars implements ListenerOptionsCustomizer {
        @Override
        public ListenerOptions customize(ListenerOptions options) {
            return options.toBuilder().client("mars").build();
        }
    }

    static final class Pool implements Executor {
        @Override
        public void execute(Runnable task) {
            task.run();
        }
    }
}
