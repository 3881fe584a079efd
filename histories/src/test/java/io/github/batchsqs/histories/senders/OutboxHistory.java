/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.histories.senders;

import io.github.batchsqs.histories.database.FleetHistory;
import io.github.batchsqs.histories.laws.Broken;
import io.github.batchsqs.histories.senders.OutboxPlan.Act;
import io.github.batchsqs.histories.senders.OutboxPlan.AttemptFault;
import io.github.batchsqs.histories.senders.OutboxPlan.Step;
import io.github.batchsqs.histories.senders.OutboxPlan.Transaction;
import io.github.batchsqs.histories.senders.SenderPlan.Fault;
import io.github.batchsqs.model.sqs.ModelQueue;
import io.github.batchsqs.model.sqs.Observer;
import io.github.batchsqs.model.sqs.QueueSettings;
import io.github.batchsqs.model.sqs.SqsModel;
import io.github.batchsqs.model.sqs.Stored;
import io.github.batchsqs.model.sqs.TextPayload;
import io.github.batchsqs.model.time.VirtualTime;
import io.github.batchsqs.send.OutgoingMessage;
import io.github.batchsqs.send.SendFailedException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** One history of a fleet with one database: what committed is sent, once its time has come, and nothing else. */
final class OutboxHistory extends FleetHistory {

    /** How long everything may take in peace: leases, pauses, messages of a later time, and attempts that go wrong. */
    private static final long DRAINED = Duration.ofMinutes(2).toNanos();

    /** From commit to SQS, when nothing goes wrong. */
    private static final long SOON = 2 * SECOND;

    /** What a transaction may take beside its own work, if the database answers, whatever SQS does. */
    private static final long COMMIT = SECOND;

    /** How much longer than its timeout a stop may take: the relay waits for the database, and the template closes. */
    private static final long STOP_MARGIN = 16 * SECOND;

    /** SQS accepts a later message of a group by the same call: then the order is lost, whatever a sender does. */
    private static final Set<Fault> OF_ENTRIES =
            EnumSet.of(Fault.ENTRY_FAILED, Fault.ENTRY_THROTTLED, Fault.ENTRY_MISSING);

    private static final String GROUPS_OF_TWO = "(SELECT group_key FROM batchsqs_outbox WHERE group_key IS NOT NULL"
            + " AND owner IN (SELECT id FROM batchsqs_outbox_lock WHERE alive_until >= VIRTUAL_MILLIS())"
            + " GROUP BY group_key HAVING COUNT(DISTINCT owner) > 1)";

    private final OutboxPlan plan;
    private final Exchange exchange;
    private final String queue;
    private final List<OutboxInstance> instances = new ArrayList<>();
    private final Map<String, Sending> sendings = new LinkedHashMap<>();
    private final Map<Thread, List<Sending>> byThread = new HashMap<>();
    private final List<Sending> order = new ArrayList<>();
    private boolean reordered;

    /** A message, and what became of it. */
    private static final class Sending {
        private final String body;
        private final String group;
        private final long due;
        private final OutboxInstance by;
        private long commitBegan = -1;
        private long committedAt = -1;
        private long storedAt = -1;
        private int copies;
        private @Nullable String said;

        Sending(String body, String group, long due, OutboxInstance by) {
            this.body = body;
            this.group = group;
            this.due = due;
            this.by = by;
        }
    }

    private OutboxHistory(OutboxPlan plan, List<String> trace) throws SQLException {
        super(plan.seed(), trace);
        this.plan = plan;
        this.queue = plan.fifo() ? "sent.fifo" : "sent";
        SqsModel<TextPayload> model = new SqsModel<>(new Observer<>() {
            @Override
            public void sent(ModelQueue<TextPayload> where, Stored<TextPayload> message) {
                stored(message.payload().body());
            }
        });
        Map<Integer, Fault> faults = new HashMap<>();
        for (Step step : plan.steps()) {
            if (step instanceof AttemptFault fault) {
                faults.put(fault.number(), fault.fault());
                reordered |= OF_ENTRIES.contains(fault.fault());
            }
        }
        this.exchange = new Exchange(time, model.create(queue, QueueSettings.DEFAULT), faults, Set.of(), this::note);
    }

