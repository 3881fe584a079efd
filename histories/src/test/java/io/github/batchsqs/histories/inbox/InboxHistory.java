/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.histories.inbox;

import io.github.batchsqs.Backoff;
import io.github.batchsqs.BatchListener;
import io.github.batchsqs.BatchOutcome;
import io.github.batchsqs.MessageBatch;
import io.github.batchsqs.SqsMessage;
import io.github.batchsqs.errors.BatchSqsException;
import io.github.batchsqs.events.ListenerEvents;
import io.github.batchsqs.histories.database.FleetDatabase;
import io.github.batchsqs.histories.database.FleetHistory;
import io.github.batchsqs.histories.inbox.InboxPlan.Act;
import io.github.batchsqs.histories.laws.Broken;
import io.github.batchsqs.internal.receive.EngineContainer;
import io.github.batchsqs.internal.receive.ListenerResources;
import io.github.batchsqs.internal.receive.delivery.MessageMemory;
import io.github.batchsqs.internal.receive.invoke.ListenerHandler;
import io.github.batchsqs.internal.support.TimeSource;
import io.github.batchsqs.jdbc.internal.inbox.HistoryInbox;
import io.github.batchsqs.listener.ErrorHook;
import io.github.batchsqs.listener.ListenerOptions;
import io.github.batchsqs.listener.ReceiveGate;
import io.github.batchsqs.model.sqs.ModelQueue;
import io.github.batchsqs.model.sqs.Observer;
import io.github.batchsqs.model.sqs.QueueSettings;
import io.github.batchsqs.model.sqs.SqsModel;
import io.github.batchsqs.model.sqs.Stored;
import io.github.batchsqs.model.sqs.TextPayload;
import io.github.batchsqs.model.time.VirtualTime;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;

/** One history of a fleet that listens with the inbox: each message has its effect in the database once, whatever happens. */
final class InboxHistory extends FleetHistory {

    /** A busy id waits for longer than the transaction of a vanished host may last. */
    private static final long DRAINED = InboxPlan.PEACE + Duration.ofMinutes(30).toNanos();

    /** Each disturbance may cost a receive, and the failing run costs one. */
    static final int MAX_RECEIVES = 8;

    /** Most of the receives were no runs then. */
    private static final int FEW = 3;

    private final InboxPlan plan;
    private final InboxQueue queue;
    private final List<Instance> instances = new ArrayList<>();
    private final Map<String, Integer> runs = new HashMap<>();
    private final Set<String> dead = new LinkedHashSet<>();
    private final Set<String> deleted = new LinkedHashSet<>();

    private final Set<String> effective = new LinkedHashSet<>();

    /** What a thread has run and may commit. */
    private final Map<Thread, MessageBatch<Object>> ran = new HashMap<>();

    /** By group, the last message with an effect. */
    private final Map<String, Integer> last = new HashMap<>();

    private record Instance(VirtualTime.Host host, FleetDatabase.Link link) {}

    private InboxHistory(InboxPlan plan, List<String> trace) throws SQLException {
        super(plan.seed(), trace);
        this.plan = plan;
        database.run("CREATE TABLE effects (body VARCHAR(20))");
        String end = plan.fifo() ? ".fifo" : "";
        SqsModel<TextPayload> model = new SqsModel<>(new Observer<>() {
            @Override
            public void moved(
                    ModelQueue<TextPayload> source, ModelQueue<TextPayload> target, Stored<TextPayload> message) {
                dead(message.payload().body());
            }

            @Override
            public void deleted(ModelQueue<TextPayload> where, Stored<TextPayload> message) {
                deleted.add(message.payload().body());
                note(message.payload().body() + " is deleted");
            }
        });
        ModelQueue<TextPayload> unused = model.create("dead" + end, QueueSettings.DEFAULT);
        ModelQueue<TextPayload> received = model.create(
                "inbox" + end,
                QueueSettings.DEFAULT
                        .withVisibilityTimeout(Duration.ofSeconds(10))
                        .withRedrive("dead" + end, MAX_RECEIVES));
        this.queue = new InboxQueue(time, received, plan, this::note);
    }

    /** Runs a plan, and returns the law that it breaks, or {@code null}. */
    static @Nullable Throwable run(InboxPlan plan, List<String> trace) {
        return run(() -> new InboxHistory(plan, trace));
    }

    @Override
    protected void run() {
        for (int i = 0; i < plan.messages(); i++) {
            String body = "m" + i;
            at(i * SECOND / (1 + plan.seed() % 10), () -> queue.send(body));
        }
        for (int i = 0; i < plan.instances(); i++) {
            instances.add(started(i));
        }
        plan.acts().forEach(act -> at(act.at(), () -> act(act)));
        pass(InboxPlan.PEACE);
        do {
            pass(time.nanos() + SECOND);
        } while (time.nanos() < DRAINED && deleted.size() + dead.size() < plan.messages());
        for (int i = 0; i < plan.messages(); i++) {
            check("m" + i);
        }
    }

