/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive;

import io.github.batchsqs.client.Queue;
import io.github.batchsqs.client.ReceiveCall;
import io.github.batchsqs.client.ReceivedMessage;
import io.github.batchsqs.listener.ListenerOptions;
import io.github.batchsqs.receive.settle.InProcessRetries;
import io.github.batchsqs.testkit.Faults;
import io.github.batchsqs.testkit.InMemoryQueueClient;
import io.github.batchsqs.testkit.Operation;
import io.github.batchsqs.testkit.SettableTime;
import io.github.batchsqs.time.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
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
    final HistoryFailures failures;
    /** What the application takes for the time of day; leases must not notice when it jumps. */
    final TimeSource wallClockOff;

    private Duration off = Duration.ZERO;

    private final Source source;
    private final @Nullable List<String> trace;
    private final List<HistoryProcess> processes = new ArrayList<>();
    private boolean draining;
    /** How often there was a reason to return messages to the queue: stops, and pauses that abandon receives. */
    private int interruptions;

    private long signature;

    History(long seed, @Nullable List<String> trace) {
        this.trace = trace;
        this.random = new SplittableRandom(seed);
        this.plan = HistoryPlan.of(random);
        Queue queue = server.createQueue(plan.options().queue(), plan.queue());
        Queue dead = plan.deadLetterQueue()
                ? server.createQueue(HistoryPlan.name(HistoryPlan.DEAD_LETTERS, plan.fifo()))
                : null;
        this.books = new HistoryBooks(server, dead, plan.manual());
        this.failures = new HistoryFailures(this);
        this.wallClockOff = new TimeSource() {
            @Override
            public long nanos() {
                return time.nanos();
            }

            @Override
            public Instant now() {
                return time.now().plus(off);
            }
        };
        boolean used = !plan.options().failure().deadLetter().equals(ListenerOptions.Failure.NO_DEAD_LETTER);
        InProcessRetries retries = used && dead != null && plan.retriesHere()
                ? new InProcessRetries(
                        dead,
                        Objects.requireNonNull(plan.queue().redrive()).maxReceiveCount(),
                        plan.options().fifoRetryInProcessUpTo())
                : null;
        this.source = new Source(queue, plan.queue().visibilityTimeout(), used ? dead : null, retries);
        note(plan.toString());
        send(plan.messages() / 2);
        server.faults(this);
        for (int i = 0; i < plan.processes(); i++) {
            processes.add(new HistoryProcess(this, source));
        }
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
        if (plan.poisoned()) {
            books.checkPoison(
                    Objects.requireNonNull(plan.queue().redrive()).maxReceiveCount(),
                    interruptions == 0 && plan.waitsForRetries());
        }
        return signature;
    }

    // ---- what instances ask

    boolean faulty() {
        return !draining && !plan.calm();
    }

    boolean handlersFail() {
        return !draining && !plan.poisoned();
    }

    boolean traced() {
        return trace != null;
    }

    void note(String what) {
        if (trace != null) {
            trace.add("%10.3f %s".formatted(time.nanos() / 1e9, what));
        }
    }

    // ---- Faults

    @Override
    public @Nullable Rejection reject(Call call, int index, String subject) {
        if (faulty() && call.operation() == Operation.DELETE && books.isUndeletable(subject)) {
            return Rejection.INTERNAL_ERROR;
        }
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
        HistoryProcess process = processes.get(random.nextInt(processes.size()));
        if (pick < 55 && !ready.isEmpty()) {
            resume(ready);
        } else if (pick < 70) {
            process.poll();
        } else if (pick < 80) {
            process.tick();
        } else if (pick < 96) {
            advance();
        } else {
            rarely(process);
        }
        process.goOnStopping();
    }

    private void resume(List<Strands.Strand> ready) {
        Strands.Strand strand = ready.get(random.nextInt(ready.size()));
        note("-> " + strand.role);
        strands.resume(strand);
    }

    private void advance() {
        int size = random.nextInt(10);
        Duration by;
        if (plan.calm()) {
            // Calls are answered in time when all is well.
            boolean idle = strands.count(strand -> !strand.role.equals("worker")) == 0;
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
            processes.forEach(HistoryProcess::tickAll);
        }
    }

    private void rarely(HistoryProcess process) throws InterruptedException {
        switch (random.nextInt(9)) {
            case 8 -> {
                off = Duration.ofMinutes(random.nextInt(-90, 90));
                note("the clock is off by " + off);
            }
            case 0, 1 -> {
                interruptions++;
                process.stop();
            }
            case 2 -> {
                if (faulty()) {
                    process.crash();
                }
            }
            case 3 -> {
                if (faulty()) {
                    rival();
                }
            }
            case 4 -> process.change(1 + random.nextInt(4));
            default -> {
                interruptions++;
                process.pauseOrResume();
            }
        }
    }

    /** Another instance of the application handles what is visible, or takes it and dies. */
    private void rival() throws InterruptedException {
        server.faults(Faults.NONE);
        List<ReceivedMessage> taken =
                server.receive(new ReceiveCall(source.queue(), 1 + random.nextInt(10), Duration.ZERO, null, null));
        books.received(taken, this);
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

    // ---- the end: nothing goes wrong any more

    private void drain() throws InterruptedException {
        note("drain");
        draining = true;
        processes.forEach(HistoryProcess::resume);
        for (int round = 0; round < 4_000; round++) {
            runReady();
            processes.forEach(HistoryProcess::goOnStopping);
            if (books.finished(source.queue())
                    && strands.count(strand -> true) == 0
                    && processes.stream().allMatch(HistoryProcess::quiet)) {
                processes.forEach(HistoryProcess::checkQuiet);
                return;
            }
            check();
            boolean visible = !server.visible(source.queue()).isEmpty();
            if (visible) {
                processes.get(random.nextInt(processes.size())).poll();
                runReady();
            }
            boolean calls = processes.stream().anyMatch(process -> process.waitingForCalls() > 0);
            time.advance(visible || calls ? LOOK_AGAIN : LOOK_AGAIN.multipliedBy(3));
            processes.forEach(HistoryProcess::tickAll);
        }
        throw new AssertionError("Not drained: " + processes + ", visible " + server.visible(source.queue())
                + ", in flight " + server.inFlight(source.queue()));
    }

    private void runReady() {
        for (List<Strands.Strand> ready = strands.ready(); !ready.isEmpty(); ready = strands.ready()) {
            resume(ready);
            check();
        }
    }

    private void check() {
        processes.forEach(HistoryProcess::check);
        books.check();
    }

    private void send(int count) {
        for (int i = 0; i < count; i++) {
            HistoryBooks.Entry entry = books.add(plan.fifo() ? "g" + random.nextInt(plan.groups()) : null);
            entry.unreadable = random.nextInt(25) == 0 && !plan.poisoned();
            entry.fatal = random.nextInt(25) == 0 && !plan.poisoned();
            entry.poison = random.nextInt(10) == 0 && plan.poisoned();
            if (entry.group == null) {
                server.put(source.queue(), entry.body);
            } else {
                server.putInGroup(source.queue(), entry.group, entry.body);
            }
        }
    }
}
