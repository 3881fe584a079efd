/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive;

import io.github.batchsqs.BatchListener;
import io.github.batchsqs.BatchOutcome;
import io.github.batchsqs.MessageBatch;
import io.github.batchsqs.PartialBatchException;
import io.github.batchsqs.SqsMessage;
import io.github.batchsqs.TimeSource;
import io.github.batchsqs.batch.EntryResult;
import io.github.batchsqs.client.Queue;
import io.github.batchsqs.client.QueueCallException;
import io.github.batchsqs.client.QueueClient;
import io.github.batchsqs.client.ReceiveCall;
import io.github.batchsqs.client.ReceivedMessage;
import io.github.batchsqs.client.SendEntry;
import io.github.batchsqs.client.SentMessage;
import io.github.batchsqs.client.VisibilityChange;
import io.github.batchsqs.events.ListenerEvents;
import io.github.batchsqs.receive.invoke.ErrorHook;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;

/** One process of a history: the engine, its way to the server, and its handler, all on strands. */
final class HistoryInstance extends Strands.Owner implements EngineThreads, QueueClient, BatchListener<String> {

    private static final int MOST_POLLS = 3;

    private final History history;
    private final SplittableRandom random;
    private final HistoryPlan plan;
    private final HistoryBooks books;
    private final Strands strands;
    private final TimeSource time;
    private final Set<String> running = new HashSet<>();
    private final Set<String> runningGroups = new HashSet<>();
    private final Set<String> acknowledgedHere = new HashSet<>();
    final Pipeline pipeline;
    private boolean pollsAborted;
    private int mostPermits;

    HistoryInstance(History history, Pipeline.Source source) {
        this.history = history;
        this.random = history.random;
        this.plan = history.plan;
        this.books = history.books;
        this.strands = history.strands;
        this.time = history.time;
        this.pipeline = new Pipeline(
                plan.options(),
                new ListenerHandler<>(this::read, this, List.of(), ErrorHook.NONE),
                new ListenerResources(this, history.server, ListenerEvents.NONE, time),
                source,
                this,
                random.split());
        pipeline.start();
    }

    // ---- what the history does with it

    boolean mayPoll() {
        return strands.count(strand -> strand.owner.equals(this) && strand.role.equals("poll")) < MOST_POLLS;
    }

    void poll() {
        strands.add(this, "poll", () -> {
            try {
                int ignored = pipeline.stages().fetcher().pollOnce();
            } catch (InterruptedException e) {
                history.note("the poll is aborted");
            }
        });
    }

    void abortPolls() {
        pollsAborted = true;
    }

    boolean polls() {
        return strands.count(strand -> strand.owner.equals(this) && strand.role.equals("poll")) > 0;
    }

    void tickBatchers() {
        pipeline.stages().settler().batchers().forEach(batcher -> batcher.tick());
    }

    void check() {
        Pipeline.Stages stages = pipeline.stages();
        mostPermits = Math.max(mostPermits, stages.limit().limit());
        if (stages.limit().used() > mostPermits) {
            books.violated(stages.limit().used() + " permits are taken, of " + mostPermits);
        }
        if (stages.ledger().size() > stages.limit().used()) {
            books.violated(stages.ledger().size() + " messages are held with "
                    + stages.limit().used() + " permits");
        }
    }

    // ---- EngineThreads

    @Override
    public Executor virtual(String role) {
        return task -> {
            if (!crashed && !role.equals("poller")) {
                strands.add(this, role, task);
            }
        };
    }

    @Override
    public Executor platform(String role, int size) {
        return virtual(role);
    }

    @Override
    public void resizePool(int size) {}

    @Override
    public void loop(String role, Loop loop) {}

    @Override
    public void every(String role, Duration interval, Runnable task) {}

    @Override
    public void await(CompletableFuture<?> promise) throws InterruptedException, ExecutionException {
        strands.pauseUntil(promise::isDone);
        promise.get();
    }

    @Override
    public void close() {}

    // ---- QueueClient

    @Override
    public List<ReceivedMessage> receive(ReceiveCall call) throws InterruptedException {
        before("ReceiveMessage");
        if (pollsAborted) {
            throw new InterruptedException();
        }
        List<ReceivedMessage> answer = history.server.receive(call);
        books.received(answer);
        if (history.traced() && !answer.isEmpty()) {
            history.note(
                    "received " + answer.stream().map(ReceivedMessage::body).toList());
        }
        after("ReceiveMessage");
        if (pollsAborted) {
            throw new InterruptedException();
        }
        return answer;
    }

    @Override
    public List<EntryResult<Void>> delete(Queue queue, List<String> receiptHandles) throws InterruptedException {
        before("DeleteMessageBatch");
        receiptHandles.forEach(books::deleting);
        List<EntryResult<Void>> results = history.server.delete(queue, receiptHandles);
        if (history.traced()) {
            history.note("deleted " + receiptHandles + ": " + results);
        }
        after("DeleteMessageBatch");
        return results;
    }

