/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.jdbc.internal.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.annotation.BatchSqsListener;
import io.github.batchsqs.internal.send.BatchSqsTemplate;
import io.github.batchsqs.jdbc.Queues;
import io.github.batchsqs.jdbc.internal.inbox.Databases;
import io.github.batchsqs.send.BatchSqsOperations;
import io.github.batchsqs.send.OutgoingMessage;
import io.github.batchsqs.send.SendFailedException;
import io.github.batchsqs.send.SendResult;
import io.github.batchsqs.testkit.Progress;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.Id;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.mockito.Mockito;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration;
import org.springframework.boot.persistence.autoconfigure.EntityScan;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.event.TransactionPhase;
import org.springframework.transaction.event.TransactionalEventListener;
import org.springframework.transaction.support.TransactionTemplate;

/** The outbox in applications, on a server over HTTP. */
class OutboxOfApplicationsTests {

    private final String database = "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";
    private final String queue = Queues.SQS.standard();
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();

    private ApplicationContextRunner application() {
        return withoutDatabase().withConfiguration(Queues.database());
    }

    private ApplicationContextRunner withoutDatabase() {
        return Queues.application()
                .withBean(MeterRegistry.class, () -> meters)
                .withPropertyValues("spring.datasource.url=" + database, "batchsqs.sender.transactional=outbox");
    }