    private void check(String body) {
        long effects = effects(body);
        if (effects > 1) {
            throw new Broken("The effect of a message is committed once.", body + " has " + effects + " effects");
        }
        if (effects == 0 && !dead.contains(body)) {
            throw new Broken(
                    "Each message has its effect.", body + (deleted.contains(body) ? " is deleted" : " still waits"));
        }
        if (!deleted.contains(body) && !dead.contains(body)) {
            throw new Broken("Each message leaves its queue.", body + " does not");
        }
    }

    private void dead(String body) {
        dead.add(body);
        note(body + " is dead-lettered");
        int ran = runs.getOrDefault(body, 0);
        if (ran < FEW) {
            breaks("Nothing that hardly ran is in the dead-letter queue.", body + " is, and ran " + ran + " times");
        }
    }

    @Override
    protected void committed() {
        MessageBatch<Object> batch = ran.remove(Thread.currentThread());
        if (batch != null && plan.fifo()) {
            for (Object each : batch.payloads()) {
                String body = String.valueOf(each);
                int number = number(body);
                if (effects(body) == 1
                        && effective.add(body)
                        && last.merge(InboxQueue.group(body), number, Math::max) > number) {
                    breaks("The effects of a group are committed in its order.", body + " is behind a later one");
                }
            }
        }
    }

    private long effects(String body) {
        try {
            return database.count("effects WHERE body = '" + body + "'");
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static int number(String body) {
        return Integer.parseInt(body.substring(1));
    }

    private void act(Act act) {
        note(act.toString());
        Instance instance = instances.get(act.instance());
        long until = time.nanos() + act.length();
        switch (act.deed()) {
            case KILL -> {
                time.kill(instance.host());
                at(until, instance.link()::endSessions);
                instances.set(act.instance(), started(act.instance()));
            }
            case HANG -> instance.link().hang(Math.min(until, InboxPlan.PEACE));
            case VANISH -> instance.link().vanish(Math.min(until, InboxPlan.PEACE));
            case LOSE_COMMIT -> instance.link().loseCommit();
        }
    }

    // ---- an instance

    private Instance started(int index) {
        Instance instance = new Instance(time.host("instance " + index, 2), database.new Link());
        Thread unused = time.startPlatform(instance.host(), "start", () -> start(instance.link()));
        return instance;
    }

    private void start(FleetDatabase.Link link) {
        JdbcTransactionManager transactions = new JdbcTransactionManager(link);
        InboxQueue client = queue.another();
        Handler handler = new Handler(new JdbcTemplate(link));
        ListenerOptions options = ListenerOptions.builder("history", queue.name())
                .batchSize(plan.batchSize())
                .concurrency(plan.concurrency())
                .failure(new ListenerOptions.Failure(
                        Backoff.exponential(Duration.ofMillis(500), Duration.ofSeconds(4)),
                        false,
                        List.of(),
                        ListenerOptions.Failure.NO_DEAD_LETTER))
                .build();
        while (true) {
            try {
                BatchListener<Object> inbox = HistoryInbox.around(handler, client.name(), link.database(transactions));
                new EngineContainer(
                                options,
                                new ListenerHandler<>(message -> message.body(), inbox, List.of(), ErrorHook.NONE),
                                new ListenerResources(
                                        client,
                                        client,
                                        ListenerEvents.NONE,
                                        TimeSource.system(),
                                        Map.of("inbox", (ReceiveGate) inbox),
                                        MessageMemory.unlimited(),
                                        null))
                        .start();
                return;
            } catch (BatchSqsException
                    | org.springframework.dao.DataAccessException
                    | org.springframework.transaction.TransactionException e) {
                note("no start: " + e);
                VirtualTime.current().compute(SECOND);
            }
        }
    }

    /** The user's code: writes to the database, and fails or takes its time when the plan says so. */
    private final class Handler implements BatchListener<Object> {

        private final JdbcTemplate jdbc;

        Handler(JdbcTemplate jdbc) {
            this.jdbc = jdbc;
        }

        @Override
        public BatchOutcome onBatch(MessageBatch<Object> batch) throws Exception {
            note(VirtualTime.currentHost() + " runs " + batch.payloads());
            batch.payloads().forEach(body -> runs.merge(String.valueOf(body), 1, Integer::sum));
            for (SqsMessage<Object> message : batch) {
                String body = String.valueOf(message.payload());
                int number = number(body);
                int run = runs.getOrDefault(body, 0);
                int unused = jdbc.update("INSERT INTO effects (body) VALUES (?)", body);
                Thread.sleep(Duration.ofMillis(plan.slow().contains(number) ? 4_000 : 200));
                if (run == 1 && plan.failing().contains(number)) {
                    throw new IllegalStateException("the plan wants it");
                }
            }
            ran.put(Thread.currentThread(), batch);
            return BatchOutcome.done();
        }
    }
}