    @Override
    public List<EntryResult<Void>> changeVisibility(Queue queue, List<VisibilityChange> changes)
            throws InterruptedException {
        before("ChangeMessageVisibilityBatch");
        List<EntryResult<Void>> results = history.server.changeVisibility(queue, changes);
        if (history.traced()) {
            history.note("changed " + changes + ": " + results);
        }
        after("ChangeMessageVisibilityBatch");
        return results;
    }

    @Override
    public List<EntryResult<SentMessage>> send(Queue queue, List<SendEntry> entries) throws InterruptedException {
        before("SendMessageBatch");
        List<EntryResult<SentMessage>> results = history.server.send(queue, entries);
        if (history.traced()) {
            history.note(
                    "dead-lettered " + entries.stream().map(SendEntry::body).toList() + ": " + results);
        }
        after("SendMessageBatch");
        return results;
    }

    private void before(String operation) {
        pauseSometimes();
        if (crashed) {
            throw new Strands.Crash();
        }
        failSometimes(operation, "before");
    }

    private void after(String operation) {
        pauseSometimes();
        failSometimes(operation, "after");
    }

    private void failSometimes(String operation, String when) {
        if (history.faulty() && random.nextInt(20) == 0) {
            history.note(operation + " fails " + when + " the server acted");
            boolean retryable = random.nextInt(4) > 0;
            throw new QueueCallException(operation, "ConnectionFailed", when, retryable, null);
        }
    }

    private void pauseSometimes() {
        if (random.nextInt(3) == 0) {
            strands.pause();
        }
    }

    // ---- the handler

    private String read(ReceivedMessage message) {
        if (books.find(message.body()).unreadable && history.handlersFail()) {
            throw new IllegalStateException("unreadable");
        }
        return message.body();
    }

    @Override
    public BatchOutcome onBatch(MessageBatch<String> batch) throws Exception {
        if (crashed) {
            throw new Strands.Crash(); // a process that was killed runs nothing
        }
        List<HistoryBooks.Entry> entries =
                batch.payloads().stream().map(books::find).toList();
        begin(entries);
        for (SqsMessage<String> message : batch) {
            if (acknowledgedHere.contains(message.receiptHandle())) {
                books.violated(message.payload() + " runs although it was acknowledged");
            }
        }
        try {
            return work(batch, entries);
        } finally {
            entries.forEach(entry -> {
                running.remove(entry.body);
                if (entry.group != null) {
                    runningGroups.remove(entry.group);
                }
            });
        }
    }

    private void begin(List<HistoryBooks.Entry> entries) {
        if (history.traced()) {
            history.note("handles " + entries);
        }
        books.invoked(entries);
        if (entries.size() > plan.options().batchSize()) {
            books.violated("A batch of " + entries.size());
        }
        Set<String> groups = new HashSet<>();
        for (HistoryBooks.Entry entry : entries) {
            if (!running.add(entry.body)) {
                books.violated(entry + " runs twice at once");
            }
            if (entry.group != null && groups.add(entry.group) && !runningGroups.add(entry.group)) {
                books.violated("Two batches of the group " + entry.group + " run at once");
            }
        }
        if (groups.size() > 1 && plan.options().fifoGrouping() == ListenerOptions.FifoGrouping.GROUP) {
            books.violated("A batch holds the groups " + groups);
        }
    }

    private BatchOutcome work(MessageBatch<String> batch, List<HistoryBooks.Entry> entries) throws Exception {
        int pauses = random.nextInt(4) == 0 ? random.nextInt(6) : 0;
        for (int i = 0; i < pauses; i++) {
            strands.pause();
        }
        if (random.nextInt(8) == 0) {
            long until = time.nanos()
                    + plan.queue()
                            .visibilityTimeout()
                            .multipliedBy(random.nextInt(4))
                            .toNanos();
            strands.pauseUntil(() -> time.nanos() - until >= 0);
        }
        if (Thread.interrupted() && random.nextBoolean()) {
            throw new InterruptedException("stopped");
        }
        return switch (plan.options().acknowledge().mode()) {
            case MANUAL -> byHand(batch, entries);
            case ON_SUCCESS -> byOutcome(batch, entries);
            case ALWAYS -> {
                boolean fails = history.handlersFail() && random.nextInt(4) == 0;
                entries.forEach(entry -> books.done(entry, true));
                if (fails) {
                    throw new IllegalStateException("does not matter");
                }
                yield random.nextBoolean() ? BatchOutcome.done() : BatchOutcome.retry();
            }
        };
    }

