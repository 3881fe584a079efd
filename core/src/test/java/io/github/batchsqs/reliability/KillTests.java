/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.reliability;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.client.Queue;
import io.github.batchsqs.reliability.Ledger.Kind;
import io.github.batchsqs.reliability.Worker.Signal;
import io.github.batchsqs.testkit.ElasticMqServer;
import io.github.batchsqs.testkit.Progress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;

/**
 * A consumer and a producer, each a process of its own, killed at random moments and started again, on a server that outlives
 * them; what happened is read from a ledger. {@code -Dreliability.full=true} for the long form, {@code -Dreliability.seed}
 * for the moments of an earlier run.
 */
@Tag("reliability")
@Execution(ExecutionMode.CONCURRENT)
class KillTests {

    private static final boolean FULL = Boolean.getBoolean("reliability.full");
    private static final int KILLS = FULL ? 20 : 3;
    private static final int MESSAGES = FULL ? 20_000 : 2_000;
    private static final int GROUPS = 20;
    private final ElasticMqServer server = ElasticMqServer.shared();
    private final long seed =
            Long.getLong("reliability.seed", ThreadLocalRandom.current().nextInt(1_000_000));

    @TempDir
    Path directory;

    @Test
    void processesThatAreKilledLoseNothingOnAStandardQueue() throws Exception {
        assertKilled(server.createQueue(visibility(4)));
    }

    @Test
    void processesThatAreKilledLoseAndReorderNothingOnAFifoQueue() throws Exception {
        assertKilled(server.createFifoQueue(visibility(4)));
    }

    @Test
    void processesThatAreAskedToEndLoseAndRepeatNothingOnAStandardQueue() throws Exception {
        assertEnded(server.createQueue(visibility(10)));
    }

    @Test
    void processesThatAreAskedToEndLoseRepeatAndReorderNothingOnAFifoQueue() throws Exception {
        assertEnded(server.createFifoQueue(visibility(10)));
    }

    private void assertKilled(Queue queue) throws Exception {
        Verdict verdict = run(queue, Signal.SIGKILL);
        assertThat(verdict.lost()).as("lost").isZero();
        assertThat(verdict.rerun()).as("run again").isLessThanOrEqualTo(KILLS * ConsumerProcess.MOST_IN_FLIGHT);
        assertThat(verdict.unexplained()).as("run again without reason").isZero();
        if (queue.fifo() && server.keepsOrderOfWhatIsGivenBack()) {
            assertThat(verdict.outOfOrder()).as("out of order").isZero();
        }
        assertThat(verdict.sentTwice())
                .as("sent twice")
                .isLessThanOrEqualTo(queue.fifo() ? 0 : KILLS * ProducerProcess.MOST_IN_FLIGHT);
    }

    private void assertEnded(Queue queue) throws Exception {
        Verdict verdict = run(queue, Signal.SIGTERM);
        boolean ordered = queue.fifo() && server.keepsOrderOfWhatIsGivenBack();
        assertThat(verdict).isEqualTo(new Verdict(MESSAGES, 0, 0, 0, 0, ordered ? 0 : verdict.outOfOrder()));
    }

    private Verdict run(Queue queue, Signal signal) throws Exception {
        Path file = Files.createFile(directory.resolve("ledger"));
        Job job = new Job(server.endpoint(), server.region().id(), queue.name(), file, MESSAGES, GROUPS);
        Random random = new Random(seed);
        LedgerTail ledger = new LedgerTail(file);
        try (Worker producer = new Worker(ProducerProcess.class, job, Kind.SENT, signal, KILLS, random);
                Worker consumer = new Worker(ConsumerProcess.class, job, Kind.RUN, signal, KILLS, random)) {
            Progress.whileMoving(() -> ledger.read().events().size(), () -> {
                producer.step(ledger);
                consumer.step(ledger);
                return producer.survived()
                        && consumer.survived()
                        && ledger.keys(Kind.SENT).size() == MESSAGES
                        && server.size(queue) == 0;
            });
            consumer.stop();
            Verdict verdict = Verdict.of(ledger.read().events());
            report(queue, signal, producer, consumer, verdict);
            return verdict;
        }
    }

    private void report(Queue queue, Signal signal, Worker producer, Worker consumer, Verdict verdict) {
        boolean asked = signal == Signal.SIGTERM;
        long longest = Math.max(
                producer.longestStop().toMillis(), consumer.longestStop().toMillis());
        Report.add(new Report.Row(
                KillTests.class,
                signal + ", " + (queue.fifo() ? "FIFO" : "standard"),
                seed,
                MESSAGES,
                producer.kills() + " of the producer, " + consumer.kills() + " of the consumer",
                verdict.lost(),
                Report.bounded(verdict.rerun(), asked ? 0 : KILLS * ConsumerProcess.MOST_IN_FLIGHT),
                Report.bounded(verdict.sentTwice(), asked || queue.fifo() ? 0 : KILLS * ProducerProcess.MOST_IN_FLIGHT),
                Report.outOfOrder(verdict.outOfOrder(), queue, server),
                asked ? longest + " ms" : "–"));
    }

    private static Map<QueueAttributeName, String> visibility(int seconds) {
        return Map.of(QueueAttributeName.VISIBILITY_TIMEOUT, Integer.toString(seconds));
    }
}
