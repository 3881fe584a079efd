/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.jdbc.reliability;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.jdbc.reliability.Applications.Fault;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.jdbc.core.JdbcTemplate;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;

/**
 * Instances of an application that sends through the outbox: one of them is killed at a time or vanishes, the database is restarted, SQS is
 * absent. Each committed order has its message, once and in the order of its group on a FIFO queue; no order that was rolled back has one.
 */
@Tag("reliability")
class OutboxKillTests {

    private static final boolean FULL = Boolean.getBoolean("reliability.full");
    private static final int KILLS = FULL ? 20 : 2;
    private static final int VANISHED = FULL ? 4 : 1;
    private static final int RESTARTS = FULL ? 10 : 2;
    private static final int ORDERS_WITHOUT_SQS = 1_000;
    private static final Map<QueueAttributeName, String> QUEUE = Map.of(QueueAttributeName.VISIBILITY_TIMEOUT, "120");
    private static final int GROUPS = Applications.INSTANCES * ProducerApplication.GROUPS;

    /** Between two kills. */
    private static final int ORDERS_OF_A_GROUP = 25;

    private final long seed =
            Long.getLong("reliability.seed", ThreadLocalRandom.current().nextInt(1_000_000));
    private final Random random = new Random(seed);

    /** It stays if the test fails, with the logs of the processes. */
    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path folder;

    @Test
    void producersThatAreKilledSendEachCommittedMessageOnceAndInOrderToAFifoQueue() throws Exception {
        assertSent(".fifo", "SIGKILL of one of the producers", KILLS, Fault.KILL);
    }

    @Test
    void producersThatAreKilledSendEachCommittedMessageToAStandardQueue() throws Exception {
        assertSent("", "SIGKILL of one of the producers", KILLS, Fault.KILL);
    }

    @Test
    void producersSendEachCommittedMessageOnceAndInOrderWhileTheirDatabaseIsRestarted() throws Exception {
        assertSent(".fifo", "PostgreSQL restarted below producers", RESTARTS, Fault.RESTART);
    }

    @Test
    void theMessagesOfAProducerWhoseHostVanishesAreSentByTheOthersInOrder() throws Exception {
        assertSent(
                ".fifo",
                "a producer stopped for good, its connections open",
                VANISHED,
                (number, applications, database) -> applications.vanish(number % Applications.INSTANCES, () -> true));
    }

    /** A commit needs the database alone. */
    @Test
    @DisabledIfSystemProperty(named = "batchsqs.test.endpoint", matches = ".+", disabledReason = "that server runs")
    void ordersArePlacedWhileSqsIsAbsentFromTheStartAndTheirMessagesFollow() throws Exception {
        String queue = "once-late.fifo";
        int port;
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        try (Postgres database = database();
                Applications applications = applications(URI.create("http://127.0.0.1:" + port), database, queue)) {
            JdbcTemplate jdbc = database.jdbc();
            applications.awaitStarted();
            Duration cold = place(jdbc, applications);
            Duration absent = place(jdbc, applications);
            assertThat(waiting(jdbc)).isEqualTo(2 * ORDERS_WITHOUT_SQS);
            try (SqsProcess sqs = new SqsProcess(folder.resolve("sqs.log"), port)) {
                sqs.queues()
                        .client()
                        .createQueue(request ->
                                request.queueName(queue).attributes(Map.of(QueueAttributeName.FIFO_QUEUE, "true")));
                applications.await("the outbox is empty", () -> waiting(jdbc), () -> waiting(jdbc) == 0);
                Duration present = place(jdbc, applications);
                applications.await("the outbox is empty", () -> waiting(jdbc), () -> waiting(jdbc) == 0);
                applications.stop();
                List<String> tried = RunLedger.texts(applications.ledger());
                int unused = assertSent(jdbc, sqs.drain(queue), tried, queue);
                System.out.printf(
                        "reliability: %d orders placed within %d ms without SQS (the first ones: %d ms), within %d ms with it%n",
                        ORDERS_WITHOUT_SQS, absent.toMillis(), cold.toMillis(), present.toMillis());
            }
        }
    }

    /** Places orders, and returns how long it took. */
    private static Duration place(JdbcTemplate jdbc, Applications applications) {
        long began = System.nanoTime();
        long goal = placed(jdbc) + ORDERS_WITHOUT_SQS;
        addToGoal(jdbc, ORDERS_WITHOUT_SQS / GROUPS);
        applications.await(goal + " orders are placed", () -> placed(jdbc), () -> placed(jdbc) == goal);
        return Duration.ofNanos(System.nanoTime() - began);
    }

