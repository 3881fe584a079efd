/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.histories;

import io.github.batchsqs.histories.Step.Act;
import io.github.batchsqs.histories.Step.Deed;
import io.github.batchsqs.histories.Step.Send;
import io.github.batchsqs.histories.Step.Treat;
import io.github.batchsqs.histories.laws.Broken;
import io.github.batchsqs.histories.laws.CallsStayWithinBounds;
import io.github.batchsqs.histories.laws.EverythingEndsInTime;
import io.github.batchsqs.histories.laws.EverythingIsReturned;
import io.github.batchsqs.histories.laws.GroupsKeepTheirOrder;
import io.github.batchsqs.histories.laws.Law;
import io.github.batchsqs.histories.laws.NoDeadLetterUsedFewerRuns;
import io.github.batchsqs.histories.laws.NothingIsDeletedThatDidNotSucceed;
import io.github.batchsqs.histories.laws.NothingIsLost;
import io.github.batchsqs.histories.laws.NothingRunsWithoutALease;
import io.github.batchsqs.histories.laws.PayloadsStayWithTheirMessages;
import io.github.batchsqs.histories.laws.RunningHandlersKeepTheirLeases;
import io.github.batchsqs.histories.laws.StatusTellsTheTruth;
import io.github.batchsqs.histories.laws.Truth;
import io.github.batchsqs.model.sqs.Outgoing;
import io.github.batchsqs.model.sqs.TextPayload;
import io.github.batchsqs.model.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Runs one plan: first anything happens, then there is peace, and everything must be handled. */
final class History {

    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    /** How long everything may take in peace: backoffs, and handlers one after another. */
    private static final long DRAINED = Plan.PEACE + Duration.ofMinutes(60).toNanos();

    /** How long nothing happens when the last message is gone: a receive and the calls are over then. */
    private static final long QUIET = Duration.ofSeconds(30).toNanos();

    /** How much longer than a lease a status may show a failure that no later call has shown to be over. */
    private static final long STALE = Duration.ofSeconds(65).toNanos();

    /** How long a future may take: a lease, and the calls. */
    private static final long FUTURES = Duration.ofSeconds(90).toNanos();

    /** How long handlers that ignore interrupts may go on after the last stop, one after another. */
    private static final long STUBBORN = Duration.ofMinutes(10).toNanos();

    final Plan plan;
    final VirtualTime time;
    final Truth truth;
    final SimulatedSqs sqs;

    private final @Nullable List<String> trace;
    private final List<Instance> instances = new ArrayList<>();
    private final List<Faults> faults = new ArrayList<>();
    private final Map<String, Treat> treatments = new HashMap<>();
    private final Map<String, Integer> reads = new HashMap<>();
    private final List<Expected> futures = new ArrayList<>();

    private record Expected(CompletableFuture<?> future, String what, long since) {}

    /** What became of it. */
    record Result(@Nullable Throwable failure, long steps, String dump) {

        /** Names what went wrong, so that a shorter history which fails for another reason is no success. */
        @Nullable
        String kind() {
            return failure == null
                    ? null
                    : failure instanceof Broken broken
                            ? broken.law()
                            : failure.getClass().getName();
        }
    }

    private History(Plan plan, @Nullable List<String> trace) {
        this.plan = plan;
        this.trace = trace;
        this.time = new VirtualTime(new SplittableRandom(~plan.seed()));
        this.truth = new Truth(
                laws(plan.setup()),
                time::nanos,
                Setup.MAX_EXTENSION.minus(plan.setup().lease()).toNanos());
        for (int i = 0; i < plan.setup().instances(); i++) {
            faults.add(new Faults(plan, i));
        }
        for (Step step : plan.steps()) {
            if (step instanceof Treat treat) {
                treatments.put(treat.body(), treat);
            }
        }
        this.sqs = new SimulatedSqs(plan.setup(), time, truth);
    }

    private static List<Law> laws(Setup setup) {
        return List.of(
                new NothingIsDeletedThatDidNotSucceed(),
                new GroupsKeepTheirOrder(),
                new NothingRunsWithoutALease(),
                new RunningHandlersKeepTheirLeases(),
                new NoDeadLetterUsedFewerRuns(setup.maxReceives()),
                new NothingIsLost(),
                new EverythingEndsInTime(),
                new EverythingIsReturned(),
                new StatusTellsTheTruth(),
                new PayloadsStayWithTheirMessages(),
                new CallsStayWithinBounds());
    }

    /** Runs a plan, and returns what went wrong. */
    static Result run(Plan plan, @Nullable List<String> trace) {
        History history = new History(plan, trace);
        Throwable failure = null;
        String dump = "";
        try {
            history.run();
        } catch (Broken | IllegalStateException e) {
            failure = e.getCause() == null || e instanceof Broken ? e : e.getCause();
            dump = history.time.dump();
        }
        long steps = history.time.steps();
        history.time.end();
        return new Result(failure, steps, dump);
    }

