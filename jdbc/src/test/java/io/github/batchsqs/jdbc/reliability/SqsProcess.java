/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.jdbc.reliability;

import io.github.batchsqs.testkit.JavaProcess;
import io.github.batchsqs.testkit.SqsQueues;
import java.io.BufferedReader;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.elasticmq.rest.sqs.SQSRestServerBuilder;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchRequestEntry;

/** ElasticMQ in a process of its own, or the server at the system property {@code batchsqs.test.endpoint}; and its queues. */
final class SqsProcess implements AutoCloseable {

    private static final String GIVEN = System.getProperty("batchsqs.test.endpoint", "");
    private static final String STARTED = "endpoint ";
    private static final int BATCH = 10;
    private static final Duration LONGEST_DRAIN = Duration.ofMinutes(5);

    private final @Nullable Process process;
    private final URI endpoint;
    private final SqsQueues queues;

    SqsProcess(Path log) throws IOException {
        this(log, 0);
    }

    /** @param port where ElasticMQ listens; 0 for any */
    SqsProcess(Path log, int port) throws IOException {
        if (GIVEN.isEmpty()) {
            process = JavaProcess.builder(SqsProcess.class, List.of("-Xmx768m"), List.of(Integer.toString(port)))
                    .redirectError(Redirect.appendTo(log.toFile()))
                    .start();
            endpoint = URI.create(line(process.inputReader()));
        } else {
            process = null;
            endpoint = URI.create(GIVEN);
        }
        queues = SqsQueues.at(endpoint);
    }

    /** The server, which ends when its input does. */
    public static void main(String... arguments) throws IOException {
        int port = SQSRestServerBuilder.withInterface("127.0.0.1")
                .withPort(Integer.parseInt(arguments[0]))
                .withAWSRegion(Region.US_EAST_1.id())
                .start()
                .waitUntilStarted()
                .localAddress()
                .getPort();
        System.out.println(STARTED + "http://127.0.0.1:" + port);
        int unused = System.in.read();
        Runtime.getRuntime().halt(0);
    }

    private static String line(BufferedReader output) throws IOException {
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            if (line.startsWith(STARTED)) {
                Thread unused = Thread.ofVirtual().start(() -> output.lines().forEach(ignored -> {}));
                return line.substring(STARTED.length());
            }
        }
        throw new IOException("The SQS server did not start");
    }

    URI endpoint() {
        return endpoint;
    }

    String name() {
        return GIVEN.isEmpty() ? "ElasticMQ" : GIVEN;
    }

    SqsQueues queues() {
        return queues;
    }

    void send(String queue, List<String> bodies) {
        String url = queues.url(queue);
        for (int from = 0; from < bodies.size(); from += BATCH) {
            List<SendMessageBatchRequestEntry> entries = new ArrayList<>();
            for (String body : bodies.subList(from, Math.min(bodies.size(), from + BATCH))) {
                entries.add(SendMessageBatchRequestEntry.builder()
                        .id("m" + entries.size())
                        .messageBody(body)
                        .build());
            }
            var response = queues.client()
                    .sendMessageBatch(request -> request.queueUrl(url).entries(entries));
            if (response.hasFailed() && !response.failed().isEmpty()) {
                throw new AssertionError("Not sent: " + response.failed());
            }
        }
    }

    /** Receives and deletes all messages, in the order of their delivery. */
    List<Message> drain(String queue) {
        List<Message> all = new ArrayList<>();
        long deadline = System.nanoTime() + LONGEST_DRAIN.toNanos();
        for (int left = queues.size(queue); left > 0; left = queues.size(queue)) {
            if (System.nanoTime() - deadline > 0) {
                throw new AssertionError(left + " messages of " + queue + " were not received within "
                        + LONGEST_DRAIN.toMinutes() + " minutes, " + all.size() + " were");
            }
            all.addAll(queues.take(queue));
        }
        return all;
    }

    @Override
    public void close() {
        queues.client().close();
        if (process != null) {
            Process unused = process.destroyForcibly().onExit().join();
        }
    }
}
