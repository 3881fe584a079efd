/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.sender;

import io.github.batchsqs.send.SendBinding;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** Keeps messages back until the transaction of the sending thread has committed. Reactive transactions are not seen. */
final class TransactionBinding implements SendBinding {

    @Override
    public boolean active() {
        return TransactionSynchronizationManager.isActualTransactionActive()
                && TransactionSynchronizationManager.isSynchronizationActive();
    }

    @Override
    public void bind(Runnable send, Runnable abandon) {
        TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
            // Not afterCommit: what another one's throws there would keep this one from being called at all
            @Override
            public void afterCompletion(int status) {
                if (status == STATUS_COMMITTED) {
                    send.run();
                } else {
                    abandon.run();
                }
            }
        });
    }
}