    private void run() {
        truth.onBroken(broken -> time.stop());
        if (!plan.calm()) {
            truth.disturbed();
        }
        for (int i = 0; i < plan.setup().instances(); i++) {
            Instance instance = new Instance(this, i, faults.get(i));
            instances.add(instance);
            instance.start();
        }
        plan.steps().forEach(this::schedule);
        pass(plan.patient() ? Plan.PEACE : plan.lastStep());
        passUntil(Plan.PEACE, this::drained);
        note(() -> "peace");
        makePeace();
        long drained = DRAINED + plan.runsWithoutAcknowledgement() * Setup.MAX_EXTENSION.toNanos();
        pass(time.nanos() + SECOND);
        passUntil(drained, this::drained);
        note(() -> "drained");
        long stale = time.nanos() + plan.setup().lease().toNanos() + STALE;
        pass(plan.patient() ? stale : time.nanos() + QUIET);
        passUntil(stale, this::quiet);
        instances.forEach(Instance::checkQuiet);
        pass(time.nanos() + 1);
        instances.forEach(Instance::stop);
        pass(time.nanos() + plan.setup().options().shutdownTimeout().toNanos() + 10 * SECOND);
        instances.forEach(Instance::checkStopped);
        passUntil(time.nanos() + STUBBORN, () -> !truth.handlersRun());
        checkThreads();
        checkFutures();
        truth.end();
        throwBroken();
    }

    private void passUntil(long end, BooleanSupplier done) {
        while (time.nanos() < end && !done.getAsBoolean()) {
            pass(time.nanos() + SECOND);
        }
    }

    private void pass(long until) {
        time.runUntil(until);
        throwBroken();
    }

    private void throwBroken() {
        Broken broken = truth.broken();
        if (broken != null) {
            throw broken;
        }
    }

    private void schedule(Step step) {
        switch (step) {
            case Send send -> at(send.at(), () -> send(send));
            case Act act -> at(act.at(), () -> act(act));
            default -> {}
        }
    }

    private void at(long nanos, Runnable action) {
        VirtualTime.Event unused = time.at(nanos, action);
    }

    private void send(Send send) {
        truth.message(send.body(), send.group());
        var unused = sqs.queue.send(
                new Outgoing<>(
                        new TextPayload(send.body()), send.group(), send.group() == null ? null : send.body(), null),
                sqs.now());
        sqs.changed();
    }

    private void act(Act act) {
        note(act::toString);
        Instance instance = instances.get(act.instance());
        if (act.deed() == Deed.START && instance.killed()) {
            revive(act.instance());
        } else {
            instance.act(act);
        }
    }

    private void revive(int index) {
        Instance next = new Instance(this, index, faults.get(index));
        instances.set(index, next);
        next.start();
    }

    private void makePeace() {
        faults.forEach(Faults::makePeace);
        for (int i = 0; i < instances.size(); i++) {
            if (instances.get(i).killed()) {
                revive(i);
            } else {
                instances.get(i).makePeace();
            }
        }
    }

    private boolean drained() {
        return truth.messages().stream().allMatch(message -> message.gone);
    }

    private boolean quiet() {
        instances.forEach(Instance::look);
        pass(time.nanos() + 1);
        return instances.stream().allMatch(Instance::quiet);
    }

    // ---- what instances and handlers ask

    @Nullable
    Treat treatmentOf(String body) {
        return treatments.get(body);
    }

    int reads(String body) {
        return reads.merge(body, 1, Integer::sum);
    }

    /** The future must be done in time. */
    void expect(CompletableFuture<?> future, String what) {
        Expected expected = new Expected(future, what, time.nanos());
        futures.add(expected);
        var ignored = future.whenComplete((result, failure) -> {
            if (time.nanos() - expected.since > FUTURES) {
                truth.brokenPromise(what + " took " + Truth.seconds(time.nanos() - expected.since));
            }
        });
    }

    private void checkThreads() {
        if (!killedSince()) {
            time.dump()
                    .lines()
                    .filter(line -> line.contains(": batchsqs-history-"))
                    .forEach(thread -> truth.brokenPromise("a thread goes on after the last stop: " + thread));
        }
    }

    private void checkFutures() {
        for (Expected expected : futures) {
            if (!expected.future.isDone() && !killedSince()) {
                truth.brokenPromise(expected.what + " of " + Truth.seconds(expected.since) + " never ended");
            }
        }
    }

    private boolean killedSince() {
        return plan.steps().stream().anyMatch(step -> step instanceof Act act && act.deed() == Deed.KILL);
    }

    void note(Supplier<String> what) {
        if (trace != null) {
            trace.add(Truth.seconds(time.nanos()) + " " + what.get());
        }
    }
}
