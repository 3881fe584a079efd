/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.histories.senders;

import io.github.batchsqs.autoconfigure.internal.sender.HistoryBinding;
import io.github.batchsqs.client.Queue;
import io.github.batchsqs.histories.Texts;
import io.github.batchsqs.histories.database.FleetDatabase;
import io.github.batchsqs.internal.direct.DirectQueueClient;
import io.github.batchsqs.internal.events.SenderEvents;
import io.github.batchsqs.internal.send.BatchSqsTemplate;
import io.github.batchsqs.internal.send.SendObserver;
import io.github.batchsqs.internal.send.SenderResources;
import io.github.batchsqs.internal.support.TimeSource;
import io.github.batchsqs.jdbc.internal.outbox.HistoryOutbox;
import io.github.batchsqs.model.time.VirtualTime;
import io.github.batchsqs.send.SenderOptions;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** One process of the application: a template, its outbox and its transactions, on a host of its own. */
final class OutboxInstance {

    final VirtualTime.Host host;
    final FleetDatabase.Link link;
    private final Exchange exchange;
    private final Duration stop;
    private final int lookUpSeconds;
    private @Nullable Started started;

    /** Whether it has begun to stop. Transactions go on until the relay is over. */
    boolean stopping;

    /** What is made in virtual time. */
    record Started(BatchSqsTemplate template, TransactionTemplate transactions, HistoryOutbox outbox) {}

    OutboxInstance(String name, VirtualTime time, FleetDatabase database, Exchange exchange, OutboxPlan plan) {
        this.host = time.host(name, 2);
        this.link = database.new Link();
        this.exchange = exchange;
        this.stop = Duration.ofSeconds(plan.stopSeconds());
        this.lookUpSeconds = plan.lookUpSeconds();
    }

    /** {@return what takes transactions, or {@code null} if it does not run} */
    @Nullable
    Started running() {
        return host.killed() ? null : started;
    }

    /** Starts, again and again while the database does not let it. */
    void start() {
        Started made = make();
        while (true) {
            try {
                made.outbox.start(made.template);
                started = made;
                return;
            } catch (RuntimeException e) {
                VirtualTime.current().compute(500_000_000);
            }
        }
    }

    private Started make() {
        JdbcTransactionManager manager = new JdbcTransactionManager(link);
        HistoryOutbox outbox = new HistoryOutbox(link.database(manager), stop);
        BatchSqsTemplate template = new BatchSqsTemplate(
                SenderOptions.builder().linger(Duration.ofMillis(2)).build(),
                new SenderResources(
                        new DirectQueueClient(SenderHistory.CONFIGURATION, exchange),
                        new Late(lookUpSeconds),
                        new Texts(),
                        queue -> SenderEvents.NONE,
                        SendObserver.NONE,
                        HistoryBinding.of(outbox.outbox()),
                        TimeSource.system(),
                        null));
        return new Started(template, new TransactionTemplate(manager), outbox);
    }

    void stop() {
        Started ends = started;
        if (ends != null) { // else it still starts, and nobody stops it
            stopping = true;
            ends.outbox.stop();
            started = null;
            ends.template.close();
        }
    }

    /** Finds the queue after a while. */
    private static final class Late extends SenderHistory.Known {

        private final int seconds;

        Late(int seconds) {
            this.seconds = seconds;
        }

        @Override
        public Queue resolve(String name) throws InterruptedException {
            Thread.sleep(Duration.ofSeconds(seconds));
            return super.resolve(name);
        }
    }
}
