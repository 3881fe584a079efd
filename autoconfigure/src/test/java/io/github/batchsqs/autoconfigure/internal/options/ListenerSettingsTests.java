/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.options;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.Acknowledgement;
import io.github.batchsqs.Backoff;
import io.github.batchsqs.annotation.BatchSqsListener;
import io.github.batchsqs.autoconfigure.options.ListenerOptionsCustomizer;
import io.github.batchsqs.autoconfigure.testkit.Contexts;
import io.github.batchsqs.autoconfigure.testkit.Heard;
import io.github.batchsqs.autoconfigure.testkit.StartFailure;
import io.github.batchsqs.listener.ListenerOptions;
import io.github.batchsqs.listener.ListenerOptions.Acknowledge;
import io.github.batchsqs.listener.ListenerOptions.AcknowledgeMode;
import io.github.batchsqs.listener.ListenerOptions.Failure;
import io.github.batchsqs.listener.ListenerOptions.FifoGrouping;
import io.github.batchsqs.listener.ListenerOptions.FifoRetry;
import io.github.batchsqs.listener.ListenerOptions.InvocationExecutor;
import io.github.batchsqs.listener.ListenerOptions.Pollers;
import io.github.batchsqs.listener.ListenerOptions.QueueNotFound;
import io.github.batchsqs.listener.ListenerOptions.Visibility;
import io.github.batchsqs.receive.ListenerContainers;
import java.io.IOException;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.test.context.ConfigDataApplicationContextInitializer;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.AliasFor;

class ListenerSettingsTests {

    private final ApplicationContextRunner contexts =
            Contexts.aws().withPropertyValues("batchsqs.listener.auto-startup=false");

    @Test
    void withoutSettingsAListenerHasTheDefaults() {
        contexts.withBean(Plain.class)
                .run(context -> assertThat(options(context, "orders"))
                        .isEqualTo(ListenerOptions.builder("orders", "orders").build()));
    }

    @Test
    void everySettingReachesTheOptions() {
        contexts.withBean(Manual.class)
                .withBean("pool", Executor.class, () -> Runnable::run)
                .withPropertyValues(
                        "batchsqs.listener.batch-size=100",
                        "batchsqs.listener.batch-linger=200ms",
                        "batchsqs.listener.concurrency=auto:90",
                        "batchsqs.listener.pollers.min=2",
                        "batchsqs.listener.pollers.max=9",
                        "batchsqs.listener.pollers.min-interval=30ms",
                        "batchsqs.listener.wait-time=10s",
                        "batchsqs.listener.prefetch=7",
                        "batchsqs.listener.visibility.timeout=40s",
                        "batchsqs.listener.visibility.max-extension=2h",
                        "batchsqs.listener.acknowledge.mode=manual",
                        "batchsqs.listener.acknowledge.linger=20ms",
                        "batchsqs.listener.failure.backoff.initial=2s",
                        "batchsqs.listener.failure.backoff.max=10m",
                        "batchsqs.listener.failure.retry-individually=true",
                        "batchsqs.listener.failure.non-retryable=java.io.IOException,java.lang.Error",
                        "batchsqs.listener.failure.dead-letter=graveyard",
                        "batchsqs.listener.rate-limit=12.5",
                        "batchsqs.listener.fifo.batch-grouping=mixed",
                        "batchsqs.listener.fifo.retry=queue",
                        "batchsqs.listener.executor=pool",
                        "batchsqs.listener.client=eu",
                        "batchsqs.clients.eu.region=eu-west-1",
                        "batchsqs.listener.queue-not-found=create",
                        "batchsqs.listener.shutdown-timeout=5s")
                .run(context -> assertThat(options(context, "orders"))
                        .isEqualTo(ListenerOptions.builder("orders", "orders")
                                .batchSize(100)
                                .batchLinger(Duration.ofMillis(200))
                                .concurrency(ListenerOptions.AUTO_CONCURRENCY)
                                .concurrencyMax(90)
                                .pollers(new Pollers(2, 9, Duration.ofMillis(30)))
                                .waitTime(Duration.ofSeconds(10))
                                .prefetch(7)
                                .visibility(new Visibility(Duration.ofSeconds(40), Duration.ofHours(2)))
                                .acknowledge(new Acknowledge(AcknowledgeMode.MANUAL, Duration.ofMillis(20)))
                                .failure(new Failure(
                                        Backoff.exponential(Duration.ofSeconds(2), Duration.ofMinutes(10)),
                                        true,
                                        List.of(IOException.class, Error.class),
                                        "graveyard"))
                                .rateLimit(12.5)
                                .fifoGrouping(FifoGrouping.MIXED)
                                .fifoRetry(FifoRetry.QUEUE)
                                .executor(new InvocationExecutor.Custom(context.getBean("pool", Executor.class)))
                                .client("eu")
                                .queueNotFound(QueueNotFound.CREATE)
                                .shutdownTimeout(Duration.ofSeconds(5))
                                .build()));
    }

