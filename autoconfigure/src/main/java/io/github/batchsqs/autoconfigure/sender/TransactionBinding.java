/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.sender;

import io.github.batchsqs.send.KeptMessage;
import io.github.batchsqs.send.Outbox;
import io.github.batchsqs.send.SendBinding;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Holds messages back until the transaction of the sending thread has committed, and stores them with it if there is an outbox.
 * Reactive transactions are not detected.
 */
final class TransactionBinding implements SendBinding {

    private static final Logger log = LoggerFactory.getLogger(TransactionBinding.class);

    private final String client;

    /** Stores the messages with the transaction; {@code null} if they wait in memory alone. */
    private final @Nullable Outbox outbox;

    TransactionBinding(String client, @Nullable Outbox outbox) {
        this.client = client;
        this.outbox = outbox;
    }

    @Override
    public boolean active() {
        return TransactionSynchronizationManager.isActualTransactionActive()
                && TransactionSynchronizationManager.isSynchronizationActive();
    }

    @Override
    public Bound bound(Supplier<Bound> first) {
        Held held = (Held) TransactionSynchronizationManager.getResource(this);
        if (held == null) {
            held = new Held(first.get());
            TransactionSynchronizationManager.registerSynchronization(held);
            TransactionSynchronizationManager.bindResource(this, held);
        }
        return held.bound;
    }

    /** The messages that wait for the commit of one transaction; unbound while the transaction is suspended. */
    private final class Held implements TransactionSynchronization {

        private final Bound bound;

        /** The number of messages at each savepoint. */
        private final Map<Object, Integer> savepoints = new HashMap<>();

        /** What the outbox has stored, and the number of messages in it: the first of the bound ones. */
        private final List<Outbox.Batch> batches = new ArrayList<>(1);

        private int stored;

        Held(Bound bound) {
            this.bound = bound;
        }

        @Override
        public void suspend() {
            unbind();
        }

        @Override
        public void resume() {
            TransactionSynchronizationManager.bindResource(TransactionBinding.this, this);
        }

        @Override
        public void savepoint(Object savepoint) {
            savepoints.put(savepoint, bound.size());
        }

        /** Fails the messages after the savepoint. An unknown savepoint was created before the first message. */
        @Override
        public void savepointRollback(Object savepoint) {
            int kept = savepoints.getOrDefault(savepoint, 0);
            bound.abandonedAfter(kept);
            stored = Math.min(stored, kept);
        }

        /** Stores the messages. A failure rolls the transaction back. */
        @Override
        public void beforeCommit(boolean readOnly) {
            store();
        }

        /**
         * Stores what other callbacks of the commit have sent since; also if the first message of the transaction was among these,
         * for which {@link #beforeCommit} is not called. If the transaction is rolled back, so are these rows. A failure rolls
         * nothing back here: then the messages are sent after the commit, or not at all.
         */
        @Override
        public void beforeCompletion() {
            try {
                store();
            } catch (RuntimeException notStored) {
                log.debug("Messages of a transaction that ends were not stored", notStored);
            }
        }

        private void store() {
            if (outbox == null) {
                return;
            }
            List<KeptMessage> messages = bound.messages();
            if (messages.size() > stored) {
                batches.add(outbox.store(client, messages.subList(stored, messages.size())));
                stored = messages.size();
            }
        }

        // Not afterCommit: what another one's throws there would keep this one from being called at all
        @Override
        public void afterCompletion(int status) {
            unbind();
            if (status == STATUS_COMMITTED) {
                committed();
            } else {
                bound.abandoned();
                batches.forEach(Outbox.Batch::notCommitted);
            }
        }

        private void committed() {
            if (outbox != null) {
                bound.stored(stored);
                batches.forEach(Outbox.Batch::committed);
                if (bound.size() > 0) {
                    log.warn(
                            "{} messages were sent while their transaction committed, too late for the outbox; they are sent"
                                    + " now, and a crash would lose them. Send them before the commit begins",
                            bound.size());
                }
            }
            bound.committed();
        }

        private void unbind() {
            TransactionSynchronizationManager.unbindResourceIfPossible(TransactionBinding.this);
        }
    }
}
