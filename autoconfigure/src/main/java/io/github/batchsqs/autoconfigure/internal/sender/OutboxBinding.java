/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.sender;

import io.github.batchsqs.internal.send.KeptFuture;
import io.github.batchsqs.internal.send.KeptMessage;
import io.github.batchsqs.internal.send.Outbox;
import io.github.batchsqs.internal.send.SendBinding;
import io.github.batchsqs.send.SendFailedException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.dao.DataAccessException;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** Stores the messages of the sending thread's transaction in the outbox, just before it commits. Reactive transactions are not detected. */
final class OutboxBinding implements SendBinding {

    private static final Logger log = LoggerFactory.getLogger(OutboxBinding.class);

    private final String client;
    private final Outbox outbox;

    OutboxBinding(String client, Outbox outbox) {
        this.client = client;
        this.outbox = outbox;
    }

    @Override
    public boolean active() {
        return TransactionBinding.isTransactionActive();
    }

    @Override
    public boolean stores() {
        return active();
    }

    @Override
    public void store(KeptMessage message) {
        held().add(message);
    }

    /** A transaction does not commit without one of its messages. */
    @Override
    public void failed(SendFailedException failure) {
        if (active()) {
            held().failed(failure);
        }
    }

    private Held held() {
        Held held = (Held) TransactionSynchronizationManager.getResource(this);
        if (held == null) {
            held = new Held();
            TransactionSynchronizationManager.registerSynchronization(held);
            TransactionSynchronizationManager.bindResource(this, held);
        }
        return held;
    }

    /** What a savepoint keeps. */
    private record Savepoint(
            int messages,
            Outbox.@Nullable Mark mark,
            @Nullable RuntimeException failure) {}

    /** The messages of one transaction; unbound while the transaction is suspended. */
    private final class Held implements TransactionSynchronization {

        private final List<KeptMessage> messages = new ArrayList<>();
        private final Map<Object, Savepoint> savepoints = new HashMap<>();

        /** What the outbox has stored, and the number of messages in it: the first ones. */
        private final List<Outbox.Batch> batches = new ArrayList<>(1);

        private int stored;

        /** Is in the same transaction of the database; {@code null} if it was not made, or undone. */
        private Outbox.@Nullable Mark mark;

        private boolean checked;
        private boolean undone;

        /** Whether the commit may have been called: its end is unknown unless it succeeded, also if a rollback is reported. */
        private boolean committing;

        /** Why the transaction must not commit: it would do so without a message. */
        private @Nullable RuntimeException failure;

        /** Why the last messages were not stored, by the time when Spring no longer asks. */
        private @Nullable RuntimeException notStored;

        void add(KeptMessage message) {
            if (mark == null && failure == null && !checked) {
                try {
                    mark = outbox.begin();
                } catch (RuntimeException refused) {
                    failure = refused;
                }
            }
            messages.add(message);
        }

        void failed(SendFailedException cause) {
            if (failure == null) {
                failure = new IllegalStateException(
                        "A message of this transaction could not be sent, and so it is not in the outbox; the transaction is rolled"
                                + " back, because it would commit without the message. " + cause.getMessage(),
                        cause);
            }
        }

        @Override
        public void suspend() {
            unbind();
        }

        @Override
        public void resume() {
            TransactionSynchronizationManager.bindResource(OutboxBinding.this, this);
        }

        @Override
        public void savepoint(Object savepoint) {
            savepoints.put(savepoint, new Savepoint(messages.size(), mark, failure));
        }

        /** Fails the messages after the savepoint. An unknown savepoint was created before the first message. */
        @Override
        public void savepointRollback(Object savepoint) {
            Savepoint kept = savepoints.getOrDefault(savepoint, new Savepoint(0, null, null));
            fail(messages.subList(Math.min(kept.messages(), messages.size()), messages.size()), false);
            stored = Math.min(stored, kept.messages());
            mark = kept.mark();
            failure = kept.failure();
        }

        /** Stores the messages. A failure rolls the transaction back, and so does a message that could not be sent. */
        @Override
        public void beforeCommit(boolean readOnly) {
            if (failure != null) {
                throw failure;
            }
            store();
            committing = true;
        }

        /**
         * Stores what other callbacks of the commit have sent since; also if the first message of the transaction was among these,
         * for which {@link #beforeCommit} is not called. If the transaction is rolled back, so are these rows. A failure rolls
         * nothing back here: then the messages are stored after the commit, or not at all.
         */
        @Override
        public void beforeCompletion() {
            try {
                if (failure instanceof DataAccessException) {
                    throw failure;
                }
                store();
            } catch (RuntimeException e) {
                notStored = e;
                log.debug("Messages of a transaction that ends were not stored", e);
            }
        }

        private void store() {
            boolean same = removeMark();
            if (messages.size() > stored) {
                if (!same) {
                    throw new ConcurrencyFailureException(
                            "The database has undone this transaction after its first message was sent, as some do after a deadlock;"
                                    + " the code that sent it must throw what the database throws");
                }
                batches.add(outbox.store(client, List.copyOf(messages.subList(stored, messages.size()))));
                stored = messages.size();
            }
        }

        /** Returns whether the transaction of the database is the one that has begun. */
        private boolean removeMark() {
            if (mark != null && !checked) {
                checked = true;
                undone = !mark.remove();
            }
            return !undone;
        }

        // Not afterCommit: what another one's throws there would keep this one from being called at all
        @Override
        public void afterCompletion(int status) {
            unbind();
            if (status == STATUS_COMMITTED) {
                committed();
            } else {
                batches.forEach(Outbox.Batch::notCommitted);
                // With JPA, a commit whose response is lost is reported as rolled back
                fail(messages.subList(0, stored), committing || status == STATUS_UNKNOWN);
                fail(messages, false);
            }
        }

        private void committed() {
            messages.subList(0, stored).clear();
            batches.forEach(Outbox.Batch::committed);
            if (failure != null && !(failure instanceof DataAccessException)) {
                log.error(
                        "A message was sent while its transaction committed, too late for a rollback, and it could not be sent",
                        failure);
            }
            if (messages.isEmpty()) {
                return;
            }
            if (notStored instanceof DataAccessException) { // it may have undone the transaction
                log.error(
                        "{} messages were sent while their transaction committed, and could not be stored in the outbox; they"
                                + " fail, because the database may have undone the transaction",
                        messages.size(),
                        notStored);
                fail(messages, true);
            } else {
                log.warn(
                        "{} messages were sent while their transaction committed, too late to be stored with it; they are stored"
                                + " now, and a crash before that would lose them. Send them before the commit begins",
                        messages.size());
                outbox.storeLate(client, List.copyOf(messages), mark);
            }
        }

        private void fail(List<KeptMessage> some, boolean mayBeStored) {
            List<KeptFuture> futures = some.stream().map(KeptMessage::future).toList();
            some.clear();
            KeptFuture.notCommitted(futures, mayBeStored);
        }

        private void unbind() {
            TransactionSynchronizationManager.unbindResourceIfPossible(OutboxBinding.this);
        }
    }
}
