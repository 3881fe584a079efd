/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.once;

import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ConfigurableApplicationContext;
import tools.jackson.databind.JsonNode;

/** Drains backlogs by handlers with and without the inbox. Both listeners run all the time; the one whose queue is empty waits in a long poll. */
final class InboxContest implements Contest {

    private static final int BYTES = 100;
    private static final int LONGEST_MILLIS = 120_000;
    private static final double MICROS = 1e6;

    private final Servers servers;
    private final ConfigurableApplicationContext context;
    private final InboxApplication application;

    InboxContest(Servers servers, int batch, @Nullable StatementCount count) throws IOException {
        this.servers = servers;
        for (String queue : contestants()) {
            servers.simulator().empty(queue);
        }
        this.context = servers.application(
                InboxApplication.class,
                List.of(
                        "--batchsqs.listener.concurrency=" + Servers.CONCURRENCY,
                        "--batchsqs.listener.batch-size=" + batch,
                        "--batchsqs.listener.batch-linger=" + (batch == 1 ? "0ms" : "50ms")),
                count);
        this.application = context.getBean(InboxApplication.class);
    }

    @Override
    public List<String> contestants() {
        return List.of(InboxApplication.WITHOUT, InboxApplication.INBOX);
    }

    @Override
    public Round round(String contestant, int messages) throws IOException {
        SimulatorProcess sqs = servers.simulator();
        long rows = servers.postgres().count(Servers.WORK);
        long unused = application.invocations();
        JsonNode ignored = sqs.control("reset?queue=" + contestant);
        ignored = sqs.control("fill?queue=%s&messages=%d&bytes=%d".formatted(contestant, messages, BYTES));
        JsonNode stats = sqs.control("await?deleted=" + messages + "&withinMillis=" + LONGEST_MILLIS);
        long deleted = stats.get("deleted").asLong();
        long added = servers.postgres().count(Servers.WORK) - rows;
        if (deleted != messages || added != messages) {
            throw new IOException("%s: of %d messages %d were deleted within %d s, and %d rows were inserted"
                    .formatted(contestant, messages, deleted, LONGEST_MILLIS / 1_000, added));
        }
        double seconds = stats.get("lastDeleteMicros").asLong() / MICROS;
        return new Round(messages, application.invocations(), seconds, seconds);
    }

    @Override
    public void close() {
        context.close();
    }
}
