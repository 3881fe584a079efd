/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.once;

import io.github.batchsqs.benchmarks.once.OnceRow.OfContest;
import io.github.batchsqs.benchmarks.once.OnceRow.OfFleet;
import io.github.batchsqs.benchmarks.once.OnceRow.OfGrowth;
import io.github.batchsqs.benchmarks.run.RowPatterns;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.springframework.context.ConfigurableApplicationContext;

/** Runs the rows of inbox and outbox, one after the other, and writes their results after each. */
public final class OnceSuite {

    /** The suite. */
    public static final String SUITE = "effectively-once";

    /** Of the first round, whose speed nobody knows. */
    private static final int FIRST_TRANSACTIONS = 300;

    private static final int FIRST_MESSAGES = 5_000;

    /** A queue of SQS has at most 120,000 messages in flight. */
    private static final int MOST_MESSAGES = 100_000;

    private final Effort effort;
    private final Servers servers;
    private final OncePage page;

    private OnceSuite(Effort effort, Servers servers, OncePage page) {
        this.effort = effort;
        this.servers = servers;
        this.page = page;
    }

    /** Returns the names of the rows that the patterns choose; {@code --quick} has all rows, in short. */
    public static List<String> names(List<String> patterns) {
        return chosen(patterns).stream().map(OnceRow::name).toList();
    }

    /**
     * Runs them.
     *
     * @param raw where the results go
     */
    public static void run(String command, List<String> patterns, boolean quick, Path raw)
            throws IOException, InterruptedException {
        try (Servers servers = Servers.start()) {
            OncePage page = OncePage.empty(command, servers.postgres().describe());
            OnceSuite suite = new OnceSuite(quick ? Effort.QUICK : Effort.FULL, servers, page);
            for (OnceRow row : chosen(patterns)) {
                long began = System.nanoTime();
                servers.emptyTables();
                suite.run(row);
                page.save(raw);
                System.err.printf("%s: %.0f s%n", row.name(), (System.nanoTime() - began) / 1e9);
            }
        }
    }

    private static List<OnceRow> chosen(List<String> patterns) {
        return OnceRows.all().stream()
                .filter(row -> RowPatterns.choose(patterns, row.name()))
                .toList();
    }

    private void run(OnceRow row) throws IOException, InterruptedException {
        switch (row) {
            case OfContest contest -> page.contests().add(contest(contest));
            case OfGrowth growth -> page.growth().add(growth(growth));
            case OfFleet fleet -> page.fleets().add(new Fleet(servers, effort.fleetSeconds()).run(fleet.name()));
        }
    }

    private ContestResult contest(OfContest row) throws IOException, InterruptedException {
        Map<String, List<Round>> rounds = new LinkedHashMap<>();
        try (Contest contest = row.start().start(servers, row.batch(), null)) {
            int messages = warmUp(contest, row);
            for (int i = 0; i < effort.rounds(); i++) {
                for (String contestant : contest.contestants()) {
                    Round round = contest.round(contestant, messages);
                    System.err.println(row.name() + " " + contestant + ": " + round);
                    rounds.computeIfAbsent(contestant, name -> new ArrayList<>())
                            .add(round);
                }
            }
        }
        List<ContestResult.Contestant> contestants = new ArrayList<>();
        for (Map.Entry<String, List<Round>> each : rounds.entrySet()) {
            contestants.add(
                    new ContestResult.Contestant(each.getKey(), each.getValue(), statements(row, each.getKey())));
        }
        return new ContestResult(row.name(), row.what(), contestants);
    }

    /** Returns how many messages a measured round has, of either contestant. */
    private int warmUp(Contest contest, OfContest row) throws IOException, InterruptedException {
        int messages = size(Math.min(FIRST_TRANSACTIONS * row.batch(), FIRST_MESSAGES), row.batch());
        for (int i = 0; i < effort.warmUp(); i++) {
            double perSecond = Double.MAX_VALUE;
            for (String contestant : contest.contestants()) {
                Round round = contest.round(contestant, messages);
                System.err.println("Warm-up of " + contestant + ": " + round);
                perSecond = Math.min(perSecond, round.messagesPerSecond());
            }
            messages = size(perSecond * effort.roundSeconds(), row.batch());
        }
        return row.burst() > 0 ? row.burst() : messages;
    }

    /** Whole batches, at least one for each invocation. */
    private static int size(double messages, int batch) {
        int batches = (int) Math.min(messages, MOST_MESSAGES) / batch;
        return Math.max(Servers.CONCURRENCY, batches) * batch;
    }

    private Statements statements(OfContest row, String contestant) throws IOException, InterruptedException {
        StatementCount count = new StatementCount();
        try (Contest contest = row.start().start(servers, row.batch(), count)) {
            Round unused = contest.round(contestant, size(effort.counted() / 10.0, row.batch()));
            count.reset();
            return count.statements(contest.round(contestant, size(effort.counted(), row.batch())));
        }
    }

    private GrowthResult growth(OfGrowth row) throws IOException, InterruptedException {
        try (ConfigurableApplicationContext context =
                servers.application(SenderApplication.class, row.settings(), null)) {
            Growth.Progress progress = new Growth.Progress();
            Growth.Load load = row.table().equals(InboxLoad.TABLE)
                    ? new InboxLoad(context, progress)
                    : new OutboxLoad(servers.simulator(), context, progress);
            Growth growth = new Growth(servers.postgres(), row.table(), load, progress, OnceRows.PER_SECOND);
            return new GrowthResult(row.name(), row.what(), growth.run(effort.growth(), effort.sampleEvery()));
        }
    }
}
