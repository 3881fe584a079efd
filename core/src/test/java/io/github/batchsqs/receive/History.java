/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive;

import io.github.batchsqs.client.Queue;
import io.github.batchsqs.client.ReceiveCall;
import io.github.batchsqs.client.ReceivedMessage;
import io.github.batchsqs.testkit.Faults;
import io.github.batchsqs.testkit.InMemoryQueueClient;
import io.github.batchsqs.testkit.SettableTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One generated history: a queue, its messages, and an engine whose every step is chosen by the seed. First anything
 * happens; then nothing goes wrong any more, and everything must be processed.
 */
final class History implements Faults {

    private static final Duration LOOK_AGAIN = Duration.ofMillis(400);

    final SplittableRandom random;
    final HistoryPlan plan;
    final SettableTime time = new SettableTime();
    final InMemoryQueueClient server = new InMemoryQueueClient(time);
    final HistoryBooks books;
    final Strands strands = new Strands();

    private final Pipeline.Source source;
    private final @Nullable List<String> trace;
    private final List<CompletableFuture<Void>> promises = new ArrayList<>();
    private HistoryInstance instance;
    private Stopping stopping = Stopping.NO;
    private @Nullable CompletableFuture<Void> flushed;
    private boolean draining;
    private boolean paused;
    private long lastBeat;
    private long signature;

    private enum Stopping {
        NO,
        POLLS_END,
        INVOCATIONS_END,
        REST_IS_SETTLED,
        LATE_IS_SETTLED
    }

    History(long seed, @Nullable List<String> trace) {
        this.trace = trace;
        this.random = new SplittableRandom(seed);
        this.plan = HistoryPlan.of(random);
        Queue queue = server.createQueue(plan.options().queue(), plan.queue());
        Queue dead = plan.deadLetterQueue()
                ? server.createQueue(HistoryPlan.name(HistoryPlan.DEAD_LETTERS, plan.fifo()))
                : null;
        this.books = new HistoryBooks(server, dead, plan.manual());
        boolean used = !plan.options().failure().deadLetter().equals(ListenerOptions.Failure.NO_DEAD_LETTER);
        this.source = new Pipeline.Source(queue, plan.queue().visibilityTimeout(), used ? dead : null);
        note(plan.toString());
        send(plan.messages() / 2);
        server.faults(this);
        this.instance = new HistoryInstance(this, source);
        this.lastBeat = time.nanos();
    }

    /** Runs it; fails with what went wrong. Returns a number that is the same if everything went the same way. */
    long run() throws InterruptedException {
        for (int step = 0; step < plan.steps(); step++) {
            if (step == plan.steps() / 2) {
                send(plan.messages() - plan.messages() / 2);
            }
            step();
            check();
        }
        drain();
        books.checkEnd(source.queue(), plan.calm());
        return signature;
    }

    // ---- what instances ask

    boolean faulty() {
        return !draining && !plan.calm();
    }

    boolean handlersFail() {
        return !draining;
    }

    boolean traced() {
        return trace != null;
    }

    void note(String what) {
        if (trace != null) {
            trace.add("%10.3f %s".formatted(time.nanos() / 1e9, what));
        }
    }

    void promised(CompletableFuture<Void> promise) {
        promises.add(promise);
    }

    // ---- Faults

    @Override
    public @Nullable Rejection reject(Call call, int index, String subject) {
        if (!faulty() || random.nextInt(25) > 0) {
            return null;
        }
        note("refused: " + subject);
        return switch (random.nextInt(3)) {
            case 0 -> Rejection.INTERNAL_ERROR;
            case 1 -> Rejection.MISSING_IN_ANSWER;
            default -> Rejection.INVALID;
        };
    }

    @Override
    public boolean deliverAgain(Call call, String messageId) {
        return faulty() && !plan.fifo() && random.nextInt(40) == 0;
    }

    @Override
    public boolean deliverTwice(Call call, String messageId) {
        return faulty() && !plan.fifo() && random.nextInt(40) == 0;
    }

    // ---- any of the things that may happen

