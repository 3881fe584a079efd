/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive;

import io.github.batchsqs.BatchListener;
import io.github.batchsqs.BatchOutcome;
import io.github.batchsqs.MessageBatch;
import io.github.batchsqs.PartialBatchException;
import io.github.batchsqs.SqsMessage;
import io.github.batchsqs.client.Queue;
import io.github.batchsqs.client.ReceivedMessage;
import io.github.batchsqs.listener.ListenerOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** What the application of a history does with its messages: anything. */
final class HistoryHandler implements BatchListener<String> {

    private final History history;
    private final HistoryProcess process;
    private final HistoryInstance instance;
    private final SplittableRandom random;
    private final HistoryPlan plan;
    private final HistoryBooks books;
    private final Strands strands;
    private final Set<String> running = new HashSet<>();
    private final Set<String> runningGroups = new HashSet<>();
    private final Set<String> acknowledgedHere = new HashSet<>();
    private final Queue source;

    HistoryHandler(History history, HistoryProcess process, HistoryInstance instance, Queue source) {
        this.process = process;
        this.history = history;
        this.instance = instance;
        this.random = history.random;
        this.plan = history.plan;
        this.books = history.books;
        this.strands = history.strands;
        this.source = source;
    }

    String read(ReceivedMessage message) {
        if (history.handlersFail()) {
            history.failures.throwOnceIn(80, "the converter");
        }
        if (books.find(message.body()).unreadable && history.handlersFail()) {
            throw new IllegalStateException("unreadable");
        }
        return message.body();
    }

    @Override
    public BatchOutcome onBatch(MessageBatch<String> batch) throws Exception {
        if (instance.crashed) {
            throw new Strands.Crash(); // a process that was killed runs nothing
        }
        List<HistoryBooks.Entry> entries =
                batch.payloads().stream().map(books::find).toList();
        begin(entries);
        for (SqsMessage<String> message : batch) {
            books.begins(message.receiptHandle(), instance, plan.fifo());
            if (acknowledgedHere.contains(message.receiptHandle())) {
                books.violated(message.payload() + " runs although it was acknowledged");
            }
        }
        instance.handlers(1);
        try {
            return work(batch, entries);
        } finally {
            instance.handlers(-1);
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
        books.invoked(entries, source, plan.runsOneByOne() ? instance : null);
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
            long until = history.time.nanos()
                    + plan.queue()
                            .visibilityTimeout()
                            .multipliedBy(random.nextInt(4))
                            .toNanos();
            strands.pauseUntil(() -> history.time.nanos() - until >= 0);
        }
        if (history.handlersFail()
                && plan.options().acknowledge().mode() == ListenerOptions.AcknowledgeMode.ON_SUCCESS) {
            history.failures.throwOnceIn(30, "the handler");
        }
        if (Thread.interrupted() && random.nextBoolean()) {
            throw new InterruptedException("stopped");
        }
        return switch (plan.options().acknowledge().mode()) {
            case MANUAL -> manual(batch, entries);
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
        if (plan.poisoned()) {
            return allButPoison(batch, entries);
        }
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
            case 5, 6 -> partial(batch, entries);
            case 7, 8 -> perMessage(batch, entries);
            default -> allDone(entries);
        };
    }

    private BatchOutcome allButPoison(MessageBatch<String> batch, List<HistoryBooks.Entry> entries) {
        List<SqsMessage<String>> failed = new ArrayList<>();
        Set<String> stopped = new HashSet<>();
        for (int i = 0; i < entries.size(); i++) {
            HistoryBooks.Entry entry = entries.get(i);
            String group = String.valueOf(entry.group);
            if (entry.poison && stopped.add(group)) {
                entry.timesFailed++;
                failed.add(batch.messages().get(i));
            } else if (!stopped.contains(group)) {
                books.done(entry, true);
            }
        }
        if (failed.isEmpty()) {
            return BatchOutcome.done();
        }
        throw PartialBatchException.of(failed, new IllegalStateException("poison"));
    }

    private BatchOutcome allDone(List<HistoryBooks.Entry> entries) {
        entries.forEach(entry -> books.done(entry, true));
        return BatchOutcome.done();
    }

    private BatchOutcome partial(MessageBatch<String> batch, List<HistoryBooks.Entry> entries) {
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
        if (failed.isEmpty()) {
            return BatchOutcome.done();
        }
        @Nullable
        Throwable cause = plan.throwing() && random.nextBoolean()
                ? (random.nextBoolean() ? null : history.failures.any())
                : new IllegalStateException("these fail");
        throw random.nextBoolean()
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
                case 4 -> history.note("does not mention " + entry);
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
    private BatchOutcome manual(MessageBatch<String> batch, List<HistoryBooks.Entry> entries) {
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
            process.acknowledging(first);
            process.acknowledging(second);
        };
        if (random.nextBoolean()) {
            settle.run();
            if (history.handlersFail() && random.nextInt(6) == 0) {
                throw new IllegalStateException("fails after it settled some");
            }
        } else {
            strands.add(instance, "hand", settle);
        }
        return BatchOutcome.done();
    }
}
