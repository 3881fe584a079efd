/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.options;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.annotation.BatchSqsListener;
import io.github.batchsqs.autoconfigure.testkit.Contexts;
import io.github.batchsqs.autoconfigure.testkit.OrdersHandler;
import io.github.batchsqs.autoconfigure.testkit.StartFailure;
import io.github.batchsqs.listener.ListenerOptions;
import io.github.batchsqs.listener.ListenerOptions.InvocationExecutor;
import io.github.batchsqs.receive.ListenerContainers;
import io.github.batchsqs.testkit.LogCapture;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.test.context.ConfigDataApplicationContextInitializer;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

@Isolated("hears the log of a class, from which each start of Spring Boot takes appenders")
class ListenerSettingsTests {

    private static final String CORRECT =
            " Correct a misspelt id. Otherwise the settings apply to listeners that are created later.";

    private final ApplicationContextRunner contexts =
            Contexts.aws().withPropertyValues("batchsqs.listener.auto-startup=false");

    @Test
    void withoutSettingsAListenerHasTheDefaults() {
        contexts.withBean(OrdersHandler.class)
                .run(context -> assertThat(options(context, "orders"))
                        .isEqualTo(ListenerOptions.builder("orders", "orders").build()));
    }

    @Test
    void anExecutorIsABeanOfItsName() {
        contexts.withBean(OrdersHandler.class)
                .withBean("pool", Executor.class, () -> Runnable::run)
                .withPropertyValues("batchsqs.listener.executor=pool")
                .run(context -> assertThat(options(context, "orders").executor())
                        .isEqualTo(new InvocationExecutor.Custom(context.getBean("pool", Executor.class))));
    }

    @Test
    void theAnnotationStandsBetweenTheDefaultsAndTheSettingsOfTheListener() {
        contexts.withBean(Annotated.class)
                .withPropertyValues(
                        "batchsqs.listener.batch-size=1",
                        "batchsqs.listener.concurrency=2",
                        "batchsqs.listener.prefetch=3",
                        "batchsqs.listeners.MYORDERS.concurrency=5") // as Boot compares keys
                .run(context -> assertThat(options(context, "my-orders"))
                        .returns(20, ListenerOptions::batchSize)
                        .returns(
                                Duration.ofSeconds(30),
                                options -> options.visibility().timeout())
                        .returns(5, ListenerOptions::concurrency)
                        .returns(3, ListenerOptions::prefetch));
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
    void settingsOfASimilarIdAreLeftAloneIfTheListenerHasItsOwn() {
        contexts.withBean(OrdersHandler.class)
                .withPropertyValues("batchsqs.listeners.ordrs.concurrency=1", "batchsqs.listeners.orders.concurrency=2")
                .run(context ->
                        assertThat(options(context, "orders").concurrency()).isEqualTo(2));
    }

    @Test
    void settingsOfAbsentListenersCauseOneWarningWithTheIds() {
        try (var heard = LogCapture.warnings()) {
            contexts.withBean(OrdersHandler.class)
                    .withPropertyValues("batchsqs.listeners.eu.concurrency=1")
                    .run(context -> assertThat(context).hasNotFailed());
            contexts.withPropertyValues("batchsqs.listeners.eu.concurrency=1")
                    .run(context -> assertThat(context).hasNotFailed());
            assertThat(heard.events())
                    .filteredOn(line -> line.contains("has settings for eu"))
                    .satisfiesExactly(
                            line -> assertThat(line)
                                    .contains("but no listener has such an id; the ids are: orders." + CORRECT),
                            line -> assertThat(line)
                                    .contains("but this application context has no listener." + CORRECT));
        }
    }

    @Test
    void settingsOfAbsentListenersAreNormalInASlice() {
        contexts.withBean(OrdersHandler.class)
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
                contexts.withBean(OrdersHandler.class)
                        .withInitializer(new ConfigDataApplicationContextInitializer())
                        .withPropertyValues("spring.config.additional-location=" + file.toUri()),
                "batchsqs.listener.visibility-timeout is not a setting.",
                "Origin: URL [file:" + file + "] - 3:25",
                "Correct batchsqs.listener.visibility-timeout to batchsqs.listener.visibility.timeout, or remove it.");
    }

    @Test
    void listenersAreThereUnderLazyInitializationToo() {
        contexts.withBean(OrdersHandler.class)
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

    static class Annotated {
        @BatchSqsListener(
                queue = "orders",
                id = "my-orders",
                batchSize = "20",
                concurrency = "4",
                visibilityTimeout = "30")
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
}
