/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.jdbc.internal.outbox;

import io.github.batchsqs.internal.send.KeptFuture;
import io.github.batchsqs.internal.send.KeptMessage;
import io.github.batchsqs.internal.send.Outbox;
import io.github.batchsqs.internal.support.TimeSource;
import io.github.batchsqs.jdbc.internal.JdbcThreads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
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
    private final WaitingFutures futures;
    private final OutboxMeters meters;
    private final Duration deliveryTimeout;
    private final TimeSource time;
    private final String instance = UUID.randomUUID() + "-";
    private final AtomicLong numbers = new AtomicLong();
    private volatile boolean prepared;

    /** @param deliveryTimeout how long the future of a message waits for SQS */
    JdbcOutbox(
            OutboxStore store,
            Relay relay,
            WaitingFutures futures,
            OutboxMeters meters,
            Duration deliveryTimeout,
            TimeSource time) {
        this.store = store;
        this.relay = relay;
        this.futures = futures;
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
        List<String> keys = new ArrayList<>(messages.size());
        List<KeptFuture> kept = new ArrayList<>(messages.size());
        for (KeptMessage message : messages) {
            keys.add(instance + numbers.incrementAndGet());
            kept.add(message.future());
        }
        OwnRows own = relay.own();
        String owner = relay.isAlive() ? own.owner() : null;
        List<OutboxRow> rows = store.insert(client, keys, messages, owner);
        futures.add(keys, kept);
        List<OutboxRow> mine = new ArrayList<>();
        long lowest = Long.MAX_VALUE;
        for (int i = 0; i < rows.size(); i++) {
            if (owner != null && OutboxTable.isOwned(messages.get(i))) {
                mine.add(rows.get(i));
            } else {
                lowest = Math.min(lowest, rows.get(i).id());
            }
        }
        if (owner != null) {
            own.add(owner, mine);
        }
        return new Stored(keys, mine, lowest);
    }

    @Override
    public void storeLate(String client, List<KeptMessage> messages) {
        Thread unused = JdbcThreads.start("outbox-late", () -> {
            AtomicReference<@Nullable Batch> stored = new AtomicReference<>();
            try {
                store.in(() -> {
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
                    uncommitted.notCommitted(true);
                }
                KeptFuture.notCommitted(
                        messages.stream().map(KeptMessage::future).toList(), uncommitted != null);
                return;
            }
            Objects.requireNonNull(stored.get()).committed();
        });
    }

    /** The futures of the messages of a transaction. */
    private final class Stored implements Batch {

        private final List<String> keys;
        private final List<OutboxRow> own;
        private final long lowest;

        /**
         * @param own the rows that this instance sends from memory
         * @param lowest the lowest id of the others
         */
        Stored(List<String> keys, List<OutboxRow> own, long lowest) {
            this.keys = keys;
            this.own = own;
            this.lowest = lowest;
        }

        @Override
        public void committed() {
            meters.stored(keys.size());
            Relay.complete(
                    futures.committed(keys, time.nanos() + deliveryTimeout.toNanos()),
                    "it stays in the outbox, in which too many messages wait");
            relay.own().ended(own, true);
            relay.committed(lowest);
            if (!relay.isRunning()) {
                Relay.complete(removed(), Relay.STOPPED);
            }
        }

        @Override
        public void notCommitted(boolean mayBeStored) {
            relay.own().ended(own, false);
            if (mayBeStored) {
                relay.mayHaveLost();
            }
            var unused = removed();
        }

        private List<KeptFuture> removed() {
            List<KeptFuture> removed = new ArrayList<>(keys.size());
            for (String key : keys) {
                KeptFuture future = futures.remove(key);
                if (future != null) {
                    removed.add(future);
                }
            }
            return removed;
        }
    }
}
