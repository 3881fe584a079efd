/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.jdbc.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.github.batchsqs.BatchListener;
import io.github.batchsqs.BatchOutcome;
import io.github.batchsqs.MessageBatch;
import io.github.batchsqs.testkit.Progress;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Measures what the inbox costs: a handler that inserts a row for each message, in a transaction for each batch, with and without it, on
 * PostgreSQL. Prints a table and asserts no time. docs/effectively-once.md has the command.
 */
@Tag("measurement")
class InboxCostTests {

    private static final int INVOCATIONS = 4;
    private static final int ROUNDS = 5;
    private static final long ROUND = TimeUnit.SECONDS.toNanos(Long.getLong("measurement.seconds", 3));

    @Test
    void theInboxCostsAPartOfTheThroughput() throws Exception {
        try (EmbeddedPostgres server = EmbeddedPostgres.builder()
                        .setServerConfig("synchronous_commit", "on")
                        .setServerConfig("fsync", "on")
                        .start();
                HikariDataSource pool = Databases.pool(server.getJdbcUrl("postgres", "postgres"), "postgres")) {
            InboxContract contract = () -> pool;
            JdbcTemplate jdbc = new JdbcTemplate(pool);
            jdbc.execute("CREATE TABLE handled (id VARCHAR(300))");
            BatchListener<Object> work = batch -> {
                List<Object[]> rows = new ArrayList<>();
                batch.forEach(message -> rows.add(new Object[] {message.id()}));
                int[] inserted = jdbc.batchUpdate("INSERT INTO handled VALUES (?)", rows);
                assertThat(inserted).hasSize(batch.size());
                return BatchOutcome.done();
            };
            BatchListener<Object> inbox = contract.inbox(work);
            var transactions = new TransactionTemplate(new JdbcTransactionManager(pool));
            BatchListener<Object> plain =
                    batch -> Objects.requireNonNull(transactions.execute(status -> run(work, batch)));
            System.out.println("| batch | messages/s without | with the inbox | ratio |\n|---:|---:|---:|---:|");
            for (int size : new int[] {1, 10, 100}) {
                List<Double> without = new ArrayList<>();
                List<Double> with = new ArrayList<>();
                for (int round = 0; round <= ROUNDS; round++) {
                    without.add(measure(plain, size));
                    with.add(measure(inbox, size));
                }
                double one = median(without.subList(1, without.size())); // the first round warms up
                double other = median(with.subList(1, with.size()));
                System.out.printf(Locale.ROOT, "| %d | %.0f | %.0f | %.2f |%n", size, one, other, other / one);
            }
        }
    }

    private static BatchOutcome run(BatchListener<Object> listener, MessageBatch<Object> batch) {
        try {
            return listener.onBatch(batch);
        } catch (Exception failure) {
            throw new AssertionError(failure);
        }
    }

    /** Returns messages a second. */
    private static double measure(BatchListener<Object> listener, int size) throws Exception {
        long began = System.nanoTime();
        long messages = 0;
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<CompletableFuture<Integer>> running = IntStream.range(0, INVOCATIONS)
                    .mapToObj(i -> CompletableFuture.supplyAsync(() -> batches(listener, size, began), threads))
                    .toList();
            for (CompletableFuture<Integer> each : running) {
                messages += (long) size * Progress.get(each);
            }
        }
        return messages * 1e9 / (System.nanoTime() - began);
    }

    private static int batches(BatchListener<Object> listener, int size, long began) {
        int batches = 0;
        while (System.nanoTime() - began < ROUND) {
            String[] ids = IntStream.range(0, size)
                    .mapToObj(i -> UUID.randomUUID().toString())
                    .toArray(String[]::new);
            MessageBatch<Object> batch = TestMessage.batch(ids);
            assertThat(run(listener, batch)).isEqualTo(BatchOutcome.done());
            batches++;
        }
        return batches;
    }

    private static double median(List<Double> values) {
        return values.stream().sorted().toList().get(values.size() / 2);
    }
}
