/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.jdbc.internal.outbox;

import io.github.batchsqs.internal.send.KeptFuture;
import io.github.batchsqs.internal.send.KeptMessage;
import io.github.batchsqs.internal.send.Outbox;
import io.github.batchsqs.internal.support.ForeignCode;
import io.github.batchsqs.internal.support.TimeSource;
import io.github.batchsqs.jdbc.internal.JdbcThreads;
import io.github.batchsqs.send.SenderOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.context.SmartLifecycle;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Stores messages as rows, in the transaction that sends them. Safe for use by any thread. Between start and stop of the application, the
 * {@link Relay} sends the rows: it starts before the listeners and stops behind them, so that what handlers send is still relayed. The
 * template is closed later.
 */
final class JdbcOutbox implements Outbox, SmartInitializingSingleton, SmartLifecycle {

    private static final Logger log = LoggerFactory.getLogger(JdbcOutbox.class);

    /** How long a stop waits for the database beyond the time in which rows are sent. */
    private static final Duration FOR_DATABASE = Duration.ofSeconds(3);

    private final OutboxStore store;
    private final Relay relay;
    private final OutboxMeters meters;
    private final SenderOptions options;
    private final TimeSource time;
    private final Runnable check;
    private final AtomicReference<@Nullable Thread> thread = new AtomicReference<>();
    private volatile boolean prepared;

    /** @param check fails in words if the application has nothing that sends */
    JdbcOutbox(
            OutboxStore store,
            Relay relay,
            OutboxMeters meters,
            SenderOptions options,
            TimeSource time,
            Runnable check) {
        this.store = store;
        this.relay = relay;
        this.meters = meters;
        this.options = options;
        this.time = time;
        this.check = check;
    }

    /** Creates and checks the tables; messages may be stored then. */
    @Override
    public void afterSingletonsInstantiated() {
        if (!prepared) {
            check.run();
            store.prepare();
            prepared = true;
        }
    }

    @Override
    public void start() {
        if (thread.get() == null) {
            afterSingletonsInstantiated(); // Spring calls it for no lazy bean
            relay.begin();
            thread.set(JdbcThreads.startPlatform("outbox", () -> relay.run(options.shutdownTimeout())));
        }
    }

    @Override
    public void stop() {
        Thread running = thread.getAndSet(null);
        if (running != null) {
            relay.end();
            awaitEnd(running);
            Relay.complete(relay.futures().removeIf(any -> true), Relay.STOPPED);
        }
    }

    private void awaitEnd(Thread running) {
        try {
            if (!running.join(options.shutdownTimeout().plus(FOR_DATABASE))) {
                log.warn("The relay of the outbox did not stop in time, because the database does not respond");
                running.interrupt();
            }
        } catch (InterruptedException e) {
            running.interrupt();
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public boolean isRunning() {
        return thread.get() != null;
    }

    /** Below that of the listeners and of the web server, whose threads send. */
    @Override
    public int getPhase() {
        return 0;
    }

    @Override
    public Mark begin() {
        requireReady();
        return store.mark();
    }

    private void requireReady() {
        if (!prepared) { // creating tables would take part in the transaction
            throw new IllegalStateException(
                    "A message was sent in a transaction before all beans of the application existed,"
                            + " and so before the outbox was ready; send it later, for example in an ApplicationRunner");
        }
        if (TransactionSynchronizationManager.isCurrentTransactionReadOnly()) {
            throw new IllegalStateException(
                    "A message was sent in a read-only transaction, which cannot store it in the"
                            + " outbox; remove readOnly from the transaction, or send outside of it");
        }
    }

    @Override
    public Batch store(String client, List<KeptMessage> messages) {
        requireReady();
        List<OutboxRow> rows =
                store.insert(client, messages, relay.isAlive() ? relay.own().owner() : null);
        for (int i = 0; i < rows.size(); i++) {
            OutboxRow row = rows.get(i);
            relay.futures().add(row.id(), messages.get(i).future());
            if (row.candidate().owner() != null) {
                relay.own().add(row);
            }
        }
        return new Stored(rows);
    }

    @Override
    public void storeLate(String client, List<KeptMessage> messages) {
        Thread unused = JdbcThreads.start("outbox-late", () -> {
            List<Batch> stored = new ArrayList<>(1);
            Throwable failed = ForeignCode.run(() -> store.in(table -> stored.add(store(client, messages))));
            if (failed == null) {
                stored.getFirst().committed();
                return;
            }
            log.error(
                    "{} messages that were sent while their transaction committed {} lost",
                    messages.size(),
                    stored.isEmpty() ? "are" : "may be",
                    failed);
            stored.forEach(Batch::notCommitted);
            KeptFuture.notCommitted(messages.stream().map(KeptMessage::future).toList(), !stored.isEmpty());
        });
    }

    /** The rows of a transaction. */
    private final class Stored implements Batch {

        private final List<OutboxRow> rows;
        private final List<Long> ids;

        Stored(List<OutboxRow> rows) {
            this.rows = rows;
            this.ids = rows.stream().map(OutboxRow::id).toList();
        }

        @Override
        public void committed() {
            meters.stored(rows.size());
            Relay.complete(
                    relay.futures()
                            .committed(
                                    ids,
                                    time.nanos() + options.deliveryTimeout().toNanos()),
                    "it stays in the outbox, in which too many messages wait");
            long lowest = Long.MAX_VALUE;
            for (OutboxRow row : rows) {
                if (row.candidate().owner() != null) {
                    relay.own().committed(row);
                } else {
                    lowest = Math.min(lowest, row.id());
                }
            }
            relay.committed(lowest);
            if (!relay.isRunning()) {
                Relay.complete(relay.futures().remove(ids), Relay.STOPPED);
            }
        }

        @Override
        public void notCommitted() {
            rows.forEach(relay.own()::remove);
            var unused = relay.futures().remove(ids);
        }
    }
}
