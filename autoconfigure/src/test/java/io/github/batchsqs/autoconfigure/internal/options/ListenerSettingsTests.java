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
import io.github.batchsqs.listener.ListenerOptions.Acknowledge;
import io.github.batchsqs.listener.ListenerOptions.AcknowledgeMode;
import io.github.batchsqs.listener.ListenerOptions.Failure;
import io.github.batchsqs.listener.ListenerOptions.FifoGrouping;
import io.github.batchsqs.listener.ListenerOptions.FifoRetry;
import io.github.batchsqs.listener.ListenerOptions.InvocationExecutor;
import io.github.batchsqs.listener.ListenerOptions.Pollers;
import io.github.batchsqs.listener.ListenerOptions.QueueNotFound;
import io.github.batchsqs.listener.ListenerOptions.Visibility;
import io.github.batchsqs.listener.ListenerOptions;
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
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.test.context.ConfigDataApplicationContextInitializer;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
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
    void valueIsAnAliasOfQueue() {
        contexts.withBean(ByValue.class)
                .run(context -> assertThat(options(context, "orders").queue()).isEqualTo("orders"));
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
    void listenersAreThereUnderLazyInitializationToo() {
        contexts.withBean(Plain.class)
                .withInitializer(context ->
                        context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()))
                .run(context -> assertThat(options(context, "orders").queue()).isEqualTo("orders"));
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

    static class Manual {
        @BatchSqsListener(queue = "orders")
        void handle(List<String> orders, Acknowledgement acknowledgement) {}
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
}