    private void step() throws InterruptedException {
        List<Strands.Strand> ready = strands.ready();
        int pick = random.nextInt(100);
        signature = signature * 31 + pick + ready.size() + time.nanos();
        if (pick < 55 && !ready.isEmpty()) {
            resume(ready);
        } else if (pick < 70) {
            poll();
        } else if (pick < 80) {
            tick();
        } else if (pick < 96) {
            advance();
        } else {
            rarely();
        }
        if (stopping != Stopping.NO) {
            goOnStopping();
        }
    }

    private void resume(List<Strands.Strand> ready) {
        Strands.Strand strand = ready.get(random.nextInt(ready.size()));
        note("-> " + strand.role);
        strands.resume(strand);
    }

    private void poll() {
        if (!paused && stopping == Stopping.NO && instance.mayPoll()) {
            instance.poll();
        }
    }

    private void tick() {
        switch (random.nextInt(3)) {
            case 0 -> instance.pipeline.stages().dispatcher().tick();
            case 1 -> instance.tickBatchers();
            default -> beat();
        }
    }

    private void beat() {
        lastBeat = time.nanos();
        instance.pipeline.stages().extender().tick();
    }

    private void tickAll() {
        instance.pipeline.stages().dispatcher().tick();
        instance.tickBatchers();
        if (time.nanos() - lastBeat
                >= instance.pipeline.stages().extender().interval().toNanos()) {
            beat();
        }
    }

    private void advance() {
        int size = random.nextInt(10);
        Duration by;
        if (plan.calm()) {
            // Calls are answered in time when all is well.
            boolean idle = strands.count(strand -> strand.role.equals("settle") || strand.role.equals("poll")) == 0;
            by = Duration.ofMillis(random.nextInt(idle ? 400 : 20));
        } else if (size < 6) {
            by = Duration.ofMillis(random.nextInt(100));
        } else if (size < 9) {
            by = Duration.ofMillis(random.nextInt(2_000));
        } else {
            by = plan.queue()
                    .visibilityTimeout()
                    .dividedBy(1 + random.nextInt(4))
                    .plusMillis(random.nextInt(3));
        }
        time.advance(by);
        if (plan.calm()) {
            tickAll();
        }
    }

    private void rarely() throws InterruptedException {
        switch (random.nextInt(8)) {
            case 0, 1 -> {
                if (stopping == Stopping.NO) {
                    note("stop");
                    stopping = Stopping.POLLS_END;
                }
            }
            case 2 -> {
                if (faulty()) {
                    note("crash");
                    strands.crash(instance);
                    promises.clear();
                    restart();
                }
            }
            case 3 -> {
                if (faulty()) {
                    rival();
                }
            }
            case 4 -> {
                int concurrency = 1 + random.nextInt(4);
                note("concurrency " + concurrency);
                if (stopping == Stopping.NO) {
                    instance.pipeline.change(
                            plan.options().toBuilder().concurrency(concurrency).build());
                }
            }
            default -> paused = !paused && random.nextBoolean();
        }
    }

    /** Another instance of the application handles what is visible, or takes it and dies. */
    private void rival() throws InterruptedException {
        server.faults(Faults.NONE);
        List<ReceivedMessage> taken =
                server.receive(new ReceiveCall(source.queue(), 1 + random.nextInt(10), Duration.ZERO, null, null));
        books.received(taken);
        note("a rival takes " + taken.stream().map(ReceivedMessage::body).toList());
        if (!taken.isEmpty() && random.nextBoolean()) {
            List<HistoryBooks.Entry> entries =
                    taken.stream().map(message -> books.find(message.body())).toList();
            entries.forEach(entry -> books.done(entry, true));
            var ignored = server.delete(
                    source.queue(),
                    taken.stream().map(ReceivedMessage::receiptHandle).toList());
        }
        server.faults(this);
    }

    private void restart() {
        stopping = Stopping.NO;
        paused = false;
        flushed = null;
        instance = new HistoryInstance(this, source);
        lastBeat = time.nanos();
    }

    // ---- the stop, as Pipeline.stop() does it