    private static void addToGoal(JdbcTemplate jdbc, int ordersOfGroup) {
        assertThat(jdbc.update("UPDATE goal SET orders = orders + ?", ordersOfGroup))
                .isOne();
    }

    /** With the tables of the producers. An application whose transaction is open when it vanishes gives way after a while. */
    private Postgres database() throws IOException {
        Postgres database = new Postgres(folder);
        JdbcTemplate jdbc = database.jdbc();
        jdbc.execute("ALTER SYSTEM SET idle_in_transaction_session_timeout = '15s'");
        jdbc.execute("SELECT pg_reload_conf()");
        jdbc.execute(
                "CREATE TABLE placed (grp VARCHAR(10), position INT, message VARCHAR(80), PRIMARY KEY (grp, position))");
        jdbc.execute("CREATE TABLE goal (orders INT)");
        jdbc.execute("INSERT INTO goal VALUES (0)");
        return database;
    }

    private Applications applications(URI sqs, Postgres database, String queue) throws IOException {
        return new Applications(
                ProducerApplication.class,
                folder,
                sqs,
                database,
                queue,
                List.of("--batchsqs.sender.transactional=outbox"));
    }

    private void assertSent(String suffix, String tried, int faults, Fault fault) throws Exception {
        long began = System.nanoTime();
        try (SqsProcess sqs = new SqsProcess(folder.resolve("sqs.log"));
                Postgres database = database()) {
            JdbcTemplate jdbc = database.jdbc();
            String queue = sqs.queues().create(suffix, QUEUE);
            try (Applications applications = applications(sqs.endpoint(), database, queue)) {
                int portion = ORDERS_OF_A_GROUP * GROUPS;
                for (int i = 0; i < faults; i++) {
                    applications.awaitStarted(); // a start that the database ends is no subject of these tests
                    addToGoal(jdbc, ORDERS_OF_A_GROUP);
                    long mark = (long) i * portion + portion / 10 + random.nextInt(portion / 2);
                    int victim = i % Applications.INSTANCES;
                    applications.await(
                            mark + " orders are placed, some by instance " + victim,
                            () -> placed(jdbc),
                            () -> placed(jdbc) >= mark && applications.works(victim));
                    fault.happen(i, applications, database);
                }
                applications.awaitStarted();
                applications.await(
                        "all orders are placed and the outbox is empty",
                        () -> List.of(placed(jdbc), waiting(jdbc)),
                        () -> placed(jdbc) == (long) faults * portion && waiting(jdbc) == 0);
                assertThat(applications.allAlive()).isTrue();
                applications.stop();
                int repeated = assertSent(jdbc, sqs.drain(queue), RunLedger.texts(applications.ledger()), suffix);
                OnceReport.add("| %s, %s | %s | %d | %d | %d | – | %d rolled back | 0 | 0 | 0 | %d sent twice | %d |"
                        .formatted(
                                tried,
                                suffix.isEmpty() ? "standard" : "FIFO",
                                sqs.name(),
                                seed,
                                faults,
                                faults * portion,
                                RunLedger.texts(applications.ledger()).size() - faults * portion,
                                repeated,
                                Duration.ofNanos(System.nanoTime() - began).toSeconds()));
            }
        }
    }

    private static long placed(JdbcTemplate jdbc) {
        return Objects.requireNonNull(jdbc.queryForObject("SELECT count(*) FROM placed", Long.class));
    }

    private static long waiting(JdbcTemplate jdbc) {
        return Objects.requireNonNull(jdbc.queryForObject("SELECT count(*) FROM batchsqs_outbox", Long.class));
    }

    /** Returns how many messages are there twice. */
    private static int assertSent(JdbcTemplate jdbc, List<Message> received, List<String> tried, String suffix) {
        List<String> committed =
                jdbc.query("SELECT message FROM placed ORDER BY grp, position", (row, number) -> row.getString(1));
        List<String> bodies = received.stream().map(Message::body).toList();
        Set<String> distinct = new LinkedHashSet<>(bodies);
        assertThat(tried).containsAll(committed);
        assertThat(distinct).as("committed messages, and no others").isEqualTo(new HashSet<>(committed));
        if (suffix.endsWith(".fifo")) {
            assertThat(byGroup(bodies)).as("once, and in order").isEqualTo(byGroup(committed));
        }
        return bodies.size() - distinct.size();
    }

    private static Map<String, List<String>> byGroup(List<String> messages) {
        return messages.stream()
                .collect(Collectors.groupingBy(
                        message -> message.substring(0, message.indexOf(':')), TreeMap::new, Collectors.toList()));
    }
}