    @Test
    void theAnnotationStandsBetweenTheDefaultsAndTheSettingsOfTheListener() {
        contexts.withBean(Annotated.class)
                .withPropertyValues(
                        "batchsqs.listener.batch-size=1",
                        "batchsqs.listener.concurrency=2",
                        "batchsqs.listener.prefetch=3",
                        "batchsqs.listeners.my-orders.concurrency=5")
                .run(context -> assertThat(options(context, "my-orders"))
                        .returns(20, ListenerOptions::batchSize)
                        .returns(5, ListenerOptions::concurrency)
                        .returns(3, ListenerOptions::prefetch));
    }

    @Test
    void customizersComeLast() {
        contexts.withBean(Annotated.class)
                .withBean(
                        ListenerOptionsCustomizer.class,
                        () -> options -> options.toBuilder()
                                .concurrency(options.concurrency() + 1)
                                .build())
                .withPropertyValues("batchsqs.listeners.my-orders.concurrency=5")
                .run(context ->
                        assertThat(options(context, "my-orders").concurrency()).isEqualTo(6));
    }

    @Test
    void idsAreComparedAsBootComparesKeys() {
        contexts.withBean(Annotated.class)
                .withPropertyValues("batchsqs.listeners.MYORDERS.concurrency=5")
                .run(context ->
                        assertThat(options(context, "my-orders").concurrency()).isEqualTo(5));
    }

    @Test
    void placeholdersAndExpressionsAreResolved() {
        contexts.withBean(Expressions.class)
                .withPropertyValues("my.queue=payments.fifo", "my.size=30")
                .run(context -> assertThat(options(context, "payments-fifo"))
                        .returns("payments.fifo", ListenerOptions::queue)
                        .returns(30, ListenerOptions::batchSize)
                        .returns(6, ListenerOptions::concurrency));
    }

    @Test
    void eachQueueHasItsContainer() {
        contexts.withBean(Several.class)
                .withPropertyValues(
                        "batchsqs.listeners.intake.concurrency=3",
                        "batchsqs.listeners.intake-returns.concurrency=4",
                        "more=rare,odd")
                .run(context -> {
                    var containers = context.getBean(ListenerContainers.class);
                    assertThat(containers.all())
                            .extracting(each -> each.options().id())
                            .containsExactly("intake", "intake-odd", "intake-rare", "intake-returns");
                    assertThat(options(context, "intake").queue()).isEqualTo("orders");
                    assertThat(options(context, "intake-rare").concurrency()).isEqualTo(3);
                    assertThat(options(context, "intake-returns").concurrency()).isEqualTo(4);
                });
    }

    @Test
    void withoutAnIdEachContainerHasTheNameOfItsQueue() {
        contexts.withBean(ByUrl.class)
                .run(context -> assertThat(
                                context.getBean(ListenerContainers.class).all())
                        .extracting(each -> each.options().id())
                        .containsExactly("orders-fifo", "returns"));
    }

    @Test
    void metaAnnotationsWork() {
        contexts.withBean(Meta.class)
                .run(context -> assertThat(options(context, "by-meta"))
                        .returns("orders", ListenerOptions::queue)
                        .returns(500, ListenerOptions::batchSize));
    }

    @Test
    void aMethodForOneMessageHasBatchesOfOneWhateverTheDefaultIs() {
        contexts.withBean(Single.class)
                .withPropertyValues("batchsqs.listener.batch-size=100")
                .run(context ->
                        assertThat(options(context, "single").batchSize()).isOne());
    }

    @Test
    void aBatchSizeForAMethodForOneMessageIsRefused() {
        assertFailure(
                contexts.withBean(Single.class).withPropertyValues("batchsqs.listeners.single.batch-size=2"),
                "batchsqs.listeners.single.batch-size must be 1, since the method takes one message.",
                "Value: 2",
                "Let the method take a List, or remove the setting.");
    }

