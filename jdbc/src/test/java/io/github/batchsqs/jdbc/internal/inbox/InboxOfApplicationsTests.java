/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.jdbc.internal.inbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.github.batchsqs.BatchListener;
import io.github.batchsqs.ReceivedMessage;
import io.github.batchsqs.SqsMessage;
import io.github.batchsqs.annotation.BatchSqsListener;
import io.github.batchsqs.autoconfigure.internal.listener.ListenerInbox;
import io.github.batchsqs.autoconfigure.listener.ListenerDefinition;
import io.github.batchsqs.autoconfigure.listener.ListenerFactory;
import io.github.batchsqs.internal.send.BatchSqsTemplate;
import io.github.batchsqs.internal.support.QueueIdentity;
import io.github.batchsqs.jdbc.Queues;
import io.github.batchsqs.payload.FetchedPayloads;
import io.github.batchsqs.payload.PayloadStore;
import io.github.batchsqs.receive.ListenerContainer;
import io.github.batchsqs.receive.ListenerContainers;
import io.github.batchsqs.testkit.LogCapture;
import io.github.batchsqs.testkit.Progress;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.Id;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration;
import org.springframework.boot.persistence.autoconfigure.EntityScan;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import software.amazon.awssdk.services.sqs.model.MessageAttributeValue;

/** Listeners with the inbox in applications, on a server over HTTP. */
@Isolated // hears all that the inbox logs
class InboxOfApplicationsTests {

    private final String queue = Queues.SQS.standard();
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();

    private ApplicationContextRunner application() {
        return withoutDatabase().withConfiguration(Queues.database());
    }

    private ApplicationContextRunner withoutDatabase() {
        return withoutInbox().withPropertyValues("batchsqs.listener.inbox.enabled=true");
    }

    private ApplicationContextRunner withoutInbox() {
        return Queues.application()
                .withBean(MeterRegistry.class, () -> meters)
                .withPropertyValues(
                        "spring.datasource.url=jdbc:h2:mem:" + UUID.randomUUID(),
                        "queue=" + queue,
                        "batchsqs.listener.batch-size=10",
                        "batchsqs.listener.failure.backoff.initial=1ms",
                        "batchsqs.listener.failure.backoff.max=1ms");
    }

    private void send(String... payloads) {
        withoutDatabase()
                .withPropertyValues("batchsqs.listener.inbox.enabled=false")
                .run(context -> assertThat(context.getBean(BatchSqsTemplate.class)
                                .sendAll(queue, List.of(payloads))
                                .failed())
                        .isEmpty());
    }

    private double skipped() {
        return meters.find("batchsqs.inbox.duplicates").tags("queue", queue).counters().stream()
                .mapToDouble(Counter::count)
                .sum();
    }

    private void untilEmpty() {
        Progress.until(() -> Queues.SQS.size(queue) == 0);
    }

    private static List<String> rows(DataSource source) {
        return Databases.column(source, "SELECT id FROM handled ORDER BY id");
    }

    static class Orders {

        private final JdbcTemplate jdbc;

        Orders(JdbcTemplate jdbc) {
            this.jdbc = jdbc;
            jdbc.execute("CREATE TABLE handled (id VARCHAR(100))");
        }

        @BatchSqsListener(id = "orders", queue = "${queue}")
        void handle(List<SqsMessage<String>> orders) {
            for (SqsMessage<String> order : orders) {
                int one = jdbc.update("INSERT INTO handled (id) VALUES (?)", order.payload());
                assertThat(one).isOne();
            }
        }
    }

    @Test
    void duplicatesOfTheSenderRunOnceAndAreDeleted() {
        send("a", "b", "a", "c", "b", "a");
        application()
                .withBean(Orders.class)
                .withPropertyValues("batchsqs.listener.inbox.key=payload")
                .run(context -> {
                    untilEmpty();
                    assertThat(rows(context.getBean(DataSource.class))).containsExactly("a", "b", "c");
                    assertThat(skipped()).isEqualTo(3);
                });
    }

    @Entity(name = "handled")
    static class Handled {
        @Id
        String id = "";
    }

    @Configuration(proxyBeanMethods = false)
    @EntityScan(basePackageClasses = Handled.class)
    static class WithEntities {}

    static class JpaOrders {

        private final EntityManager entities;
        private final AtomicInteger failures = new AtomicInteger(1);

