/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.jdbc.internal.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.jdbc.Queues;
import io.github.batchsqs.testkit.Progress;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.data.jpa.autoconfigure.DataJpaRepositoriesAutoConfiguration;
import org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.modulith.events.Externalized;
import org.springframework.modulith.events.IncompleteEventPublications;
import org.springframework.modulith.events.support.EventExternalizationTransport;
import org.springframework.modulith.events.support.EventExternalizerModuleListener;
import org.springframework.transaction.support.TransactionTemplate;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;

/** Externalized events of Spring Modulith, with its event publication registry in a database, on a server over HTTP. */
class ModulithEventsTests {

    private static final String QUEUE = "modulith-orders.fifo";

    @BeforeAll
    static void createQueue() {
        Queues.SQS
                .client()
                .createQueue(
                        request -> request.queueName(QUEUE).attributes(Map.of(QueueAttributeName.FIFO_QUEUE, "true")));
    }

    @EnableAutoConfiguration(
            exclude = {HibernateJpaAutoConfiguration.class, DataJpaRepositoriesAutoConfiguration.class})
    static class Modules {}

    @Externalized(QUEUE + "::#{customer()}")
    record OrderPlaced(String id, String customer) {}

    private static ApplicationContextRunner application() {
        return new ApplicationContextRunner()
                .withUserConfiguration(Modules.class)
                .withPropertyValues(Queues.properties())
                .withPropertyValues(
                        "spring.datasource.url=jdbc:h2:mem:" + UUID.randomUUID(),
                        "spring.modulith.events.jdbc.schema-initialization.enabled=true",
                        "batchsqs.sender.deduplication=content");
    }

    private static int incomplete(ApplicationContext context) {
        Integer rows = context.getBean(JdbcTemplate.class)
                .queryForObject("SELECT COUNT(*) FROM event_publication WHERE completion_date IS NULL", Integer.class);
        return rows == null ? -1 : rows;
    }

    @Test
    void anEventIsCompleteWhenItsMessageIsSentAndOneThatWasRolledBackIsNotSent() {
        application().run(context -> {
            assertThat(context).hasNotFailed();
            var transactions = context.getBean(TransactionTemplate.class);
            transactions.executeWithoutResult(status -> {
                context.publishEvent(new OrderPlaced("rolled back", "ada"));
                status.setRollbackOnly();
            });
            transactions.executeWithoutResult(status -> context.publishEvent(new OrderPlaced("placed", "ada")));
            Progress.until(() -> incomplete(context) == 0);
            assertThat(Queues.SQS.receive(QUEUE))
                    .extracting(Message::body)
                    .contains("{\"id\":\"placed\",\"customer\":\"ada\"}")
                    .noneMatch(body -> body.contains("rolled back"));
        });
    }

    @Test
    void anEventThatWasNotSentStaysAndIsSentAgain() {
        String database = "spring.datasource.url=jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";
        application()
                .withPropertyValues(
                        database,
                        "batchsqs.sender.delivery-timeout=1s",
                        "spring.cloud.aws.sqs.endpoint=http://127.0.0.1:1")
                .run(context -> {
                    context.getBean(TransactionTemplate.class)
                            .executeWithoutResult(status -> context.publishEvent(new OrderPlaced("later", "bob")));
                    assertThat(incomplete(context)).isOne();
                });
        application().withPropertyValues(database).run(context -> {
            context.getBean(IncompleteEventPublications.class).resubmitIncompletePublications(publication -> true);
            Progress.until(() -> incomplete(context) == 0);
            assertThat(Queues.SQS.receive(QUEUE)).extracting(Message::body).anyMatch(body -> body.contains("later"));
        });
    }

    @Test
    void theTransportOfTheApplicationReplacesTheTemplate() {
        EventExternalizationTransport own = (event, target) -> CompletableFuture.completedFuture(null);
        application()
                .withBean("own", EventExternalizationTransport.class, () -> own)
                .run(context -> assertThat(context)
                        .hasSingleBean(EventExternalizationTransport.class)
                        .doesNotHaveBean(EventExternalizerModuleListener.class));
    }
}
