/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.once;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ConfigurableApplicationContext;
import tools.jackson.databind.JsonNode;

/** Sends messages of transactions, after their commit or by the outbox. Each contestant is an application, which starts with its first round. */
final class OutboxContest implements Contest {

    static final String AFTER_COMMIT = "after-commit";
    static final String OUTBOX = "outbox";

    private static final double MICROS = 1e6;
    private static final double NANOS = 1e9;

    private final Servers servers;
    private final int batch;
    private final int waiting;
    private final @Nullable StatementCount count;
    private final Map<String, ConfigurableApplicationContext> contexts = new TreeMap<>();

    /** @param waiting the maximum number of messages that are not yet accepted */
    OutboxContest(Servers servers, int batch, int waiting, @Nullable StatementCount count) {
        this.servers = servers;
        this.batch = batch;
        this.waiting = waiting;
        this.count = count;
    }

    @Override
    public List<String> contestants() {
        return List.of(AFTER_COMMIT, OUTBOX);
    }

    @Override
    public Round round(String contestant, int messages) throws IOException, InterruptedException {
        SenderApplication application = application(contestant);
        SimulatorProcess sqs = servers.simulator();
        sqs.empty(contestant);
        long transactions = Math.ceilDiv(messages, batch);
        long all = transactions * batch;
        JsonNode unused = sqs.control("reset?queue=" + contestant);
        long began = System.nanoTime();
        AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
        BoundedSender sender = new BoundedSender(
                application, contestant, waiting, () -> {}, cause -> failure.compareAndSet(null, cause));
        commit(sender, transactions);
        double commitSeconds = (System.nanoTime() - began) / NANOS;
        JsonNode stats = sqs.control("await?sent=" + all + "&withinMillis=" + Servers.LONGEST.toMillis());
        if (contexts.containsKey(OUTBOX)) {
            servers.awaitEmptyOutbox();
        }
        long sent = sqs.control("stats").get("sent").asLong();
        if (sent != all) {
            throw new IOException(
                    "%s: SQS accepted %d messages within %d s instead of %d"
                            .formatted(contestant, sent, Servers.LONGEST.toSeconds(), all),
                    failure.get());
        }
        return new Round(all, transactions, stats.get("lastSendMicros").asLong() / MICROS, commitSeconds);
    }

    private SenderApplication application(String contestant) throws IOException {
        ConfigurableApplicationContext context = contexts.get(contestant);
        if (context == null) {
            servers.simulator().empty(contestant);
            context = servers.application(
                    SenderApplication.class, List.of("--batchsqs.sender.transactional=" + contestant), count);
            contexts.put(contestant, context);
        }
        return context.getBean(SenderApplication.class);
    }

    private void commit(BoundedSender sender, long transactions) throws IOException, InterruptedException {
        AtomicLong next = new AtomicLong();
        List<Future<?>> running = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < Servers.CONCURRENCY; i++) {
                running.add(threads.submit(() -> {
                    for (long number = next.getAndIncrement(); number < transactions; number = next.getAndIncrement()) {
                        sender.awaitRoom(batch);
                        sender.transaction(number, batch);
                    }
                    return null;
                }));
            }
            for (Future<?> each : running) {
                Object unused = each.get();
            }
        } catch (ExecutionException e) {
            throw new IOException("A transaction failed", e.getCause());
        }
    }

    @Override
    public void close() {
        contexts.values().forEach(ConfigurableApplicationContext::close);
    }
}