        JpaOrders(EntityManager entities) {
            this.entities = entities;
        }

        @Transactional
        @BatchSqsListener(id = "orders", queue = "${queue}", inboxKey = "payload")
        public void handle(List<SqsMessage<String>> orders) {
            orders.forEach(order -> {
                Handled row = new Handled();
                row.id = order.payload();
                entities.persist(row);
            });
            entities.flush();
            if (failures.getAndDecrement() > 0) {
                throw new IllegalStateException("on purpose");
            }
        }
    }

    @Test
    void theWorkOfJpaIsInTheTransactionOfTheInbox() {
        send("a", "b", "a");
        application()
                .withConfiguration(AutoConfigurations.of(HibernateJpaAutoConfiguration.class))
                .withPropertyValues("spring.jpa.hibernate.ddl-auto=create")
                .withUserConfiguration(WithEntities.class)
                .withBean(JpaOrders.class)
                .run(context -> {
                    untilEmpty();
                    assertThat(rows(context.getBean(DataSource.class))).containsExactly("a", "b");
                    assertThat(skipped()).isEqualTo(1);
                });
    }

    private String sendPointer(String key) {
        return Queues.SQS
                .client()
                .sendMessage(request -> request.queueUrl(Queues.SQS.url(queue))
                        .messageBody(key)
                        .messageAttributes(Map.of(
                                "ExtendedPayloadSize",
                                MessageAttributeValue.builder()
                                        .dataType("Number")
                                        .stringValue("1")
                                        .build())))
                .messageId();
    }

    @Test
    void aMessageThatRanIsSkippedAlsoWhenItsPayloadIsGone() throws Exception {
        List<String> fetched = new CopyOnWriteArrayList<>();
        PayloadStore store = mock();
        when(store.maxBatchBytes()).thenReturn(Long.MAX_VALUE);
        when(store.fetch(any(), any())).thenAnswer(call -> {
            List<ReceivedMessage> messages = call.getArgument(1);
            messages.forEach(message -> fetched.add(message.body()));
            FetchedPayloads payloads = mock();
            when(payloads.message(any())).thenAnswer(one -> one.getArgument(0));
            return payloads;
        });
        String ran = sendPointer("gone");
        sendPointer("new");
        application()
                .withBean(PayloadStore.class, () -> store)
                .withBean(Orders.class)
                .withPropertyValues("batchsqs.listeners.orders.auto-startup=false")
                .run(context -> {
                    DataSource source = context.getBean(DataSource.class);
                    int one = new JdbcTemplate(source)
                            .update(
                                    "INSERT INTO batchsqs_inbox (queue, id, claim, processed_at) VALUES (?, ?, 1, ?)",
                                    QueueIdentity.of(Queues.SQS.url(queue)),
                                    ran,
                                    System.currentTimeMillis());
                    assertThat(one).isOne();
                    context.getBean(ListenerContainers.class).all().forEach(ListenerContainer::start);
                    untilEmpty();
                    assertThat(rows(source)).containsExactly("new");
                    assertThat(fetched).containsExactly("new");
                    assertThat(skipped()).isOne();
                });
    }

