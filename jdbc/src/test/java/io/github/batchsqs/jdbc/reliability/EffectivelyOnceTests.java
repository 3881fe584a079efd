/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.jdbc.reliability;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.jdbc.reliability.Applications.Fault;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.jdbc.core.JdbcTemplate;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;

/**
 * Instances of an application with the inbox, on an SQS server and a PostgreSQL of their own processes, over orders of which one in twenty is
 * sent twice. {@code -Dreliability.full=true} for the long form, {@code -Dreliability.seed} for the orders and moments of an earlier run.
 */
@Tag("reliability")
class EffectivelyOnceTests {

    private static final boolean FULL = Boolean.getBoolean("reliability.full");
    private static final int ORDERS = FULL ? 20_000 : 1_500;
    private static final int KILLS = FULL ? 20 : 2;
    private static final int RESTARTS = FULL ? 10 : 2;
    private static final int ONE_IN = 20;
    private static final String LEASE_SECONDS = "5";

    /** Kills and failures on purpose use some. */
    private static final int ANY_RECEIVES = 100;

    private static final int FEW_RECEIVES = 5;

    private final long seed =
            Long.getLong("reliability.seed", ThreadLocalRandom.current().nextInt(1_000_000));
    private final Random random = new Random(seed);

    /** It stays if the test fails, with the logs of the processes. */
    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path folder;

    @Test
    void applicationsThatAreKilledProcessEachOrderOnce() throws Exception {
        assertOnce("SIGKILL of one of the consumers", KILLS, ANY_RECEIVES, Fault.KILL);
    }

    @Test
    void applicationsProcessEachOrderOnceWhileTheirDatabaseIsRestarted() throws Exception {
        assertOnce("PostgreSQL restarted, every second time by a crash", RESTARTS, ANY_RECEIVES, Fault.RESTART);
    }

    /** It lasts as long as PostgreSQL leaves an idle transaction open: more than ten minutes. */
    @Test
    @EnabledIfSystemProperty(named = "reliability.full", matches = "true")
    void ordersThatAVanishedHostHoldsAreProcessedOnceAndNeverDeadLettered() throws Exception {
        assertOnce(
                "a consumer stopped for good, its transactions open",
                1,
                FEW_RECEIVES,
                (number, applications, database) -> applications.vanish(number, () -> isHeld(database.jdbc())));
    }

    /**
     * Returns whether transactions stay open in which an instance has claimed ids: others end within milliseconds. None may hold rows of the
     * accounts, for which the handlers of the others would wait.
     */
    private static boolean isHeld(JdbcTemplate jdbc) {
        jdbc.execute("SELECT pg_sleep(2)");
        String open = "SELECT count(*) FROM pg_stat_activity WHERE xact_start < now() - interval '1 second'";
        return count(jdbc, open + " AND state = 'idle in transaction'") > 0
                && count(jdbc, open + " AND query LIKE 'UPDATE accounts%'") == 0;
    }

    /** To wait is no standstill: PostgreSQL ends an idle transaction after ten minutes, and a busy message comes again after eleven. */
    private static long minutes(long began) {
        return Math.min(14, Duration.ofNanos(System.nanoTime() - began).toMinutes());
    }

    private static long count(JdbcTemplate jdbc, String sql) {
        return Objects.requireNonNull(jdbc.queryForObject(sql, Long.class));
    }