    @Test
    void theEndpointIsThereOnlyIfItIsExposed() {
        application().run(context -> assertThat(context).doesNotHaveBean(BatchSqsOutboxEndpoint.class));
        application()
                .withPropertyValues("management.endpoints.web.exposure.include=batchsqsoutbox")
                .run(context -> assertThat(context)
                        .getBean(BatchSqsOutboxEndpoint.class)
                        .extracting(BatchSqsOutboxEndpoint::outbox)
                        .isInstanceOf(OutboxReport.class));
        application()
                .withPropertyValues("management.endpoints.web.exposure.include=batchsqsoutbox")
                .withClassLoader(new FilteredClassLoader(Endpoint.class))
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean("batchSqsOutboxEndpoint"));
    }

    private static TransactionTemplate transaction(ApplicationContext context) {
        return new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
    }

    private static List<String> rows(ApplicationContext context) {
        return Databases.column(context.getBean(DataSource.class), "SELECT id FROM batchsqs_outbox");
    }

    private static OutgoingMessage inGroup(String queue, String group, String text) {
        return OutgoingMessage.builder(queue, text).groupId(group).build();
    }

    /** Receives all messages of a queue, in order. */
    private static List<String> receiveAll(String queue, int count) {
        List<String> bodies = new ArrayList<>();
        Progress.until(
                () -> {
                    Queues.SQS.take(queue).forEach(each -> bodies.add(each.body()));
                    return bodies.size();
                },
                count);
        return bodies;
    }

    @Test
    void messagesOfACommittedTransactionArriveInOrderAndLeaveNoRow() {
        String fifo = Queues.SQS.fifo();
        String standard = Queues.SQS.standard();
        application().run(context -> {
            var template = context.getBean(BatchSqsTemplate.class);
            List<CompletableFuture<SendResult>> sent = new ArrayList<>();
            transaction(context).executeWithoutResult(status -> {
                for (int i = 0; i < 30; i++) {
                    sent.add(template.send(inGroup(fifo, "g", "f" + i)));
                    sent.add(template.send(standard, "s" + i));
                }
                assertThat(template.sendsAfterCommit()).isTrue();
            });
            assertThat(Progress.done(CompletableFuture.allOf(sent.toArray(CompletableFuture<?>[]::new))))
                    .isCompleted();
            assertThat(sent.getFirst().join().messageId()).isNotEmpty();
            Progress.until(() -> rows(context).size(), 0);
            assertThat(receiveAll(fifo, 30))
                    .isEqualTo(IntStream.range(0, 30).mapToObj(i -> "f" + i).toList());
            assertThat(receiveAll(standard, 30)).hasSize(30);
            assertThat(meters.get("batchsqs.outbox.stored").counter().count()).isEqualTo(60);
            assertThat(meters.get("batchsqs.outbox.sent")
                            .tags("queue", fifo, "client", "default")
                            .counter()
                            .count())
                    .isEqualTo(30);
            Progress.until(() -> meters.get("batchsqs.outbox.waiting").gauge().value(), 0.0); // read every 10 s
            Health health = context.getBean(OutboxHealth.class).health();
            assertThat(health.getStatus()).isEqualTo(Status.UP);
            assertThat(health.getDetails()).containsEntry("running", true).containsKeys("waiting", "oldest", "failed");
        });
    }

    @Test
    void aRolledBackTransactionSendsNothing() {
        application().run(context -> {
            var template = context.getBean(BatchSqsTemplate.class);
            List<CompletableFuture<SendResult>> sent = new ArrayList<>();
            transaction(context).executeWithoutResult(status -> {
                sent.add(template.send(queue, "lost"));
                status.setRollbackOnly();
            });
            assertThat(Progress.failure(sent.getFirst()))
                    .isInstanceOfSatisfying(
                            SendFailedException.class,
                            failure -> assertThat(failure.code()).isEqualTo(SendFailedException.NOT_COMMITTED));
            transaction(context).executeWithoutResult(status -> sent.add(template.send(queue, "kept")));
            assertThat(Progress.done(sent.getLast())).isCompleted();
            assertThat(receiveAll(queue, 1)).containsExactly("kept");
        });
    }

    @Test
    void messagesOutsideOfATransactionGoOutAtOnce() {
        application().run(context -> {
            SendResult sent = context.getBean(BatchSqsTemplate.class).sendAndWait(queue, "text");
            assertThat(sent.messageId()).isNotEmpty();
            assertThat(meters.find("batchsqs.outbox.stored").counter()).isNull();
        });
    }

    @Test
    void theRelayStopsAndStartsAgainWithTheApplication() {
        application().run(context -> {
            var template = context.getBean(BatchSqsTemplate.class);
            context.stop();
            transaction(context).executeWithoutResult(status -> {
                var unused = template.send(queue, "text");
            });
            assertThat(rows(context)).hasSize(1);
            context.start();
            Progress.until(() -> rows(context).size(), 0);
            assertThat(receiveAll(queue, 1)).containsExactly("text");
        });
    }

    @Entity(name = "orders")
    static class Order {
        @Id
        String id = "";
    }

    @Configuration(proxyBeanMethods = false)
    @EntityScan(basePackageClasses = Order.class)
    static class WithEntities {}

    record Placed(String id) {}

    static class Publisher {
        private final BatchSqsOperations template;

        Publisher(BatchSqsOperations template) {
            this.template = template;
        }

        @TransactionalEventListener(phase = TransactionPhase.BEFORE_COMMIT)
        void placed(Placed event) {
            var unused = template.send(QUEUE_OF_PUBLISHER.getFirst(), event.id());
        }
    }

    private static final List<String> QUEUE_OF_PUBLISHER = new CopyOnWriteArrayList<>();

    @Test
    void theMessagesOfJpaAndOfListenersBeforeTheCommitAreInTheTransaction() {
        QUEUE_OF_PUBLISHER.clear();
        QUEUE_OF_PUBLISHER.add(queue);
        application()
                .withConfiguration(AutoConfigurations.of(HibernateJpaAutoConfiguration.class))
                .withPropertyValues("spring.jpa.hibernate.ddl-auto=create")
                .withUserConfiguration(WithEntities.class)
                .withBean(Publisher.class)
                .run(context -> {
                    context.getBean(JdbcOutbox.class).stop();
                    transaction(context).executeWithoutResult(status -> {
                        var order = new Order();
                        order.id = "1";
                        context.getBean(EntityManager.class).persist(order);
                        context.publishEvent(new Placed("1"));
                    });
                    assertThat(rows(context)).hasSize(1);
                    assertThat(Databases.column(context.getBean(DataSource.class), "SELECT id FROM orders"))
                            .containsExactly("1");
                    context.getBean(JdbcOutbox.class).start();
                    assertThat(receiveAll(queue, 1)).containsExactly("1");
                });
    }

    static class Forwarder {

        private final BatchSqsOperations template;

        Forwarder(BatchSqsOperations template) {
            this.template = template;
        }

        @BatchSqsListener(queue = "${in}")
        void handle(List<String> texts) {
            texts.forEach(text -> {
                var unused = template.send(QUEUE_OF_PUBLISHER.getFirst(), "forwarded " + text);
            });
        }
    }

    @Test
    void inboxAndOutboxShareTheTransactionOfTheHandler() {
        String in = Queues.SQS.standard();
        String out = Queues.SQS.standard();
        QUEUE_OF_PUBLISHER.clear();
        QUEUE_OF_PUBLISHER.add(out);
        application()
                .withPropertyValues("in=" + in, "batchsqs.listener.inbox.enabled=true")
                .withBean(Forwarder.class)
                .run(context -> {
                    var unused = context.getBean(BatchSqsTemplate.class).sendAndWait(in, "a");
                    assertThat(receiveAll(out, 1)).containsExactly("forwarded a");
                    Progress.until(
                            () -> Queues.SQS.size(in) == 0 && rows(context).isEmpty());
                    assertThat(meters.get("batchsqs.outbox.stored").counter().count())
                            .isEqualTo(1);
                });
    }

    @ParameterizedTest
    @CsvSource({"after-commit, 0", "out-box, 1", "OUT_BOX, 1", "Outbox, 1"})
    void onlyTheSettingHasTheOutboxInEachSpellingThatTheBinderReads(String setting, int outboxes) {
        application()
                .withPropertyValues("batchsqs.sender.transactional=" + setting)
                .run(context ->
                        assertThat(context.getBeansOfType(JdbcOutbox.class)).hasSize(outboxes));
    }

    @Nested
    class ErrorsOfTheFirstHour {

        private void fails(ApplicationContextRunner runner, String... words) {
            runner.run(context -> assertThat(context).hasFailed().getFailure().hasMessageContainingAll(words));
        }

        @Test
        void aColumnThatIsMissing() {
            alter("ALTER TABLE batchsqs_outbox DROP COLUMN delay_seconds");
            fails(application(), "cannot be used", "Column \"DELAY_SECONDS\" not found", "schema-h2.sql");
        }

        @Test
        void aColumnThatIsTooShort() {
            alter("ALTER TABLE batchsqs_outbox ALTER COLUMN error VARCHAR(100)");
            fails(application(), "cannot be used", "Value too long for column", "schema-h2.sql");
        }

        @Test
        void aUserWhoMustNotDelete() {
            alter("CREATE USER teller PASSWORD 'teller'");
            alter("GRANT SELECT, INSERT, UPDATE ON batchsqs_outbox TO teller");
            alter("GRANT SELECT, INSERT, UPDATE, DELETE ON batchsqs_outbox_lock TO teller");
            fails(as("teller"), "cannot be used", "Not enough rights", "delete rows");
        }

        @Test
        void aUserWhoMustNotRead() {
            alter("CREATE USER blind PASSWORD 'blind'");
            fails(
                    as("blind").withPropertyValues("batchsqs.jdbc.initialize-schema=never"),
                    "cannot be used",
                    "batchsqs_outbox",
                    "schema-h2.sql");
        }

        /** Returns an application of a user who is no administrator, and so must not set options in the URL. */
        private ApplicationContextRunner as(String user) {
            return application()
                    .withPropertyValues(
                            "spring.datasource.url=" + database.substring(0, database.indexOf(';')),
                            "spring.datasource.username=" + user,
                            "spring.datasource.password=" + user);
        }

        /** Changes the database before the application starts. */
        private void alter(String sql) {
            var source = new DriverManagerDataSource(database, "sa", "");
            new ResourceDatabasePopulator(new ClassPathResource("io/github/batchsqs/jdbc/schema-h2.sql"))
                    .execute(source);
            new JdbcTemplate(source).execute(sql);
        }

        @Test
        void aTemplateOfTheApplication() {
            fails(
                    application().withBean(BatchSqsOperations.class, Mockito::mock),
                    "no single bean of type BatchSqsTemplate");
        }
    }

    @Test
    void tablesOfTheInboxAloneGetThoseOfTheOutbox() {
        application().withPropertyValues("batchsqs.sender.transactional=none").run(context -> {
            var jdbc = context.getBean(JdbcTemplate.class);
            jdbc.execute("CREATE TABLE batchsqs_inbox (queue VARCHAR(200) NOT NULL, id VARCHAR(128) NOT NULL,"
                    + " claim BIGINT NOT NULL, processed_at BIGINT NOT NULL, PRIMARY KEY (queue, id))");
        });
        application()
                .withPropertyValues("in=" + Queues.SQS.standard(), "batchsqs.listener.inbox.enabled=true")
                .withBean(Forwarder.class)
                .run(context -> assertThat(context).hasNotFailed());
    }
}
