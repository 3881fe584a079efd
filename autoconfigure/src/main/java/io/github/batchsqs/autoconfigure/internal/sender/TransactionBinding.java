/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.sender;

import io.github.batchsqs.internal.send.BoundMessages;
import io.github.batchsqs.internal.send.SendBinding;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** Holds messages back in memory until the transaction of the sending thread has committed. Reactive transactions are not detected. */
final class TransactionBinding implements SendBinding {

    @Override
    public boolean active() {
        return isTransactionActive();
    }

    static boolean isTransactionActive() {
        return TransactionSynchronizationManager.isActualTransactionActive()
                && TransactionSynchronizationManager.isSynchronizationActive();
    }

    @Override
    public BoundMessages bound(Supplier<BoundMessages> first) {
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

        private final BoundMessages bound;
        private final Map<Object, Integer> savepoints = new HashMap<>();

        Held(BoundMessages bound) {
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
            bound.abandonedAfter(savepoints.getOrDefault(savepoint, 0));
        }

        // Not afterCommit: what another one's throws there would keep this one from being called at all
        @Override
        public void afterCompletion(int status) {
            unbind();
            if (status == STATUS_COMMITTED) {
                bound.committed();
            } else {
                bound.abandoned();
            }
        }

        private void unbind() {
            TransactionSynchronizationManager.unbindResourceIfPossible(TransactionBinding.this);
        }
    }
}