    /** Runs a plan, and returns the law that it breaks, or {@code null}. */
    static @Nullable Throwable run(OutboxPlan plan, List<String> trace) {
        return run(() -> new OutboxHistory(plan, trace));
    }

    @Override
    protected void run() throws SQLException {
        for (int i = 0; i < plan.instances(); i++) {
            instances.add(started(i));
        }
        for (Step step : plan.steps()) {
            switch (step) {
                case Transaction some -> at(some.at(), () -> begin(some));
                case Act act -> at(act.at(), () -> act(act));
                case AttemptFault fault -> {}
            }
        }
        pass(plan.peace());
        for (int i = 0; i < instances.size(); i++) {
            if (instances.get(i).running() == null || instances.get(i).stopping) {
                instances.set(i, started(i));
            }
        }
        do {
            pass(time.nanos() + SECOND);
        } while (time.nanos() < plan.peace() + DRAINED && (!drained() || database.count("batchsqs_outbox") > 0));
        check();
        for (OutboxInstance instance : instances) {
            platform(instance, "last stop", () -> stop(instance));
        }
        pass(time.nanos() + plan.stopSeconds() * SECOND + STOP_MARGIN + SECOND);
        checkEnd();
    }

    private void platform(OutboxInstance instance, String name, Runnable task) {
        Thread unused = time.startPlatform(instance.host, name, task);
    }

    // ---- what happens

    private OutboxInstance started(int index) {
        OutboxInstance instance = new OutboxInstance("instance " + index, time, database, exchange, plan);
        platform(instance, "start", instance::start);
        return instance;
    }

    private void act(Act act) {
        OutboxInstance instance = instances.get(act.instance());
        note(act.toString());
        switch (act.deed()) {
            case KILL -> {
                time.kill(instance.host);
                at(Math.min(time.nanos() + act.length(), plan.peace()), instance.link::endSessions);
            }
            case STOP -> platform(instance, "stop", () -> stop(instance));
            case START -> {
                if (instance.running() == null) {
                    instances.set(act.instance(), started(act.instance()));
                }
            }
            case HANG -> instance.link.hang(Math.min(time.nanos() + act.length(), plan.peace()));
            case VANISH -> instance.link.vanish(Math.min(time.nanos() + act.length(), plan.peace()));
            case LOSE_COMMIT -> instance.link.loseCommit();
        }
    }

    private void stop(OutboxInstance instance) {
        long began = time.nanos();
        instance.stop();
        long took = time.nanos() - began;
        if (took > plan.stopSeconds() * SECOND + STOP_MARGIN) {
            breaks("Every stop ends within its bound.", "one took " + took / SECOND + " s");
        }
    }

    private void begin(Transaction plan) {
        OutboxInstance instance = instances.get(plan.instance());
        OutboxInstance.Started running = instance.running();
        if (running != null) {
            Thread unused = time.start(instance.host, plan.name(), () -> {
                List<Sending> messages = new ArrayList<>();
                byThread.put(Thread.currentThread(), messages);
                long began = time.nanos();
                try {
                    running.transactions()
                            .executeWithoutResult(status -> send(plan, instance, running, messages, status));
                } catch (RuntimeException e) {
                    note(plan.name() + " failed: " + e);
                }
                long took = time.nanos() - began - plan.think() - plan.commit();
                if (onlySqsFails() && took > COMMIT) {
                    breaks("A transaction waits for the database alone.", plan.name() + " waited " + took / 1e9 + " s");
                }
            });
        }
    }

    private boolean onlySqsFails() {
        return plan.steps().stream().noneMatch(Act.class::isInstance);
    }

