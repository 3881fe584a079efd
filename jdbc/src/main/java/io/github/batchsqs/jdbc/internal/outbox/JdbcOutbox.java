/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.jdbc.internal.outbox;

import io.github.batchsqs.internal.send.KeptFuture;
import io.github.batchsqs.internal.send.KeptMessage;
import io.github.batchsqs.internal.send.Outbox;
import io.github.batchsqs.internal.support.ForeignCode;
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
    private final SenderOptions options;
    private final Runnable check;
    private final AtomicReference<@Nullable Thread> thread = new AtomicReference<>();
    private volatile boolean prepared;

    /** @param check fails in words if the application has nothing that sends */
    JdbcOutbox(OutboxStore store, Relay relay, SenderOptions options, Runnable check) {
        this.store = store;
        this.relay = relay;
        this.options = options;
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
            KeptFuture.inOutbox(relay.own().futuresIf(any -> true), Relay.STOPPED);
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
        return store.mark();
    }

    @Override
    public Batch store(String client, List<KeptMessage> messages) {
        List<OutboxRow> rows =
                store.insert(client, messages, relay.isAlive() ? relay.own().owner() : null);
        for (int i = 0; i < rows.size(); i++) {
            relay.own().add(rows.get(i), messages.get(i).future());
        }
        return new Batch() {
            @Override
            public void committed() {
                relay.committed(rows, options.deliveryTimeout());
            }

            @Override
            public void notCommitted() {
                List<KeptFuture> unused = relay.own().futures(rows);
            }
        };
    }

    @Override
    public void storeLate(String client, List<KeptMessage> messages, @Nullable Mark mark) {
        JdbcThreads.start("outbox-late", () -> {
            List<Batch> stored = new ArrayList<>(1);
            Throwable failed = ForeignCode.run(() -> store.in(table -> stored.add(store(client, messages))));
            if (failed == null) {
                stored.getFirst().committed();
                Throwable left = ForeignCode.run(() -> store.in(table -> mark == null || mark.remove()));
                if (left != null) {
                    log.debug("The mark of a transaction was not removed; the next instance removes it", left);
                }
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
}
