/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.cluster.instance;

import io.github.batchsqs.SqsMessage;
import io.github.batchsqs.annotation.BatchSqsListener;
import io.github.batchsqs.internal.client.QueueClient;
import io.github.batchsqs.internal.direct.DirectQueueClient;
import io.github.batchsqs.jdbc.BatchSqsJdbcAutoConfiguration;
import io.github.batchsqs.jdbc.internal.inbox.BatchSqsInboxAutoConfiguration;
import io.github.batchsqs.receive.ListenerContainers;
import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * A Spring Boot application with a listener of a standard queue and one of a FIFO queue, at their defaults, and another one of the FIFO queue that
 * receives further ahead. Its first line has the time of its clock, and whether it makes direct calls. Each line of its input is a command, and each is confirmed by a line: {@code start} or {@code stop} with the id of a listener, {@code ledger} with a file. It is killed when its input ends.
 *
 * <p>The ledger has a line for each begin and each end of a message. A line is in the file when the invocation goes on, so a kill loses none.
 */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration(
        exclude = { // of the suite effectively-once, which has a database
            DataSourceAutoConfiguration.class,
            BatchSqsJdbcAutoConfiguration.class,
            BatchSqsInboxAutoConfiguration.class
        })
public class ClusterInstance {

    /** A fixed number, so that the ideal is known. */
    private static final String INVOCATIONS = "16";

    private static final int DIGITS = 16;
    private static final int NANOS_PER_MICRO = 1_000;

    private volatile FileOutputStream ledger = new FileOutputStream(FileDescriptor.err);

    /** Starts an instance. */
    public static void main(String[] args) throws IOException {
        PrintStream confirmations = System.out;
        System.setOut(System.err);
        SpringApplication application = new SpringApplication(ClusterInstance.class);
        application.setDefaultProperties(Map.of("batchsqs.listeners.fifo-ahead.prefetch", "300"));
        ConfigurableApplicationContext context = application.run(args);
        ClusterInstance instance = context.getBean(ClusterInstance.class);
        ListenerContainers containers = context.getBean(ListenerContainers.class);
        String calls = context.getBean(QueueClient.class) instanceof DirectQueueClient ? "direct" : "AWS SDK";
        confirmations.println(System.currentTimeMillis() + " " + calls);
        try (BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            for (String line = commands.readLine(); line != null; line = commands.readLine()) {
                String[] words = line.split(" ", 2);
                switch (words[0]) {
                    case "start" -> containers.get(words[1]).start();
                    case "stop" -> containers.get(words[1]).stop();
                    case "ledger" -> instance.ledger = new FileOutputStream(words[1], true);
                    default -> throw new IllegalArgumentException(line);
                }
                confirmations.println("done");
            }
        }
        Runtime.getRuntime().halt(1);
    }

    @BatchSqsListener(id = "standard", queue = "cluster", concurrency = INVOCATIONS, autoStartup = "false")
    void standard(SqsMessage<String> message) throws IOException, InterruptedException {
        handle(message);
    }

    @BatchSqsListener(id = "fifo", queue = "cluster.fifo", concurrency = INVOCATIONS, autoStartup = "false")
    void fifo(SqsMessage<String> message) throws IOException, InterruptedException {
        handle(message);
    }

    @BatchSqsListener(id = "fifo-ahead", queue = "cluster.fifo", concurrency = INVOCATIONS, autoStartup = "false")
    void fifoAhead(SqsMessage<String> message) throws IOException, InterruptedException {
        handle(message);
    }

    /** The body has the time of its birth, by the clock that all processes of a machine share, and how long its handler takes. */
    private void handle(SqsMessage<String> message) throws IOException, InterruptedException {
        FileOutputStream file = ledger;
        long now = System.nanoTime() / NANOS_PER_MICRO;
        String[] words = message.body().split(" ", 3);
        long birth = Long.parseLong(words[0], 0, DIGITS, 10);
        String group = message.groupId();
        String sequence = group == null ? "0" : String.valueOf(message.sequenceNumber());
        write(file, "B %d %s %s %s %d\n".formatted(now, message.id(), group, sequence, birth));
        TimeUnit.MILLISECONDS.sleep(Long.parseLong(words[1]));
        write(file, "E %d %s\n".formatted(System.nanoTime() / NANOS_PER_MICRO, message.id()));
    }

    /** A write of so few bytes to a file that was opened to append is atomic. */
    private static void write(FileOutputStream file, String line) throws IOException {
        file.write(line.getBytes(StandardCharsets.US_ASCII));
    }
}
