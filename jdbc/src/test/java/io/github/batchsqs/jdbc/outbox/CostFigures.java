/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.jdbc.outbox;

import io.github.batchsqs.client.SendEntry;
import io.github.batchsqs.jdbc.inbox.Databases;
import io.github.batchsqs.send.OutgoingMessage;
import io.github.batchsqs.time.TimeSource;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Prints the time and the CPU of this process for messages through the outbox, and for the same messages sent after the commit. Not a
 * test: its figures depend on the machine, and only their ratios mean something.
 */
final class CostFigures {

    private static final int THREADS = 4;

    private CostFigures() {}

    public static void main(String[] arguments) throws Exception {
        try (var h2 = Databases.h2()) {
            compare("H2", h2, 1, 10_000);
        }
        try (EmbeddedPostgres server = EmbeddedPostgres.start();
                var source = Databases.pool(server.getJdbcUrl("postgres", "postgres"), "postgres")) {
            compare("PostgreSQL", source, 10, 20_000);
            compare("PostgreSQL", source, 100, 50_000);
        }
    }

    private static void compare(String database, DataSource source, int perTransaction, int messages) throws Exception {
        new JdbcTemplate(source).execute("CREATE TABLE IF NOT EXISTS orders (id VARCHAR(64))");
        for (boolean warm : new boolean[] {true, false}) {
            for (String queue : List.of("q", "q.fifo")) {
                String what = database + ", " + perTransaction + " a transaction, " + queue;
                double[] direct = run(source, queue, perTransaction, messages, false);
                double[] stored = run(source, queue, perTransaction, messages, true);
                if (!warm) {
                    System.out.printf(
                            "%s: after-commit %.2f s, CPU %.2f s; outbox %.2f s, CPU %.2f s; rate %.2f, CPU %.2f times%n",
                            what,
                            direct[0],
                            direct[1],
                            stored[0],
                            stored[1],
                            direct[0] / stored[0],
                            stored[1] / direct[1]);
                }
            }
        }
    }

    private static double[] run(DataSource source, String queue, int perTransaction, int messages, boolean outbox)
            throws Exception {
        var sqs = new FakeSqs();
        var jdbc = new JdbcTemplate(source);
        try (Instance one =
                new Instance(source, sqs, TimeSource.system(), null, OutboxStore.LEASE, Duration.ofMinutes(1))) {
            Thread relay = Thread.ofPlatform().start(() -> one.relay.run(Duration.ofSeconds(30)));
            long cpu = cpu();
            long start = System.nanoTime();
            List<Thread> threads = new ArrayList<>();
            for (int thread = 0; thread < THREADS; thread++) {
                threads.add(Thread.ofPlatform().start(() -> {
                    for (int i = 0; i < messages / THREADS / perTransaction; i++) {
                        String id = UUID.randomUUID().toString();
                        List<SendEntry> entries = IntStream.range(0, perTransaction)
                                .mapToObj(n -> new SendEntry(
                                        "{\"id\":\"" + id + "\"}",
                                        Map.of(),
                                        null,
                                        null,
                                        id,
                                        queue.endsWith(".fifo")
                                                ? UUID.randomUUID().toString()
                                                : null))
                                .toList();
                        one.transaction.executeWithoutResult(status -> {
                            int unused = jdbc.update("INSERT INTO orders VALUES (?)", id);
                            if (outbox) {
                                var ignored = one.store(queue, entries);
                            }
                        });
                        if (!outbox) {
                            entries.forEach(each -> {
                                var unused = one.template.send(OutgoingMessage.builder(queue, each.body())
                                        .groupId(id)
                                        .deduplicationId(
                                                queue.endsWith(".fifo")
                                                        ? UUID.randomUUID().toString()
                                                        : null)
                                        .build());
                            });
                        }
                    }
                }));
            }
            for (Thread thread : threads) {
                thread.join();
            }
            while (sqs.carried().size() < messages
                    || !Databases.column(source, "SELECT id FROM batchsqs_outbox LIMIT 1")
                            .isEmpty()) {
                LockSupport.parkNanos(Duration.ofMillis(5).toNanos());
            }
            double seconds = (System.nanoTime() - start) / 1e9;
            double used = (cpu() - cpu) / 1e9;
            one.relay.end();
            relay.join();
            return new double[] {seconds, used};
        }
    }

    private static long cpu() {
        return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
                .getProcessCpuTime();
    }
}