    private BatchOutcome byOutcome(MessageBatch<String> batch, List<HistoryBooks.Entry> entries) {
        if (!history.handlersFail()) {
            return allDone(entries);
        }
        if (entries.stream().anyMatch(entry -> entry.fatal)) {
            throw new IllegalArgumentException("one is fatal");
        }
        return switch (random.nextInt(14)) {
            case 0 -> throw new IllegalStateException("all fail");
            case 1 -> throw new AssertionError("all fail badly");
            case 2 -> BatchOutcome.retry(Duration.ofMillis(random.nextInt(8_000)));
            case 3 -> throw PartialBatchException.ofIndexes(List.of(entries.size()), new IllegalStateException());
            case 4 -> BatchOutcome.perMessage().build();
            case 5, 6 -> throw partial(batch, entries);
            case 7, 8 -> perMessage(batch, entries);
            default -> allDone(entries);
        };
    }

    private BatchOutcome allDone(List<HistoryBooks.Entry> entries) {
        entries.forEach(entry -> books.done(entry, true));
        return BatchOutcome.done();
    }

    private PartialBatchException partial(MessageBatch<String> batch, List<HistoryBooks.Entry> entries) {
        List<SqsMessage<String>> failed = new ArrayList<>();
        List<Integer> indexes = new ArrayList<>();
        Set<String> stopped = new HashSet<>();
        for (int i = 0; i < entries.size(); i++) {
            HistoryBooks.Entry entry = entries.get(i);
            if (stopped.contains(String.valueOf(entry.group))) {
                continue;
            }
            if (random.nextInt(4) == 0) {
                failed.add(batch.messages().get(i));
                indexes.add(i);
                if (entry.group != null) {
                    stopped.add(entry.group);
                }
            } else {
                books.done(entry, true);
            }
        }
        IllegalStateException cause = new IllegalStateException("these fail");
        return random.nextBoolean()
                ? PartialBatchException.of(failed, cause)
                : PartialBatchException.ofIndexes(indexes, cause);
    }

    private BatchOutcome perMessage(MessageBatch<String> batch, List<HistoryBooks.Entry> entries) {
        BatchOutcome.Builder outcome = BatchOutcome.perMessage();
        Set<String> stopped = new HashSet<>();
        Set<String> doubtful = new HashSet<>();
        for (int i = 0; i < entries.size(); i++) {
            HistoryBooks.Entry entry = entries.get(i);
            SqsMessage<String> message = batch.messages().get(i);
            String group = entry.group;
            if (group != null && stopped.contains(group)) {
                if (random.nextBoolean()) {
                    outcome.done(message); // said too early: it must come again, behind the one that failed
                }
                continue;
            }
            int what = random.nextInt(12);
            switch (what) {
                case 0 -> outcome.retry(message, Duration.ofMillis(random.nextInt(3_000)));
                case 1 -> outcome.retry(message, new IllegalStateException("this fails"));
                case 2 -> outcome.leave(message);
                case 3 -> outcome.deadLetter(message, new IllegalStateException("never"));
                case 4 -> history.note("forgets " + entry);
                default -> {
                    outcome.done(message);
                    books.done(entry, group == null || !doubtful.contains(group));
                }
            }
            if (group != null && what == 3) {
                doubtful.add(group);
            } else if (group != null && what < 5) {
                stopped.add(group);
            }
        }
        return outcome.build();
    }

    /** Some now, some later, some never; a group in order, and nothing after one that was given back. */
    private BatchOutcome byHand(MessageBatch<String> batch, List<HistoryBooks.Entry> entries) {
        if (history.handlersFail() && random.nextInt(10) == 0) {
            throw new IllegalStateException("all fail");
        }
        List<SqsMessage<String>> acknowledged = new ArrayList<>();
        List<SqsMessage<String>> refused = new ArrayList<>();
        Set<String> stopped = new HashSet<>();
        for (int i = 0; i < entries.size(); i++) {
            HistoryBooks.Entry entry = entries.get(i);
            if (stopped.contains(String.valueOf(entry.group))) {
                continue;
            }
            int what = history.handlersFail() ? random.nextInt(8) : 7;
            if (what > 1) {
                acknowledged.add(batch.messages().get(i));
            } else {
                if (what == 1) {
                    refused.add(batch.messages().get(i));
                }
                if (entry.group != null) {
                    stopped.add(entry.group);
                }
            }
        }
        Runnable settle = () -> {
            history.note(
                    "by hand " + acknowledged.stream().map(SqsMessage::payload).toList() + " and not "
                            + refused.stream().map(SqsMessage::payload).toList());
            acknowledged.forEach(message -> {
                books.done(books.find(message.payload()), false);
                acknowledgedHere.add(message.receiptHandle());
            });
            CompletableFuture<Void> first = batch.acknowledgement().acknowledge(acknowledged);
            CompletableFuture<Void> second =
                    batch.acknowledgement().nack(refused, Duration.ofMillis(random.nextInt(3_000)));
            history.promised(first);
            history.promised(second);
        };
        if (random.nextBoolean()) {
            settle.run();
            if (history.handlersFail() && random.nextInt(6) == 0) {
                throw new IllegalStateException("fails after it settled some");
            }
        } else {
            strands.add(this, "hand", settle);
        }
        return BatchOutcome.done();
    }
}