    @Test
    void aDefaultThatBreaksItsRuleIsNamedByItsKey() {
        assertFailure(
                contexts.withBean(Plain.class).withPropertyValues("batchsqs.listener.batch-size=0"),
                "batchsqs.listener.batch-size must be between 1 and 10000.",
                "Value: 0",
                "Set a value in that range.");
    }

    @Test
    void aSettingOfAListenerThatBreaksItsRuleIsNamedByItsKey() {
        assertFailure(
                contexts.withBean(Plain.class).withPropertyValues("batchsqs.listeners.orders.batch-size=10001"),
                "batchsqs.listeners.orders.batch-size must be between 1 and 10000.",
                "Value: 10001");
    }

    @Test
    void anAttributeThatBreaksItsRuleIsNamedWithItsMethod() {
        assertFailure(
                contexts.withBean(TooLarge.class),
                "@BatchSqsListener(batchSize) on " + TooLarge.class.getName() + ".handle must be between 1 and 10000.",
                "Value: 10001");
    }

    @Test
    void aSettingThatContradictsAnotherIsNamed() {
        assertFailure(
                contexts.withBean(Plain.class)
                        .withPropertyValues(
                                "batchsqs.listener.pollers.min=64", "batchsqs.listeners.orders.pollers.max=8"),
                "batchsqs.listeners.orders.pollers.max must be at least pollers.min (64).",
                "Value: 8");
    }

    @Test
    void aBackoffThatBreaksItsRuleIsNamed() {
        assertFailure(
                contexts.withBean(Plain.class)
                        .withPropertyValues("batchsqs.listeners.orders.failure.backoff.initial=0s"),
                "batchsqs.listeners.orders.failure.backoff.initial must be positive.",
                "Value: 0");
    }

    @Test
    void aCustomizerThatBreaksARuleIsNamed() {
        assertFailure(
                contexts.withBean(Plain.class).withBean(ListenerOptionsCustomizer.class, () -> new Greedy()),
                "batch-size of the listener 'orders', changed by the customizer " + Greedy.class.getName()
                        + ", must be between 1 and 10000.",
                "Value: 20000");
    }

    @Test
    void aDurationInTheAnnotationThatIsNoneIsNamed() {
        contexts.withBean(NoDuration.class)
                .run(context -> assertThat(StartFailure.of(context))
                        .contains(
                                "@BatchSqsListener(batchLinger) on " + NoDuration.class.getName()
                                        + ".handle must be a Duration.",
                                "Value: soon",
                                "Correct the attribute, or remove it.")
                        .doesNotContain("Origin"));
    }

    @Test
    void aWordInTheAnnotationThatIsNoneIsNamed() {
        assertFailure(
                contexts.withBean(NoWord.class),
                "@BatchSqsListener(acknowledgeMode) on " + NoWord.class.getName()
                        + ".handle must be one of on-success,manual,always.",
                "Value: ignore");
    }

    @Test
    void aPlaceholderWithoutAValueIsNamed() {
        assertFailure(
                contexts.withBean(Expressions.class).withPropertyValues("my.size=1"),
                "@BatchSqsListener(queue) on " + Expressions.class.getName()
                        + ".handle is ${my.queue}, which cannot be evaluated: ",
                "or write a default into the placeholder");
    }

    @Test
    void anExpressionThatCannotBeEvaluatedIsNamed() {
        assertFailure(
                contexts.withBean(BadExpression.class),
                "@BatchSqsListener(concurrency) on " + BadExpression.class.getName()
                        + ".handle is #{nobody.size}, which cannot be evaluated");
    }

    @Test
    void noQueueIsRefused() {
        assertFailure(
                contexts.withBean(NoQueue.class),
                "@BatchSqsListener(queue) on " + NoQueue.class.getName() + ".handle names no queue.");
    }

    @Test
    void valueIsAnAliasOfQueue() {
        contexts.withBean(ByValue.class)
                .run(context -> assertThat(options(context, "orders").queue()).isEqualTo("orders"));
    }

    @Test
    void queueAndValueThatDifferAreRefused() {
        assertFailure(
                contexts.withBean(ByBoth.class),
                "declared on void " + ByBoth.class.getName()
                        + ".handle(java.util.List); attribute 'queue' and its alias 'value'"
                        + " are declared with values of [{returns}] and [{orders}].",
                "Action: Name the queue once: @BatchSqsListener(\"orders\")");
    }

