/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.jdbc.internal.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.codec.JacksonPayloadCodec;
import io.github.batchsqs.internal.client.SendEntry;
import io.github.batchsqs.internal.send.BatchSqsTemplate;
import io.github.batchsqs.internal.send.KeptFuture;
import io.github.batchsqs.internal.send.KeptMessage;
import io.github.batchsqs.internal.send.Outbox;
import io.github.batchsqs.internal.send.SenderResources;
import io.github.batchsqs.internal.support.TimeSource;
import io.github.batchsqs.jdbc.internal.inbox.Databases;
import io.github.batchsqs.send.SendResult;
import io.github.batchsqs.send.SenderOptions;
import io.github.batchsqs.testkit.Progress;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;
import tools.jackson.databind.json.JsonMapper;

/** An instance of an application that has the outbox. Its relay runs only when a test runs it. */
final class Instance implements AutoCloseable {

    /** No test waits for the end of these. */
    private static final Duration LEASE = Duration.ofMinutes(10);

    private static final Duration DELIVERY_TIMEOUT = Duration.ofSeconds(30);

    final TransactionTemplate transaction;
    final OutboxStore store;
    final OutboxMeters meters = new OutboxMeters(null);
    final Relay relay;
    final JdbcOutbox outbox;
    final BatchSqsTemplate template;
    private final DataSource source;

    Instance(DataSource source, FakeSqs sqs, TimeSource time) {
        this(source, sqs, time, null);
    }

    Instance(DataSource source, FakeSqs sqs, TimeSource time, @Nullable Sender sender) {
        this(source, sqs, time, sender, LEASE, DELIVERY_TIMEOUT);
    }

    Instance(
            DataSource source,
            FakeSqs sqs,
            TimeSource time,
            @Nullable Sender sender,
            Duration lease,
            Duration deliveryTimeout) {
        this.source = source;
        var transactions = new JdbcTransactionManager(source);
        transactions.setNestedTransactionAllowed(true);
        var database = Databases.of(source, transactions);
        var options = SenderOptions.builder().linger(Duration.ofMillis(1)).deliveryTimeout(deliveryTimeout);
        template = new BatchSqsTemplate(
                options.build(), SenderResources.of(sqs, sqs, new JacksonPayloadCodec(JsonMapper.shared())));
        transaction = new TransactionTemplate(transactions);
        store = new OutboxStore(database, lease);
        relay = new Relay(store, sender != null ? sender : template::sendStored, meters, time);
        outbox = new JdbcOutbox(
                store, relay, options.deliveryTimeout(Duration.ofMinutes(2)).build(), () -> {});
        outbox.afterSingletonsInstantiated();
        relay.begin();
        store.live(Long.MAX_VALUE);
    }

    /** Relays until the condition holds. */
    void relayUntil(Callable<Boolean> condition) {
        Progress.until(() -> {
            boolean unused = relay.cycle();
            return condition.call();
        });
    }

    /** Makes the others take this instance for dead, as after the end of its lease. */
    void dies() {
        int one = new JdbcTemplate(source)
                .update("UPDATE batchsqs_outbox_lock SET alive_until = 0 WHERE id = ?", store.owner());
        assertThat(one).isOne();
    }

    /** Claims rows of all queues, as if nothing were being sent but what is in the table. */
    OutboxStore.Claim claim(UnaryOperator<List<Candidate>> choice) {
        return store.claim(List.of(), 0, false, row -> store.owner().equals(row.owner()), choice);
    }

    OutboxTable.Backlog backlog() {
        return store.in(OutboxTable::backlog);
    }

    /** Stores messages to a queue within a transaction of its own; returns their futures. */
    List<CompletableFuture<SendResult>> commit(String queue, @Nullable String group, List<String> bodies) {
        List<SendEntry> entries = bodies.stream()
                .map(body ->
                        new SendEntry(body, Map.of(), null, group, queue.endsWith(".fifo") ? group + "-" + body : null))
                .toList();
        return commit(queue, entries);
    }

    List<CompletableFuture<SendResult>> commit(String queue, List<SendEntry> entries) {
        List<CompletableFuture<SendResult>> sent = new ArrayList<>();
        transaction.executeWithoutResult(status -> sent.addAll(store(queue, entries)));
        return sent;
    }

    /** Stores messages in the transaction of the thread. */
    List<CompletableFuture<SendResult>> store(String queue, List<SendEntry> entries) {
        return store(queue, entries, null);
    }

    List<CompletableFuture<SendResult>> store(String queue, List<SendEntry> entries, @Nullable Instant deliverAt) {
        List<KeptMessage> kept = new ArrayList<>();
        List<CompletableFuture<SendResult>> sent = new ArrayList<>();
        for (SendEntry entry : entries) {
            var future = new CompletableFuture<SendResult>();
            sent.add(future);
            kept.add(new KeptMessage(queue, queue.endsWith(".fifo"), entry, deliverAt, new KeptFuture(queue, future)));
        }
        Outbox.Batch batch = outbox.store("default", kept);
        TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
            @Override
            public void afterCompletion(int status) {
                if (status == STATUS_COMMITTED) {
                    batch.committed();
                } else {
                    batch.notCommitted();
                }
            }
        });
        return sent;
    }

    @Override
    public void close() {
        relay.end();
        template.close();
    }
}