    private void assertOnce(String tried, int faults, int receives, Fault fault) throws Exception {
        long began = System.nanoTime();
        List<Order> orders = orders();
        try (SqsProcess sqs = new SqsProcess(folder.resolve("sqs.log"));
                Postgres database = new Postgres(folder)) {
            JdbcTemplate jdbc = database.jdbc();
            jdbc.execute("CREATE TABLE orders (order_id INT, amount INT)");
            jdbc.execute("CREATE TABLE accounts (id INT PRIMARY KEY, total BIGINT)");
            for (int account = 0; account < Order.ACCOUNTS; account++) {
                assertThat(jdbc.update("INSERT INTO accounts VALUES (?, 0)", account))
                        .isOne();
            }
            String deadLetters = sqs.queues().standard();
            // with leases of a few seconds, so that the messages of a killed process return soon
            String queue = sqs.queues()
                    .withDeadLetters(
                            deadLetters, receives, Map.of(QueueAttributeName.VISIBILITY_TIMEOUT, LEASE_SECONDS));
            List<String> settings = List.of(
                    "--batchsqs.listener.batch-size=10",
                    "--batchsqs.listener.concurrency=4",
                    "--batchsqs.listener.wait-time=1s",
                    "--batchsqs.listener.failure.backoff.initial=100ms",
                    "--batchsqs.listener.failure.backoff.max=2s");
            try (Applications applications =
                    new Applications(ConsumerApplication.class, folder, sqs.endpoint(), database, queue, settings)) {
                int sent = 0;
                for (int i = 0; i < faults; i++) {
                    List<Order> portion = orders.subList(i * ORDERS / faults, (i + 1) * ORDERS / faults);
                    applications.awaitStarted();
                    sent += send(sqs, queue, portion);
                    long from = (long) i * ORDERS / faults;
                    long mark = from + portion.size() / 10 + random.nextInt(portion.size() / 2);
                    applications.await(mark + " orders are processed", () -> rows(jdbc), () -> rows(jdbc) >= mark);
                    fault.happen(i, applications, database);
                }
                applications.awaitStarted();
                applications.await(
                        "all orders are processed and the queue is empty",
                        () -> List.of(rows(jdbc), sqs.queues().size(queue), minutes(began)),
                        () -> rows(jdbc) >= ORDERS && sqs.queues().size(queue) == 0);
                assertThat(applications.allAlive()).isTrue();
                applications.stop();
                assertOnce(jdbc, orders);
                assertThat(sqs.queues().size(queue)).as("left in the queue").isZero();
                assertThat(sqs.queues().size(deadLetters)).as("dead letters").isZero();
                OnceReport.add("| %s | %s | %d | %d | %d | %d | %d | 0 | 0 | 0 | 0 | %d |"
                        .formatted(
                                tried,
                                sqs.name(),
                                seed,
                                faults,
                                ORDERS,
                                sent - ORDERS,
                                runs(applications) - ORDERS,
                                Duration.ofNanos(System.nanoTime() - began).toSeconds()));
            }
        }
    }

    private List<Order> orders() {
        List<Order> orders = new ArrayList<>();
        for (int id = 0; id < ORDERS; id++) {
            orders.add(new Order(id, 1 + random.nextInt(1_000)));
        }
        return orders;
    }

    /** Sends the orders, and some of them a second time, at any places. Returns the number of messages. */
    private int send(SqsProcess sqs, String queue, List<Order> orders) {
        List<String> bodies = new ArrayList<>();
        for (Order order : orders) {
            bodies.add(order.json());
            if (order.orderId() % ONE_IN == 0) {
                bodies.add(order.json());
            }
        }
        Collections.shuffle(bodies, random);
        sqs.send(queue, bodies);
        return bodies.size();
    }

    private static long runs(Applications applications) {
        return RunLedger.texts(applications.ledger()).size();
    }

    private static long rows(JdbcTemplate jdbc) {
        return count(jdbc, "SELECT count(*) FROM orders");
    }

    /** Each order has one row, the totals are those of the orders, and the inbox has recorded each. */
    private static void assertOnce(JdbcTemplate jdbc, List<Order> orders) {
        List<Integer> ids = jdbc.query("SELECT order_id FROM orders", (row, number) -> row.getInt(1));
        assertThat(ORDERS - new HashSet<>(ids).size()).as("lost").isZero();
        assertThat(ids.size() - ORDERS).as("processed twice").isZero();
        for (int account = 0; account < Order.ACCOUNTS; account++) {
            int of = account;
            assertThat(jdbc.queryForObject("SELECT total FROM accounts WHERE id = ?", Long.class, account))
                    .as("total of account %d", account)
                    .isEqualTo(orders.stream()
                            .filter(order -> order.account() == of)
                            .mapToLong(Order::amount)
                            .sum());
        }
        assertThat(jdbc.queryForObject("SELECT count(*) FROM batchsqs_inbox", Integer.class))
                .as("ids of the inbox")
                .isEqualTo(ORDERS);
    }
}