    @Test
    void twoListenersWithOneIdAreRefused() {
        assertFailure(
                contexts.withBean(Plain.class).withBean("again", Again.class),
                "@BatchSqsListener(id) on " + Again.class.getName() + ".handle must be unique and not that of "
                        + Plain.class.getName() + ".handle.",
                "Value: orders",
                "Set another id for one of the two");
    }

    /** K5: a warning was all, and the listener ran with its defaults. */
    @Test
    void settingsOfAnIdThatIsNearlyThatOfAListenerEndTheStart() {
        assertFailure(
                contexts.withBean(Plain.class).withPropertyValues("batchsqs.listeners.ordrs.concurrency=1"),
                "batchsqs.listeners.ordrs has settings, but there is no listener with this id, and 'orders' is similar.",
                "Action: Correct it to batchsqs.listeners.orders.");
    }

    @Test
    void settingsOfASimilarIdAreLeftAloneIfTheListenerHasItsOwn() {
        contexts.withBean(Plain.class)
                .withPropertyValues("batchsqs.listeners.ordrs.concurrency=1", "batchsqs.listeners.orders.concurrency=2")
                .run(context ->
                        assertThat(options(context, "orders").concurrency()).isEqualTo(2));
    }

    @Test
    void settingsOfAbsentListenersCauseOneWarningWithTheIds() {
        try (var heard = new Heard(ListenerOptionsSource.class)) {
            contexts.withBean(Plain.class)
                    .withPropertyValues("batchsqs.listeners.eu.concurrency=1")
                    .run(context -> assertThat(context).hasNotFailed());
            contexts.withPropertyValues("batchsqs.listeners.eu.concurrency=1")
                    .run(context -> assertThat(context).hasNotFailed());
            assertThat(heard.lines("has settings for eu"))
                    .containsExactly(
                            "batchsqs.listeners has settings for eu, but no listener has such an id; the ids are: orders."
                                    + " Correct a misspelt id. Otherwise the settings apply to listeners that are created"
                                    + " later.",
                            "batchsqs.listeners has settings for eu, but this application context has no listener."
                                    + " Correct a misspelt id. Otherwise the settings apply to listeners that are created"
                                    + " later.");
        }
    }

    @Test
    void settingsOfAbsentListenersAreNormalInASlice() {
        contexts.withBean(Plain.class)
                .withPropertyValues(
                        "batchsqs.listeners.ordrs.concurrency=1", "spring.boot.enableautoconfiguration=false")
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void aMisspeltSettingIsRefused() {
        assertFailure(
                contexts.withBean(Plain.class).withPropertyValues("batchsqs.listeners.orders.batchsiz=1"),
                "batchsqs.listeners.orders.batchsiz is not a setting.",
                "Value: \"1\"",
                "Correct batchsqs.listeners.orders.batchsiz to batchsqs.listeners.orders.batch-size, or remove it.");
        assertFailure(
                contexts.withBean(Plain.class).withPropertyValues("batchsqs.listener.visibility-timeout=30s"),
                "batchsqs.listener.visibility-timeout is not a setting.",
                "Correct batchsqs.listener.visibility-timeout to batchsqs.listener.visibility.timeout, or remove it.");
    }

    @ParameterizedTest
    @CsvSource({
        "batchsqs.listener.dead-letter, batchsqs.listener.failure.dead-letter",
        "batchsqs.dead-lettre, batchsqs.listener.failure.dead-letter",
        "batchsqs.listeners.orders.max-extension, batchsqs.listeners.orders.visibility.max-extension",
        "batchsqs.batch-size, batchsqs.listener.batch-size",
        "batchsqs.listener.orders.batch-size, batchsqs.listeners.orders.batch-size",
        "batchsqs.listener.orders.failure.dead-letter, batchsqs.listeners.orders.failure.dead-letter",
    })
    void aSettingInTheWrongGroupIsRefusedWithItsPlace(String key, String place) {
        assertFailure(
                contexts.withBean(Plain.class).withPropertyValues(key + "=1"),
                key + " is not a setting.",
                "Correct " + key + " to " + place + ", or remove it.");
    }

    @ParameterizedTest
    @CsvSource({
        "batchsqs.listeners[Orders].conurrency, batchsqs.listeners[Orders].concurrency",
        "batchsqs.listeners[my.orders].conurrency, batchsqs.listeners[my.orders].concurrency",
        "batchsqs.listeners[Orders].max-extension, batchsqs.listeners[Orders].visibility.max-extension",
    })
    void aMisspeltSettingOfAnIdInBracketsIsRefusedWithTheIdAsItIsWritten(String key, String place) {
        assertFailure(
                contexts.withBean(Plain.class).withPropertyValues(key + "=3"),
                key + " is not a setting.",
                "Correct " + key + " to " + place + ", or remove it.");
    }

    @Test
    void aMisspeltSettingIsRefusedWithItsFileAndLine(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("application.yaml"), """
            batchsqs:
              listener:
                visibility-timeout: 30s
            """);
        assertFailure(
                contexts.withBean(Plain.class)
                        .withInitializer(new ConfigDataApplicationContextInitializer())
                        .withPropertyValues("spring.config.additional-location=" + file.toUri()),
                "batchsqs.listener.visibility-timeout is not a setting.",
                "Origin: URL [file:" + file + "] - 3:25",
                "Correct batchsqs.listener.visibility-timeout to batchsqs.listener.visibility.timeout, or remove it.");
    }

