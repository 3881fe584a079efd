/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.jdbc.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.github.batchsqs.BatchListener;
import io.github.batchsqs.BatchOutcome;
import io.github.batchsqs.autoconfigure.internal.settings.JdbcSettings;
import io.github.batchsqs.autoconfigure.internal.settings.JdbcSettings.InitializeSchema;
import io.github.batchsqs.jdbc.internal.Database;
import io.github.batchsqs.time.TimeSource;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.Date;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.support.StaticListableBeanFactory;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** The inbox beside code of the application that throws what nobody expects, on H2. */
class InboxFaultTests {

    private final HikariDataSource source = Databases.h2();
    private volatile boolean broken;

    @AfterEach
    void close() {
        source.close();
    }

    private Database database() {
        var transactions = new JdbcTransactionManager(source) {
            @Override
            protected void doBegin(Object transaction, TransactionDefinition definition) {
                if (broken) {
                    throw new Unreadable();
                }
                super.doBegin(transaction, definition);
            }
        };
        var beans = new StaticListableBeanFactory();
        beans.addBean("source", source);
        beans.addBean("transactions", transactions);
        var database = new Database(
                new JdbcSettings(null, null, InitializeSchema.ALWAYS, new JdbcSettings.Inbox(Duration.ofDays(14))),
                beans);
        database.prepare(InboxTable.NAME);
        return database;
    }

    private static BatchListener<Object> inbox(
            Database database, InboxMeters.Of meters, BatchListener<Object> handler) {
        return InboxListener.around(
                handler,
                new QueueScope(new InboxContract.OneQueue(InboxContract.ORDERS), "orders"),
                new MessageIds(null),
                new InboxTransactions(database, new InboxTable(database), TimeSource.system()),
                meters);
    }

    private static final class Unreadable extends RuntimeException {

        private static final long serialVersionUID = 1L;

        @Override
        public String getMessage() {
            throw new IllegalStateException("the message cannot be read");
        }
    }

    @Test
    void duplicatesAreDoneThoughTheRegistryThrows() throws Exception {
        var counting = new SimpleMeterRegistry() {
            @Override
            protected Counter newCounter(Meter.Id id) {
                throw new IllegalStateException("on purpose");
            }
        };
        var meters = new InboxMeters(counting);
        BatchListener<Object> inbox = inbox(database(), meters.of("orders", "orders"), batch -> BatchOutcome.done());

        assertThat(inbox.onBatch(TestMessage.batch("a"))).isEqualTo(BatchOutcome.done());
        assertThat(inbox.onBatch(TestMessage.batch("a"))).isEqualTo(BatchOutcome.done());
        assertThat(meters.skipped()).isOne();
        meters.deleted(1);
    }

    @Test
    void duplicatesAreDoneThoughTheCounterThrows() throws Exception {
        var counting = new SimpleMeterRegistry() {
            @Override
            protected Counter newCounter(Meter.Id id) {
                return new Counter() {
                    @Override
                    public void increment(double amount) {
                        throw new IllegalStateException("on purpose");
                    }

                    @Override
                    public double count() {
                        return 0;
                    }

                    @Override
                    public Id getId() {
                        return id;
                    }
                };
            }
        };
        BatchListener<Object> inbox =
                inbox(database(), new InboxMeters(counting).of("orders", "orders"), batch -> BatchOutcome.done());

        assertThat(inbox.onBatch(TestMessage.batch("a"))).isEqualTo(BatchOutcome.done());
        assertThat(inbox.onBatch(TestMessage.batch("a"))).isEqualTo(BatchOutcome.done());
    }

    @Test
    void aBatchIsDoneThoughACallbackThrowsAnErrorAfterTheCommit() throws Exception {
        BatchListener<Object> inbox = inbox(database(), messages -> {}, batch -> {
            TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                @Override
                public void afterCommit() {
                    throw new NoClassDefFoundError("after the commit");
                }
            });
            return BatchOutcome.done();
        });

        assertThat(inbox.onBatch(TestMessage.batch("a"))).isEqualTo(BatchOutcome.done());
    }

    @Test
    @SuppressWarnings("JavaUtilDate") // payloads may have one
    void datesThatDifferInMillisecondsAreDifferentKeys() {
        var ids = new MessageIds("payload");
        String id = ids.of(new TestMessage("1", new Date(1_000), null));
        assertThat(ids.of(new TestMessage("2", new Date(1_001), null))).isNotEqualTo(id);
        assertThat(ids.of(new TestMessage("3", new Date(1_000), null))).isEqualTo(id);
    }

    @Test
    void theRetentionSurvivesAFailureWhoseMessageCannotBeRead() {
        var retention = new Retention(
                database(), new JdbcSettings.Inbox(Duration.ofDays(14)), new InboxMeters(null), TimeSource.system());
        broken = true;
        retention.clean();
        assertThat(retention.failingSince()).isNotNull();
        broken = false;
        retention.clean();
        assertThat(retention.failingSince()).isNull();
    }
}
