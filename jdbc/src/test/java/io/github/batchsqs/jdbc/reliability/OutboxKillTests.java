/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.jdbc.reliability;

import static org.assertj.core.api.Assertions.assertThat;

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
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.jdbc.core.JdbcTemplate;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;

/**
 * Two instances of an application that sends through the outbox, one of which is killed at a time. Each committed order has its message, once and
 * in the order of its group on a FIFO queue; no order that was rolled back has one.
 */
@Tag("reliability")
class OutboxKillTests {

    private static final boolean FULL = Boolean.getBoolean("reliability.full");
    private static final int KILLS = FULL ? 20 : 2;
    private static final int GROUPS = Applications.INSTANCES * ProducerApplication.GROUPS;

    /** Between two kills. */
    private static final int ORDERS_OF_A_GROUP = FULL ? 50 : 25;

    private final long seed =
            Long.getLong("reliability.seed", ThreadLocalRandom.current().nextInt(1_000_000));
    private final Random random = new Random(seed);

    /** It stays if the test fails, with the logs of the processes. */
    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path folder;

    @Test
    void producersThatAreKilledSendEachCommittedMessageOnceAndInOrderToAFifoQueue() throws Exception {
        assertSent(".fifo");
    }

    @Test
    void producersThatAreKilledSendEachCommittedMessageToAStandardQueue() throws Exception {
        assertSent("");
    }

    private void assertSent(String suffix) throws Exception {
        long began = System.nanoTime();
        try (SqsProcess sqs = new SqsProcess(folder.resolve("sqs.log"));
                Postgres database = new Postgres(folder)) {
            JdbcTemplate jdbc = database.jdbc();
            jdbc.execute(
                    "CREATE TABLE placed (grp VARCHAR(10), position INT, message VARCHAR(80), PRIMARY KEY (grp, position))");
            jdbc.execute("CREATE TABLE goal (orders INT)");
            jdbc.execute("INSERT INTO goal VALUES (0)");
            String queue = sqs.queues().create(suffix, Map.of(QueueAttributeName.VISIBILITY_TIMEOUT, "120"));
            try (Applications applications = new Applications(
                    ProducerApplication.class,
                    folder,
                    sqs,
                    database,
                    queue,
                    List.of("--batchsqs.sender.transactional=outbox"))) {
                int portion = ORDERS_OF_A_GROUP * GROUPS;
                for (int i = 0; i < KILLS; i++) {
                    assertThat(jdbc.update("UPDATE goal SET orders = orders + ?", ORDERS_OF_A_GROUP))
                            .isOne();
                    long mark = (long) i * portion + portion / 10 + random.nextInt(portion / 2);
                    int victim = i % Applications.INSTANCES;
                    applications.await(
                            mark + " orders are placed, some by instance " + victim,
                            () -> placed(jdbc),
                            () -> placed(jdbc) >= mark && applications.works(victim));
                    applications.kill(victim);
                }
                applications.awaitStarted();
                applications.await(
                        "all orders are placed and the outbox is empty",
                        () -> List.of(placed(jdbc), waiting(jdbc)),
                        () -> placed(jdbc) == (long) KILLS * portion && waiting(jdbc) == 0);
                assertThat(applications.allAlive()).isTrue();
                assertThat(applications.kills()).isEqualTo(KILLS);
                applications.stop();
                int repeated = assertSent(jdbc, sqs.drain(queue), RunLedger.texts(applications.ledger()), suffix);
                OnceReport.add(
                        "| SIGKILL of one of two producers, %s | %s | %d | %d | %d | – | %d rolled back | 0 | 0 | 0 | %d sent twice | %d |"
                                .formatted(
                                        suffix.isEmpty() ? "standard" : "FIFO",
                                        sqs.name(),
                                        seed,
                                        KILLS,
                                        KILLS * portion,
                                        RunLedger.texts(applications.ledger()).size() - KILLS * portion,
                                        repeated,
                                        Duration.ofNanos(System.nanoTime() - began)
                                                .toSeconds()));
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
        if (!suffix.isEmpty()) {
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