    @Test
    void aSettingThatNothingResemblesIsRefused() {
        assertFailure(
                contexts.withBean(Plain.class).withPropertyValues("batchsqs.colour=red"),
                "batchsqs.colour is not a setting.",
                "Remove batchsqs.colour.");
    }

    @Test
    void aSettingWithoutAValueIsRefused() {
        assertFailure(
                contexts.withBean(Plain.class).withPropertyValues("batchsqs.listener.wait-time="),
                "batchsqs.listener.wait-time has no value",
                "Give batchsqs.listener.wait-time a value, or remove it.");
    }

    @Test
    void anExecutorThatIsNotThereIsNamed() {
        assertFailure(
                contexts.withBean(Plain.class)
                        .withBean("pool", Executor.class, () -> Runnable::run)
                        .withPropertyValues("batchsqs.listener.executor=poll"),
                "batchsqs.listener.executor must be virtual, platform, or the name of a bean of type"
                        + " java.util.concurrent.Executor.",
                "Value: poll",
                "take one of: pool");
    }

    @Test
    void aPrefetchThatIsNeitherAutoNorANumberIsNamed() {
        assertFailure(
                contexts.withBean(Plain.class).withPropertyValues("batchsqs.listener.prefetch=many"),
                "batchsqs.listener.prefetch must be auto, or a number of messages.",
                "Value: many");
    }

    @Test
    void aConcurrencyThatIsNeitherAutoNorANumberIsNamed() {
        assertFailure(
                contexts.withBean(Plain.class).withPropertyValues("batchsqs.listener.concurrency=many"),
                "batchsqs.listener.concurrency must be auto, auto with a maximum such as auto:50, or a number of invocations.",
                "Value: many");
        assertFailure(
                contexts.withBean(Plain.class).withPropertyValues("batchsqs.listener.concurrency=-1"),
                "batchsqs.listener.concurrency must be auto, auto with a maximum such as auto:50, or a number of invocations.",
                "Value: -1");
        assertFailure(
                contexts.withBean(Plain.class).withPropertyValues("batchsqs.listener.concurrency=0"),
                "batchsqs.listener.concurrency must be at least 1.",
                "Value: 0");
        assertFailure(
                contexts.withBean(Plain.class).withPropertyValues("batchsqs.listener.concurrency=auto:0"),
                "batchsqs.listener.concurrency must have a maximum of at least 1 with auto.",
                "Value: auto:0");
    }

    @Test
    void anAutomaticConcurrencyReachesTheOptions() {
        contexts.withBean(Automatic.class)
                .withPropertyValues("batchsqs.listener.concurrency=3", "batchsqs.listeners.returns.concurrency=Auto")
                .run(context -> {
                    assertThat(options(context, "orders"))
                            .returns(ListenerOptions.AUTO_CONCURRENCY, ListenerOptions::concurrency)
                            .returns(50, ListenerOptions::concurrencyMax);
                    assertThat(options(context, "returns"))
                            .returns(ListenerOptions.AUTO_CONCURRENCY, ListenerOptions::concurrency)
                            .returns(200, ListenerOptions::concurrencyMax);
                    assertThat(context.getBean(ListenerOptionsSource.class)
                                    .report()
                                    .of(context.getBean(ListenerContainers.class)
                                            .get("orders")))
                            .hasEntrySatisfying(
                                    "concurrency",
                                    setting -> assertThat(setting.value()).isEqualTo("auto:50"));
                });
    }

