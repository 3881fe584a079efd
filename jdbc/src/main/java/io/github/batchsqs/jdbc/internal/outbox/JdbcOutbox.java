/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.jdbc.internal.outbox;

import io.github.batchsqs.internal.send.KeptFuture;
import io.github.batchsqs.internal.send.KeptMessage;
import io.github.batchsqs.internal.send.Outbox;
import io.github.batchsqs.internal.support.TimeSource;
import io.github.batchsqs.jdbc.internal.JdbcThreads;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** Stores messages as rows, in the transaction that sends them; the {@link Relay} sends the rows. Safe for use by any thread. */
final class JdbcOutbox implements Outbox {

    private static final Logger log = LoggerFactory.getLogger(JdbcOutbox.class);

    private final OutboxStore store;
    private final Relay relay;
    private final OutboxMeters meters;
    private final Duration deliveryTimeout;
    private final TimeSource time;
    private volatile boolean prepared;

    /** @param deliveryTimeout how long the future of a message waits for SQS */
    JdbcOutbox(OutboxStore store, Relay relay, OutboxMeters meters, Duration deliveryTimeout, TimeSource time) {
        this.store = store;
        this.relay = relay;
        this.meters = meters;
        this.deliveryTimeout = deliveryTimeout;
        this.time = time;
    }

    /** Creates and checks the tables; messages may be stored then. */
    void prepare() {
        if (!prepared) {
            store.prepare();
            prepared = true;
        }
    }

    @Override
    public Mark begin() {
        if (!prepared) {
            return () -> true; // store refuses the messages
        }
        requireWritable();
        return store.mark();
    }

    private static void requireWritable() {
        if (TransactionSynchronizationManager.isCurrentTransactionReadOnly()) {
            throw new IllegalStateException(
                    "A message was sent in a read-only transaction, which cannot store it in the"
                            + " outbox; remove readOnly from the transaction, or send outside of it");
        }
    }

    @Override
    public Batch store(String client, List<KeptMessage> messages) {
        if (!prepared) {
            throw new IllegalStateException(
                    "A message was sent in a transaction before all beans of the application existed,"
                            + " and so before the outbox was ready; send it later, for example in an ApplicationRunner");
        }
        requireWritable();
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
            AtomicReference<@Nullable Batch> stored = new AtomicReference<>();
            try {
                store.in(table -> {
                    Batch batch = store(client, messages);
                    stored.set(batch);
                    return batch;
                });
            } catch (RuntimeException failed) {
                Batch uncommitted = stored.get();
                log.error(
                        "{} messages that were sent while their transaction committed {} lost",
                        messages.size(),
                        uncommitted == null ? "are" : "may be",
                        failed);
                if (uncommitted != null) {
                    uncommitted.notCommitted();
                }
                KeptFuture.notCommitted(
                        messages.stream().map(KeptMessage::future).toList(), uncommitted != null);
                return;
            }
            Objects.requireNonNull(stored.get()).committed();
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
                    relay.futures().committed(ids, time.nanos() + deliveryTimeout.toNanos()),
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