    private void goOnStopping() {
        boolean impatient = faulty() && random.nextInt(30) == 0;
        Pipeline.Stages stages = instance.pipeline.stages();
        switch (stopping) {
            case NO -> {}
            case POLLS_END -> {
                if (impatient) {
                    instance.abortPolls();
                }
                if (!instance.polls()) {
                    instance.pipeline.giveBackWaiting();
                    stopping = Stopping.INVOCATIONS_END;
                }
            }
            case INVOCATIONS_END -> {
                if (impatient || stages.dispatcher().active() == 0) {
                    note("invocations ended, but " + stages.dispatcher().active());
                    flushed = instance.pipeline.giveBackRest();
                    stopping = Stopping.REST_IS_SETTLED;
                    if (stages.dispatcher().active() > 0) {
                        giveBackLate();
                    }
                }
            }
            case REST_IS_SETTLED -> {
                boolean settled = stages.limit().used() == 0;
                boolean byHand = plan.manual() && random.nextInt(10) == 0;
                if (impatient || byHand) {
                    giveBackLate();
                } else if (settled && flushed != null && flushed.isDone()) {
                    stopped();
                }
            }
            case LATE_IS_SETTLED -> {
                if (impatient || (flushed != null && flushed.isDone())) {
                    stopped();
                }
            }
        }
    }

    private void giveBackLate() {
        note("late: " + instance.pipeline.stages().limit().used());
        flushed = instance.pipeline.giveBackLate();
        stopping = Stopping.LATE_IS_SETTLED;
    }

    private void stopped() {
        note("stopped with " + instance.pipeline.stages().limit().used());
        instance.pipeline.close();
        restart();
    }

    // ---- the end: nothing goes wrong any more

    private void drain() throws InterruptedException {
        note("drain");
        draining = true;
        paused = false;
        for (int round = 0; round < 4_000; round++) {
            runReady();
            if (stopping != Stopping.NO) {
                goOnStopping();
            } else if (quiet()) {
                checkQuiet();
                return;
            }
            check();
            boolean visible = !server.visible(source.queue()).isEmpty();
            if (visible) {
                poll();
                runReady();
            }
            time.advance(visible ? LOOK_AGAIN : LOOK_AGAIN.multipliedBy(3));
            tickAll();
        }
        throw new AssertionError("Not drained: " + instance.pipeline.status(ContainerState.RUNNING) + ", visible "
                + server.visible(source.queue()) + ", in flight " + server.inFlight(source.queue()) + ", held "
                + instance.pipeline.stages().ledger().held().stream()
                        .map(delivery -> delivery.message().body()
                                + (delivery.unsettled() ? " unsettled" : " settled")
                                + (delivery.leftToHand() ? " by hand" : ""))
                        .toList());
    }

    private boolean quiet() {
        return books.finished(source.queue())
                && strands.count(strand -> true) == 0
                && instance.pipeline.stages().limit().used() == 0;
    }

    private void checkQuiet() {
        Pipeline.Stages stages = instance.pipeline.stages();
        if (stages.ledger().size() > 0
                || stages.dispatcher().waiting() > 0
                || stages.dispatcher().active() > 0) {
            throw new AssertionError("Left over: " + instance.pipeline.status(ContainerState.RUNNING));
        }
        stages.settler().batchers().forEach(batcher -> {
            if (batcher.size() > 0) {
                throw new AssertionError("Calls left over: " + batcher.size());
            }
        });
        instance.pipeline.close();
        if (!promises.stream().allMatch(CompletableFuture::isDone)) {
            throw new AssertionError("Promises of acknowledgements never complete");
        }
    }

    private void runReady() {
        for (List<Strands.Strand> ready = strands.ready(); !ready.isEmpty(); ready = strands.ready()) {
            resume(ready);
            books.check();
        }
    }

    private void check() {
        instance.check();
        books.check();
    }

    private void send(int count) {
        for (int i = 0; i < count; i++) {
            HistoryBooks.Entry entry = books.add(plan.fifo() ? "g" + random.nextInt(plan.groups()) : null);
            entry.unreadable = random.nextInt(25) == 0;
            entry.fatal = random.nextInt(25) == 0;
            if (entry.group == null) {
                server.put(source.queue(), entry.body);
            } else {
                server.putInGroup(source.queue(), entry.group, entry.body);
            }
        }
    }
}
