/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.once;

import io.github.batchsqs.benchmarks.once.FleetResult.Phase;
import io.github.batchsqs.benchmarks.report.Answers;
import io.github.batchsqs.benchmarks.report.JavaProcess;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageSystemAttributeName;

/**
 * Measures how long messages of one group take from the commit to SQS: with one instance that has little to do, with {@value #INSTANCES}, and
 * after the one that sends was killed. SQS's own time stamps are compared with the times after the commits, in whole milliseconds.
 */
final class Fleet {

    static final int INSTANCES = 4;
    static final int PER_SECOND = 15;
    static final int CALL_MILLIS = 10;

    private static final int IDLE_PER_SECOND = 10;
    private static final int WARM_UP_SECONDS = 10;

    private final Servers servers;
    private final int seconds;

    /** The times after the commits, by number. */
    private final NavigableMap<Integer, Long> committed = new ConcurrentSkipListMap<>();

    /** @param seconds of each phase */
    Fleet(Servers servers, int seconds) {
        this.servers = servers;
        this.seconds = seconds;
    }

    FleetResult run(String row) throws IOException, InterruptedException {
        servers.postgres().jdbc().execute("DROP TABLE IF EXISTS " + FleetInstance.NUMBERS);
        servers.postgres().jdbc().execute("CREATE TABLE " + FleetInstance.NUMBERS + " AS SELECT 0 AS next");
        servers.simulator().empty(FleetInstance.QUEUE);
        servers.simulator().latency(CALL_MILLIS);
        List<Instance> fleet = new ArrayList<>();
        try {
            fleet.add(new Instance("idle", IDLE_PER_SECOND));
            int none = passed(fleet, WARM_UP_SECONDS);
            int idle = passed(List.of(), seconds);
            fleet.removeFirst().end();
            for (int i = 0; i < INSTANCES; i++) {
                fleet.add(new Instance("fleet-" + i, PER_SECOND));
            }
            int warm = passed(fleet, WARM_UP_SECONDS);
            int all = passed(List.of(), seconds);
            String sending = sending();
            for (Instance each : fleet) {
                if (each.name.equals(sending)) {
                    each.close();
                }
            }
            fleet.removeIf(each -> each.name.equals(sending));
            int killed = passed(List.of(), seconds);
            for (Instance each : fleet) {
                each.end();
            }
            servers.awaitEmptyOutbox();
            NavigableMap<Integer, Long> sent = new TreeMap<>();
            boolean inOrder = drain(sent);
            return new FleetResult(
                    row,
                    inOrder && sent.keySet().containsAll(committed.keySet()),
                    List.of(
                            phase("1 × %d/s".formatted(IDLE_PER_SECOND), sent, none, idle),
                            phase("%d × %d/s".formatted(INSTANCES, PER_SECOND), sent, warm, all),
                            phase("one killed", sent, all, killed)));
        } finally {
            fleet.forEach(Instance::close);
            servers.simulator().latency(SimulatorProcess.LATENCY_MILLIS);
        }
    }

    /** Starts instances and returns the last number that is committed after a time. */
    private int passed(List<Instance> starting, int waited) throws IOException, InterruptedException {
        for (Instance each : starting) {
            each.start();
        }
        TimeUnit.SECONDS.sleep(waited);
        return committed.isEmpty() ? 0 : committed.lastKey();
    }

    /** Returns the instance whose relay claims rows at this moment, to send them next. */
    private String sending() throws IOException {
        long began = System.nanoTime();
        while (System.nanoTime() - began < Servers.LONGEST.toNanos()) {
            List<@Nullable String> claiming = servers.postgres()
                    .jdbc()
                    .queryForList(
                            "SELECT application_name FROM pg_stat_activity WHERE application_name LIKE 'fleet-%'"
                                    + " AND query LIKE 'UPDATE " + OutboxLoad.TABLE + " SET owner = $%'",
                            String.class);
            if (!claiming.isEmpty()) {
                return Objects.requireNonNull(claiming.getFirst());
            }
        }
        throw new IOException("No instance claims rows of the outbox");
    }

    private Phase phase(String what, Map<Integer, Long> sent, int from, int to) {
        return Phase.of(
                what,
                committed.subMap(from, false, to, true).entrySet().stream()
                        .filter(each -> sent.containsKey(each.getKey()))
                        .mapToDouble(each -> Math.max(0, sent.getOrDefault(each.getKey(), 0L) - each.getValue()))
                        .toArray());
    }

    /** Receives all messages with the times at which SQS accepted them; returns whether each came once and in order. */
    private boolean drain(Map<Integer, Long> sent) {
        boolean inOrder = true;
        try (SqsClient sqs = SqsClient.builder()
                .endpointOverride(URI.create(servers.simulator().endpoint()))
                .region(Region.US_EAST_1)
                .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create("test", "test")))
                .build()) {
            String url = sqs.getQueueUrl(request -> request.queueName(FleetInstance.QUEUE))
                    .queueUrl();
            int last = 0;
            while (true) {
                List<Message> messages = sqs.receiveMessage(request -> request.queueUrl(url)
                                .maxNumberOfMessages(10)
                                .messageSystemAttributeNames(MessageSystemAttributeName.SENT_TIMESTAMP))
                        .messages();
                if (messages.isEmpty()) {
                    return inOrder;
                }
                for (Message each : messages) {
                    int number = Integer.parseInt(each.body());
                    inOrder &= number > last;
                    last = number;
                    sent.put(number, Long.parseLong(each.attributes().get(MessageSystemAttributeName.SENT_TIMESTAMP)));
                    var unused =
                            sqs.deleteMessage(request -> request.queueUrl(url).receiptHandle(each.receiptHandle()));
                }
            }
        }
    }

    /** A process of {@link FleetInstance}. */
    private final class Instance implements AutoCloseable {

        private final String name;
        private final Answers answers;
        private final Thread collector = Thread.ofVirtual().unstarted(this::collect);

        Instance(String name, int perSecond) throws IOException {
            this.name = name;
            List<String> arguments = new ArrayList<>(List.of(
                    Integer.toString(perSecond),
                    "--logging.level.root=error",
                    "--batchsqs.sender.transactional=outbox"));
            arguments.addAll(servers.settings(name));
            this.answers = new Answers(
                    "The instance " + name,
                    JavaProcess.of(List.of("-Xmx256m"), FleetInstance.class.getName(), arguments)
                            .redirectError(Redirect.INHERIT)
                            .start());
        }

        /** Waits until it is ready, and lets it commit. */
        void start() throws IOException, InterruptedException {
            while (!answers.next(Servers.LONGEST).equals(FleetInstance.READY)) {
                // a line of its log
            }
            answers.tell();
            collector.start();
        }

        private void collect() {
            try {
                while (true) {
                    String line = answers.next(Servers.LONGEST);
                    int space = line.indexOf(' ');
                    committed.put(
                            Integer.parseInt(line.substring(0, space)), Long.parseLong(line.substring(space + 1)));
                }
            } catch (IOException | InterruptedException ended) {
                // It was stopped or killed
            }
        }

        /** Has it end in an orderly way, and waits for that. */
        void end() throws IOException, InterruptedException {
            answers.tell();
            collector.join();
        }

        /** Kills it. */
        @Override
        public void close() {
            answers.close();
        }
    }
}
