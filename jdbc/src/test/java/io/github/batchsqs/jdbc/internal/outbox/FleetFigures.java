/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.jdbc.internal.outbox;

import static java.util.Objects.requireNonNull;

import io.github.batchsqs.client.Queue;
import io.github.batchsqs.internal.client.SendEntry;
import io.github.batchsqs.internal.support.TimeSource;
import io.github.batchsqs.jdbc.internal.inbox.Databases;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Prints how long messages take from the commit to SQS while four instances store into one message group, on PostgreSQL: 15 a second
 * each, and a call takes 10 ms. In the second half, the one that sends is gone without a word. Before it, each waits for nothing: ten
 * messages a second. Not a test: its figures depend on the machine.
 */
final class FleetFigures {

    private static final int INSTANCES = 4;
    private static final int PER_SECOND = 15;
    private static final int IDLE = 60;
    private static final Duration HALF = Duration.ofSeconds(15);

    private final Map<Integer, Long> committed = new ConcurrentHashMap<>();
    private final Map<Integer, Long> sent = new ConcurrentHashMap<>();
    private final FakeSqs sqs = new FakeSqs();
    private volatile boolean ended;
    private volatile int gone = -1;

    private FleetFigures() {}

    public static void main(String[] arguments) throws Exception {
        new FleetFigures().run();
    }

    private void run() throws Exception {
        sqs.faults(new FakeSqs.Faults() {
            @Override
            public void before(Queue queue, List<SendEntry> entries) {
                LockSupport.parkNanos(Duration.ofMillis(10).toNanos());
                entries.forEach(each -> sent.putIfAbsent(Integer.valueOf(each.body()), System.nanoTime()));
            }
        });
        try (EmbeddedPostgres server = EmbeddedPostgres.start();
                var source = Databases.pool(server.getJdbcUrl("postgres", "postgres"), "postgres")) {
            List<Instance> fleet = new ArrayList<>();
            for (int i = 0; i < INSTANCES; i++) {
                fleet.add(
                        new Instance(source, sqs, TimeSource.system(), null, OutboxStore.LEASE, Duration.ofMinutes(1)));
            }
            new JdbcTemplate(source).execute("CREATE TABLE numbers (next INT)");
            new JdbcTemplate(source).execute("INSERT INTO numbers VALUES (0)");
            List<Thread> relays = fleet.stream()
                    .map(each -> Thread.ofPlatform().start(() -> each.relay.run(Duration.ZERO)))
                    .toList();
            for (int i = 0; i < IDLE; i++) {
                LockSupport.parkNanos(Duration.ofMillis(100).toNanos());
                commit(fleet.get(i % INSTANCES), new JdbcTemplate(source));
            }
            List<Thread> producers = new ArrayList<>();
            for (int i = 0; i < INSTANCES; i++) {
                int number = i;
                producers.add(
                        Thread.ofPlatform().start(() -> produce(fleet.get(number), number, new JdbcTemplate(source))));
            }
            LockSupport.parkNanos(Duration.ofSeconds(5).toNanos());
            int warm = committed.size();
            LockSupport.parkNanos(HALF.toNanos());
            int half = committed.size();
            gone = sending(fleet, source); // its row holds up the group
            relays.get(gone).interrupt(); // it neither frees its rows nor renews its lease
            LockSupport.parkNanos(HALF.toNanos());
            ended = true;
            for (Thread producer : producers) {
                producer.join();
            }
            LockSupport.parkNanos(Duration.ofSeconds(5).toNanos());
            print("idle", IDLE / 2, IDLE);
            print("four instances", warm, half);
            print("one of them gone", half + 1, committed.size());
            List<Integer> order = sqs.bodies().stream().map(Integer::valueOf).toList();
            System.out.printf(
                    "committed %d, sent %d, in order: %s%n",
                    committed.size(),
                    order.size(),
                    order.equals(order.stream().sorted().toList()));
            fleet.forEach(Instance::close);
            relays.forEach(Thread::interrupt);
        }
    }

    /** Returns the instance that sends a row now. */
    private static int sending(List<Instance> fleet, DataSource source) {
        List<String> owners = fleet.stream().map(each -> each.store.owner()).toList();
        while (true) {
            for (String owner : Databases.column(source, "SELECT owner FROM batchsqs_outbox WHERE owner IS NOT NULL")) {
                if (owners.contains(owner)) {
                    return owners.indexOf(owner);
                }
            }
        }
    }

    private void produce(Instance instance, int number, JdbcTemplate jdbc) {
        long next = System.nanoTime();
        while (!ended && gone != number) {
            commit(instance, jdbc);
            next += Duration.ofSeconds(1).toNanos() / PER_SECOND;
            LockSupport.parkNanos(next - System.nanoTime());
        }
    }

    private void commit(Instance instance, JdbcTemplate jdbc) {
        int[] body = new int[1];
        instance.transaction.executeWithoutResult(status -> {
            Integer value = jdbc.queryForObject("UPDATE numbers SET next = next + 1 RETURNING next", Integer.class);
            body[0] = value == null ? 0 : value;
            var unused = instance.store(
                    "q.fifo",
                    List.of(new SendEntry(
                            String.valueOf(body[0]), Map.of(), null, null, "g", String.valueOf(body[0]))));
        });
        committed.put(body[0], System.nanoTime());
    }

    private void print(String what, int from, int to) {
        List<Double> millis = Stream.iterate(from, number -> number <= to, number -> number + 1)
                .filter(sent::containsKey)
                .filter(committed::containsKey)
                .map(number ->
                        Math.max(0, requireNonNull(sent.get(number)) - requireNonNull(committed.get(number))) / 1e6)
                .sorted()
                .toList();
        System.out.printf(
                "%s: %d messages, from the commit to SQS p50 %.0f ms, p99 %.0f ms, maximum %.0f ms%n",
                what,
                millis.size(),
                millis.get(millis.size() / 2),
                millis.get(millis.size() * 99 / 100),
                millis.getLast());
    }
}