    private void send(
            Transaction plan,
            OutboxInstance instance,
            OutboxInstance.Started running,
            List<Sending> messages,
            TransactionStatus status) {
        long due = plan.later() == 0 ? 0 : time.nanos() + plan.later();
        for (String group : plan.groups()) {
            String body = plan.name() + "-" + messages.size();
            Sending sending = new Sending(body, group, due, instance);
            messages.add(sending);
            sendings.put(body, sending);
            var unused = running.template()
                    .send(OutgoingMessage.builder(queue, body)
                            .groupId(this.plan.group(group))
                            .deduplicationId(this.plan.group(body))
                            .deliverAt(due == 0 ? null : VirtualTime.BEGIN.plusNanos(due))
                            .build())
                    .whenComplete((result, failure) -> sending.said = said(failure));
        }
        think(plan.think());
        if (!plan.ends()) {
            status.setRollbackOnly();
        }
        messages.forEach(each -> each.commitBegan = time.nanos());
        TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
            @Override
            public void beforeCompletion() { // the rows are there
                think(plan.commit());
            }
        });
    }

    private void think(long nanos) {
        try {
            time.sleep(nanos);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String said(@Nullable Throwable failure) {
        Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
        return cause == null
                ? "SENT"
                : cause instanceof SendFailedException failed
                        ? failed.delivery().name()
                        : cause.toString();
    }

    @Override
    protected void committed() {
        for (Sending each : byThread.getOrDefault(Thread.currentThread(), List.of())) {
            each.committedAt = time.nanos();
            note(each.body + " of " + each.group + " is committed");
        }
        try {
            if (database.count(GROUPS_OF_TWO) > 0) {
                breaks("A group is sent by one instance at a time.", "one has rows of two that live");
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private void stored(String body) {
        Sending sending = Objects.requireNonNull(sendings.get(body));
        sending.copies++;
        if (sending.storedAt < 0) {
            sending.storedAt = time.nanos();
            order.add(sending);
        }
        note(body + " of " + sending.group + " is stored");
        if (sending.committedAt < 0) {
            breaks("What is not committed is never stored.", body + " is");
        } else if (sending.copies > 1 && plan.calm()) {
            breaks("What is committed is stored once, when nothing goes wrong.", body + " is stored again");
        } else if (time.nanos() / 1_000_000 < sending.due / 1_000_000) {
            breaks("Nothing is sent before its time.", body + " is");
        }
        long since = Math.max(sending.committedAt, sending.due);
        if (plan.calm() && sending.storedAt - since > SOON) {
            breaks(
                    "What is committed is stored within two seconds, also if instances share groups.",
                    body + " took " + (sending.storedAt - since) / 1e9 + " s");
        }
    }

    // ---- the laws

    private boolean drained() {
        return sendings.values().stream().allMatch(each -> each.committedAt < 0 || each.storedAt >= 0);
    }

    private void check() throws SQLException {
        for (Sending each : sendings.values()) {
            if (each.committedAt >= 0 && each.storedAt < 0) {
                throw new Broken("What is committed is stored in the end.", each.body + " is not");
            }
        }
        if (database.count("batchsqs_outbox") > 0) {
            throw new Broken("The outbox is empty in the end.", database.count("batchsqs_outbox") + " rows are left");
        }
        if (plan.fifo() && !reordered) {
            checkOrder();
        }
    }

    /** Of two transactions that commit at the same time, either may be the first. */
    private void checkOrder() {
        Map<String, List<Sending>> groups = new HashMap<>();
        for (Sending each : order) {
            List<Sending> before = groups.computeIfAbsent(each.group, any -> new ArrayList<>());
            for (Sending earlier : before) {
                if (isDueFor(each, earlier) && (each.committedAt < earlier.commitBegan || isBehind(earlier, each))) {
                    throw new Broken(
                            "Messages of a group are stored in the order of their commits.",
                            each.body + " is stored behind " + earlier.body);
                }
            }
            before.add(each);
        }
    }

    /** A message of a later time takes its place when it is due; others may have been on their way by then. */
    private static boolean isDueFor(Sending each, Sending earlier) {
        return each.due <= Math.max(earlier.commitBegan, earlier.due);
    }

    /** Both are of one transaction, in which the first one was sent later. */
    private static boolean isBehind(Sending first, Sending second) {
        String[] one = first.body.split("-", -1);
        String[] other = second.body.split("-", -1);
        return one[0].equals(other[0]) && Integer.parseInt(one[1]) > Integer.parseInt(other[1]);
    }

    private void checkEnd() {
        for (Sending each : sendings.values()) {
            if (each.said == null && !each.by.host.killed()) {
                throw new Broken("Every future ends.", "that of " + each.body + " does not");
            }
            if ("SENT".equals(each.said) && each.storedAt < 0) {
                throw new Broken("What is said to be sent is stored.", each.body + " is not");
            }
            if (("REFUSED".equals(each.said) || "NOT_SENT".equals(each.said)) && each.storedAt >= 0) {
                throw new Broken("What is said not to be sent is not stored.", each.body + " is");
            }
        }
    }
}