    @Test
    void aKeyOfAllListenersAndASwitchedOffInboxAreNoMistakes() {
        withoutInbox()
                .withBean(ErrorsOfTheFirstHour.Plain.class)
                .withPropertyValues("batchsqs.listener.inbox.key=payload", "batchsqs.listener.auto-startup=false")
                .run(context -> assertThat(context).hasNotFailed());
        withoutInbox()
                .withBean(ErrorsOfTheFirstHour.KeyAlone.class)
                .withPropertyValues("batchsqs.listener.inbox.enabled=false", "batchsqs.listener.auto-startup=false")
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void messagesWithoutAKeyAreLogged() {
        send("a");
        try (var heard = LogCapture.everybody()) {
            application()
                    .withBean(Orders.class)
                    .withPropertyValues("batchsqs.listener.inbox.key=attributes['order']")
                    .run(context -> Progress.untilAsserted(() -> assertThat(heard.events())
                            .anySatisfy(line -> assertThat(line)
                                    .contains(
                                            "1 of 1 messages",
                                            queue,
                                            "fail without a run",
                                            "attributes['order']",
                                            "finds no key"))));
        }
    }

    @Test
    void anApplicationWithoutListenersThatAskForItHasNoTableAndNoThread() {
        application()
                .withPropertyValues("batchsqs.listener.inbox.enabled=false")
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThat(new JdbcTemplate(context.getBean(DataSource.class))
                                    .queryForList(
                                            "SELECT table_name FROM information_schema.tables WHERE table_name LIKE"
                                                    + " 'BATCHSQS%'",
                                            String.class))
                            .isEmpty();
                });
    }

    @Test
    void listenersAreRefusedUntilThereIsATable() {
        var definition = ListenerDefinition.of("orders", queue, String.class, BatchListener.of(batch -> {}));
        application()
                .withPropertyValues("batchsqs.jdbc.initialize-schema=never")
                .run(context -> {
                    ListenerFactory factory = context.getBean(ListenerFactory.class);
                    for (int attempt = 0; attempt < 2; attempt++) {
                        assertThatThrownBy(() -> factory.create(definition))
                                .hasMessageContaining("cannot be used with batchsqs_inbox");
                    }
                    new ResourceDatabasePopulator(new ClassPathResource("io/github/batchsqs/jdbc/schema-h2.sql"))
                            .execute(context.getBean(DataSource.class));
                    assertThat(factory.create(definition).options().id()).isEqualTo("orders");
                });
    }

    @Test
    void anInboxOfTheApplicationReplacesThisOne() {
        ListenerInbox own = (listener, request) -> listener;
        application().withBean("own", ListenerInbox.class, () -> own).run(context -> {
            assertThat(context).hasNotFailed().doesNotHaveBean(JdbcInbox.class);
            assertThat(context.getBean(ListenerInbox.class)).isSameAs(own);
        });
    }

    @Nested
    class ErrorsOfTheFirstHour {

        private final DataSource shared = Databases.h2();

        private void fails(ApplicationContextRunner runner, Class<?> listener, String... words) {
            runner.withBean(listener)
                    .run(context -> assertThat(context).hasFailed().getFailure().hasMessageContainingAll(words));
        }

        @Test
        void aColumnThatIsMissing() {
            String database = "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";
            new JdbcTemplate(new DriverManagerDataSource(database, "sa", ""))
                    .execute("CREATE TABLE batchsqs_inbox (queue VARCHAR(200) NOT NULL, id VARCHAR(128) NOT NULL,"
                            + " processed_at BIGINT NOT NULL, PRIMARY KEY (queue, id))");
            fails(
                    application().withPropertyValues("spring.datasource.url=" + database),
                    Plain.class,
                    "batchsqs_inbox",
                    "Column \"CLAIM\" not found",
                    "schema-h2.sql");
        }

        static class Plain {
            @BatchSqsListener(queue = "orders")
            void handle(List<String> orders) {}
        }

        static class OwnTransaction {
            @Transactional(propagation = Propagation.REQUIRES_NEW)
            @BatchSqsListener(queue = "orders")
            public void handle(List<String> orders) {}
        }

        static class NestedTransaction {
            @Transactional(propagation = Propagation.NESTED)
            @BatchSqsListener(queue = "orders")
            public void handle(List<String> orders) {}
        }

        static class OtherManager {
            @Transactional("others")
            @BatchSqsListener(queue = "orders")
            public void handle(List<String> orders) {}
        }

        static class UsualManager {
            @Transactional
            @BatchSqsListener(queue = "orders")
            public void handle(List<String> orders) {}
        }

        static class KeyAlone {
            @BatchSqsListener(queue = "orders", inboxKey = "payload")
            void handle(List<String> orders) {}
        }

        static class Asynchronous {
            @BatchSqsListener(queue = "orders")
            CompletableFuture<Void> handle(List<String> orders) {
                return CompletableFuture.completedFuture(null);
            }
        }

        @Test
        void noDataSource() {
            fails(withoutDatabase(), Plain.class, "javax.sql.DataSource", "there is none", "spring-boot-starter-jdbc");
        }

        @Test
        void noTransactionManager() {
            fails(
                    withoutDatabase().withBean(DataSource.class, Databases::h2),
                    Plain.class,
                    "PlatformTransactionManager",
                    "there is none",
                    "JdbcTransactionManager");
        }

        private static Stream<Arguments> mistakes() {
            return Stream.of(
                    arguments(
                            Plain.class,
                            "batchsqs.jdbc.initialize-schema=never",
                            List.of(
                                    "cannot be used with batchsqs_inbox",
                                    "batchsqs.jdbc.initialize-schema",
                                    "schema-h2.sql; compare tables that exist")),
                    arguments(
                            OwnTransaction.class,
                            "",
                            List.of("OwnTransaction.handle", "REQUIRES_NEW", "Remove the propagation")),
                    arguments(
                            NestedTransaction.class,
                            "",
                            List.of("NestedTransaction.handle", "NESTED", "Remove the propagation")),
                    arguments(
                            Asynchronous.class,
                            "",
                            List.of("batchsqs.listener.inbox.enabled", "CompletionStage", "BatchOutcome")),
                    arguments(
                            Plain.class,
                            "batchsqs.listener.acknowledge.mode=always",
                            List.of("needs acknowledge.mode: on-success", "always")),
                    arguments(
                            Plain.class,
                            "batchsqs.listener.inbox.key=payload.",
                            List.of("batchsqs.listener.inbox.key", "payload.orderId")));
        }

        @ParameterizedTest
        @MethodSource("mistakes")
        void aMistakeEndsTheStart(Class<?> listener, String property, List<String> words) {
            fails(application().withPropertyValues(property), listener, words.toArray(String[]::new));
        }

        @Test
        void severalDataSources() {
            fails(
                    application()
                            .withBean("one", DataSource.class, Databases::h2)
                            .withBean("two", DataSource.class, Databases::h2),
                    Plain.class,
                    "several: one, two",
                    "batchsqs.jdbc.data-source");
        }

        @Test
        void aTransactionManagerOfAnotherDataSource() {
            fails(
                    application()
                            .withBean("one", DataSource.class, Databases::h2)
                            .withBean("two", DataSource.class, Databases::h2)
                            .withBean(
                                    "transactions",
                                    JdbcTransactionManager.class,
                                    () -> new JdbcTransactionManager(Databases.h2()))
                            .withPropertyValues("batchsqs.jdbc.data-source=one"),
                    Plain.class,
                    "do not include statements on the DataSource",
                    "batchsqs.jdbc.transaction-manager");
        }

        @Test
        void aHandlerWithTheTransactionManagerOfAnotherDatabase() {
            fails(
                    application()
                            .withBean("shared", DataSource.class, () -> shared)
                            .withBean("fitting", JdbcTransactionManager.class, () -> new JdbcTransactionManager(shared))
                            .withBean(
                                    "others",
                                    JdbcTransactionManager.class,
                                    () -> new JdbcTransactionManager(Databases.h2()),
                                    bean -> bean.setFallback(true)),
                    OtherManager.class,
                    "OtherManager.handle",
                    "'others'",
                    "another transaction",
                    "batchsqs.jdbc.transaction-manager");
        }

        @Test
        void aHandlerWithTheUsualTransactionManagerBesideThatOfTheInbox() {
            fails(
                    application()
                            .withBean(
                                    "usual",
                                    JdbcTransactionManager.class,
                                    () -> new JdbcTransactionManager(Databases.h2()))
                            .withBean(
                                    "fitting",
                                    JdbcTransactionManager.class,
                                    () -> new JdbcTransactionManager(shared),
                                    bean -> bean.setFallback(true))
                            .withBean("shared", DataSource.class, () -> shared)
                            .withPropertyValues(
                                    "batchsqs.jdbc.data-source=shared", "batchsqs.jdbc.transaction-manager=fitting"),
                    UsualManager.class,
                    "UsualManager.handle",
                    "without a transaction manager",
                    "another transaction");
        }

        @Test
        void aKeyWithoutTheInbox() {
            fails(
                    withoutInbox(),
                    KeyAlone.class,
                    "inboxKey",
                    "needs inbox.enabled: true",
                    "true or false, or remove the key");
        }

        @Test
        void aDataSourceThatRoutes() {
            fails(
                    withoutDatabase().withBean(DataSource.class, () -> {
                        var routing = new AbstractRoutingDataSource() {
                            @Override
                            protected Object determineCurrentLookupKey() {
                                return "one";
                            }
                        };
                        routing.setTargetDataSources(Map.of("one", shared));
                        routing.afterPropertiesSet();
                        return new LazyConnectionDataSourceProxy(routing);
                    }),
                    Plain.class,
                    "AbstractRoutingDataSource",
                    "batchsqs.jdbc.data-source");
        }
    }
}