    @Test
    void exceptionsThatAreNoneAreNamed() {
        assertFailure(
                contexts.withBean(Plain.class)
                        .withPropertyValues("batchsqs.listener.failure.non-retryable=java.lang.String"),
                "batchsqs.listener.failure.non-retryable must name exceptions on the class path.",
                "Value: java.lang.String");
        assertFailure(
                contexts.withBean(Plain.class)
                        .withPropertyValues("batchsqs.listener.failure.non-retryable=IOException"),
                "batchsqs.listener.failure.non-retryable must name exceptions on the class path.",
                "Value: IOException");
    }

    @Test
    void anUnsupportedSignatureIsRefused() {
        assertFailure(
                contexts.withBean(NoPayload.class),
                "The method " + NoPayload.class.getName()
                        + ".handle(java.lang.Object) cannot be a listener: parameter 1,"
                        + " java.lang.Object, does not say which type the payload has.",
                "List<T>, List<SqsMessage<T>>, MessageBatch<T>");
    }

    @Test
    void listenersAreThereUnderLazyInitializationToo() {
        contexts.withBean(Plain.class)
                .withInitializer(context ->
                        context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()))
                .run(context -> assertThat(options(context, "orders").queue()).isEqualTo("orders"));
    }

    @Test
    void listenersInConfigurationClassesAreNamedWithoutTheirProxy() {
        assertFailure(
                contexts.withUserConfiguration(Configured.class),
                "@BatchSqsListener(batchSize) on " + Configured.class.getName() + ".handle must");
    }

    private static void assertFailure(ApplicationContextRunner contexts, String... texts) {
        contexts.run(context -> assertThat(StartFailure.of(context)).contains(texts));
    }

    private static ListenerOptions options(AssertableApplicationContext context, String id) {
        return context.getBean(ListenerContainers.class).get(id).options();
    }

    static class Automatic {
        @BatchSqsListener(queue = "orders", concurrency = "auto:50")
        void orders(List<String> orders) {}

        @BatchSqsListener(queue = "returns")
        void returns(List<String> returns) {}
    }

    static class Plain {
        @BatchSqsListener(queue = "orders")
        void handle(List<String> orders) {}
    }

    static class ByValue {
        @BatchSqsListener("orders")
        void handle(List<String> orders) {}
    }

    static class ByBoth {
        @BatchSqsListener(value = "orders", queue = "returns")
        void handle(List<String> orders) {}
    }

    static class Manual {
        @BatchSqsListener(queue = "orders")
        void handle(List<String> orders, Acknowledgement acknowledgement) {}
    }

    static class Again {
        @BatchSqsListener(queue = "orders")
        void handle(List<String> orders) {}
    }

    static class Annotated {
        @BatchSqsListener(queue = "orders", id = "my-orders", batchSize = "20", concurrency = "4")
        void handle(List<String> orders) {}
    }

    static class Expressions {
        @BatchSqsListener(queue = "${my.queue}", batchSize = "${my.size}", concurrency = "#{2 * 3}")
        void handle(List<String> orders) {}
    }

    static class Several {
        @BatchSqsListener(
                queue = {"orders", "returns", "${more}"},
                id = "intake")
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

    @Target(ElementType.METHOD)
    @Retention(RetentionPolicy.RUNTIME)
    @BatchSqsListener(batchSize = "500")
    @interface Bulk {
        @AliasFor(annotation = BatchSqsListener.class)
        String[] queue();

        @AliasFor(annotation = BatchSqsListener.class, attribute = "id")
        String name();
    }

    static class Meta {
        @Bulk(queue = "orders", name = "by-meta")
        void handle(List<String> orders) {}
    }

    static class Single {
        @BatchSqsListener(queue = "orders", id = "single")
        void handle(String order) {}
    }

    static class TooLarge {
        @BatchSqsListener(queue = "orders", batchSize = "10001")
        void handle(List<String> orders) {}
    }

    @Configuration
    static class Configured {
        @BatchSqsListener(queue = "orders", batchSize = "0")
        void handle(List<String> orders) {}
    }

    static class NoDuration {
        @BatchSqsListener(queue = "orders", batchLinger = "soon")
        void handle(List<String> orders) {}
    }

    static class NoWord {
        @BatchSqsListener(queue = "orders", acknowledgeMode = "ignore")
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

    static class NoPayload {
        @BatchSqsListener(queue = "orders")
        void handle(Object order) {}
    }

    static final class Greedy implements ListenerOptionsCustomizer {
        @Override
        public ListenerOptions customize(ListenerOptions options) {
            return options.toBuilder().batchSize(20_000).build();
        }
    }
}
