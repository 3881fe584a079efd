/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.jdbc.internal.inbox;

import io.github.batchsqs.BatchListener;
import io.github.batchsqs.BatchOutcome;
import io.github.batchsqs.MessageBatch;
import io.github.batchsqs.PartialBatchException;
import io.github.batchsqs.ReceivedMessage;
import io.github.batchsqs.SqsMessage;
import io.github.batchsqs.client.Queue;
import io.github.batchsqs.client.QueueAttributes;
import io.github.batchsqs.client.QueueAttributes.RedrivePolicy;
import io.github.batchsqs.errors.BatchSqsException;
import io.github.batchsqs.internal.receive.invoke.Leased;
import io.github.batchsqs.internal.receive.invoke.NotRunException;
import io.github.batchsqs.internal.receive.invoke.PartitionedListener;
import io.github.batchsqs.internal.receive.invoke.SkippingListener;
import io.github.batchsqs.internal.support.QueueIdentity;
import io.github.batchsqs.jdbc.internal.inbox.InboxTransactions.Begun;
import io.github.batchsqs.jdbc.internal.inbox.InboxTransactions.Busy;
import io.github.batchsqs.listener.ReceiveGate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.function.IntConsumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs a handler within a transaction that also records the ids of its messages. Messages whose id was recorded before do not run
 * and are done. An exception rolls back everything.
 *
 * <p>A result returns only after the commit, so that no message is deleted before it. Called on the invocation's thread, by several
 * invocations at once.
 *
 * <p>While transactions cannot begin, invocations wait with their messages, and the listener receives nothing.
 *
 * <p>A partial failure is not committed either: what the handler wrote for the failed messages, and what a database that ended the
 * transaction by itself has undone of the others, cannot be told apart from the rest. Everything is rolled back, and the handler
 * runs again, in another transaction, without the messages that failed and those of their groups behind them.
 */
final class InboxListener implements SkippingListener<Object>, PartitionedListener<Object>, ReceiveGate {

    private static final Logger log = LoggerFactory.getLogger(InboxListener.class);

    /** How often the handler runs for a batch with partial failures; what is left then returns to the queue. */
    private static final int MAX_RUNS = 3;

    /** The cause of a message that did not fail itself. It has no cause of its own, which the failure policy would act on. */
    private static final String WAITS = "Another message of its batch failed; it did not fail itself";

    /** How long a message waits whose id another transaction holds: most of these end soon. */
    private static final Duration FIRST_WAIT = Duration.ofSeconds(15);

    /** Receives count towards the redrive policy. So in their second half the wait is longer than a transaction of a vanished host lasts. */
    private static final Duration LATER_WAIT = InboxTable.LONGEST_IDLE.plusMinutes(1);

    /** How long it waits here for its next claim at its last receive. */
    private static final Duration LAST_WAIT = Duration.ofMillis(500);

    private static final BatchOutcome.Outcome DONE = new BatchOutcome.Done();
    private static final BatchOutcome.Outcome RETRY = new BatchOutcome.Retry(null, null);
    private static final BatchOutcome.Outcome NOT_RUN =
            new BatchOutcome.Retry(null, new NotRunException("The listener stops", Duration.ZERO));

    private static final Permission DATABASE_FAILS =
            Permission.waitFor(Duration.ofSeconds(1), "its database begins no transactions");

    private final BatchListener<Object> listener;
    private final MessageIds ids;
    private final InboxTransactions transactions;
    private final IntConsumer skipped;
    private volatile @Nullable Found found;

    /**
     * What is known about the queue, once it was found. It need not exist when the application starts.
     *
     * @param column the value of the column {@code queue}, which stands for its region, account and name
     * @param maxReceives after how many receives the next one sends a message to the dead-letter queue
     */
    private record Found(String column, int maxReceives) {}

    InboxListener(BatchListener<Object> listener, MessageIds ids, InboxTransactions transactions, IntConsumer skipped) {
        this.listener = listener;
        this.ids = ids;
        this.transactions = transactions;
        this.skipped = skipped;
    }

    @Override
    public void found(Queue queue, QueueAttributes attributes) {
        RedrivePolicy redrive = attributes.redrive();
        found = new Found(
                MessageIds.stored(QueueIdentity.of(queue.url())),
                redrive == null ? Integer.MAX_VALUE : redrive.maxReceiveCount());
    }

    @Override
    public Permission check(String listenerId) {
        return transactions.databaseFails() ? DATABASE_FAILS : Permission.go();
    }

    /** All messages are of one kind unless the listener distinguishes them. */
    @Override
    public @Nullable Object kind(Object payload) {
        return listener instanceof PartitionedListener<Object> several ? several.kind(payload) : InboxListener.class;
    }

    /** None if the ids are keys, which may need the payload. */
    @Override
    public Set<String> processed(List<ReceivedMessage> messages) throws InterruptedException {
        if (!ids.areMessageIds()) {
            return Set.of();
        }
        Set<String> processed = transactions.recorded( // a message id needs no digest
                Objects.requireNonNull(found).column(),
                messages.stream().map(ReceivedMessage::id).toList());
        skipped.accept(processed.size());
        return processed;
    }

    @Override
    public BatchOutcome onBatch(MessageBatch<Object> batch) throws Exception {
        return new Passage(batch, Objects.requireNonNull(found)).run();
    }

    /**
     * One batch on its way: its messages, each with its outcome as far as it is known. Used by the thread of one invocation. Of several
     * messages with one id only the first runs; the others share its outcome.
     */
    private final class Passage {

        private final MessageBatch<Object> batch;
        private final Found queue;

        /** The groups of a standard queue are tenants, which have no order. */
        private final boolean ordered;

        /** By message id; {@code null} if the handler's outcome does not mention the message, which the engine reports. */
        private final Map<String, BatchOutcome.@Nullable Outcome> outcomes = new HashMap<>();

        /** The messages of each id that may run, in the order of the batch. */
        private final Map<String, List<SqsMessage<Object>>> open = new LinkedHashMap<>();

        /** The ids that another transaction holds and whose messages must not return. */
        private final Set<String> waiting = new HashSet<>();

        /** Whether no message waits, returns without a run or is done, so that a failure is one of the whole batch. */
        private boolean alone = true;

        /** Whether the log has that ids are held. */
        private boolean saidBusy;

        /** Whether the handler named failed messages by an exception. */
        private boolean byException;

        Passage(MessageBatch<Object> batch, Found queue) {
            this.batch = batch;
            this.queue = queue;
            this.ordered = batch.queue().endsWith(".fifo");
            Map<String, RuntimeException> withoutKey = new LinkedHashMap<>();
            for (SqsMessage<Object> message : batch) {
                String id;
                try {
                    id = ids.of(message);
                } catch (RuntimeException noKey) {
                    id = "no key: " + message.id(); // an id has no blank
                    withoutKey.put(id, noKey);
                }
                open.computeIfAbsent(id, key -> new ArrayList<>()).add(message);
            }
            if (!withoutKey.isEmpty()) { // the listener logs what the handler throws, and no outcome
                log.warn(
                        "Inbox: {} of {} messages of a batch of {} fail without a run; the first: {}",
                        withoutKey.size(),
                        batch.size(),
                        batch.queue(),
                        withoutKey.values().iterator().next().getMessage());
                settleStopped(withoutKey::containsKey, id -> new BatchOutcome.Retry(null, withoutKey.get(id)));
            }
        }

        /** Runs transactions until all messages are settled. */
        BatchOutcome run() throws Exception {
            int runs = 0;
            while (!open.isEmpty()) {
                List<String> left = open.keySet().stream()
                        .filter(id -> !waiting.contains(id))
                        .sorted()
                        .toList();
                InboxTransactions.Claim claim;
                try {
                    if (left.isEmpty()) {
                        Thread.sleep(LAST_WAIT);
                        waiting.clear();
                        runs = 0;
                        continue;
                    }
                    claim = transactions.begin(queue.column(), left);
                } catch (InterruptedException stopped) { // those that wait do not run either
                    List.copyOf(open.keySet()).forEach(id -> settle(id, NOT_RUN));
                    break;
                }
                settleLost();
                if (claim instanceof Begun begun
                        && !open.keySet().containsAll(left)) { // leases were lost while it began
                    transactions.undo(begun.status(), new NotRunException("Leases were lost", Duration.ZERO));
                } else if (claim instanceof Begun begun) {
                    inTransaction(begun, left);
                    runs++;
                } else if (claim instanceof Busy busy) {
                    settleBusy(busy.ids());
                }
                if (runs == MAX_RUNS) {
                    settleStopped(left::contains, id -> RETRY);
                }
            }
            return result();
        }

        /** Runs one transaction, and settles at least one message, or throws. */
        private void inTransaction(Begun begun, List<String> left) throws Exception {
            try {
                Map<String, BatchOutcome.@Nullable Outcome> reported = call(begun.claimed());
                Map<String, BatchOutcome.@Nullable Outcome> known = new HashMap<>(reported);
                waiting.forEach(id -> known.put(id, DONE)); // they stop behind a message that failed
                List<List<String>> failed = stopped(known.keySet(), id -> stops(known.get(id)));
                List<String> dead = known.keySet().stream()
                        .filter(id -> known.get(id) instanceof BatchOutcome.DeadLetter)
                        .toList();
                boolean allDone = failed.isEmpty() && dead.isEmpty();
                if (!allDone || begun.status().isRollbackOnly()) {
                    transactions.rollBack(begun, allDone);
                    failed.forEach(some -> some.forEach(
                            id -> settle(id, known.get(id) instanceof BatchOutcome.Done ? RETRY : known.get(id))));
                    dead.forEach(id -> settle(id, known.get(id)));
                    return; // the others run again
                }
                transactions.commit(begun);
                int messages = left.stream()
                        .mapToInt(id -> Objects.requireNonNull(open.get(id)).size())
                        .sum();
                skipped.accept(messages - reported.size());
                left.forEach(id -> settle(id, DONE));
            } catch (Throwable failure) {
                transactions.undo(begun.status(), failure);
                if (alone) {
                    throw failure;
                }
                if (failure instanceof InterruptedException) {
                    Thread.currentThread().interrupt(); // so that none of those that wait runs
                }
                settleStopped(
                        left::contains, id -> waiting.contains(id) ? RETRY : new BatchOutcome.Retry(null, failure));
                byException = true;
            }
        }

        /** Whether the messages of its group behind one with this outcome stop. A dead letter makes room for them. */
        private static boolean stops(BatchOutcome.@Nullable Outcome outcome) {
            return !(outcome instanceof BatchOutcome.Done || outcome instanceof BatchOutcome.DeadLetter);
        }

        /** Returns what the handler reports about the messages of these ids. */
        private Map<String, BatchOutcome.@Nullable Outcome> call(Set<String> claimed) throws Exception {
            Map<String, SqsMessage<Object>> run = new LinkedHashMap<>();
            open.forEach((id, messages) -> {
                if (claimed.contains(id)) {
                    run.put(id, messages.getFirst());
                }
            });
            Map<String, BatchOutcome.@Nullable Outcome> reported = new HashMap<>();
            if (run.isEmpty()) {
                return reported;
            }
            List<SqsMessage<Object>> messages = List.copyOf(run.values());
            MessageBatch<Object> part = messages.size() == batch.size()
                    ? batch
                    : new MessageBatch<>(
                            batch.queue(),
                            messages,
                            batch.acknowledgement(),
                            (some, timeout) -> batch.visibility().changeTo(some, timeout));
            try {
                BatchOutcome outcome =
                        Objects.requireNonNull(listener.onBatch(part), "the handler returned no outcome");
                run.forEach((id, message) -> reported.put(id, outcome.of(message)));
            } catch (PartialBatchException partial) {
                byException = true;
                Map<String, Throwable> failed = partial.failedIds();
                requireOfCall(partial, messages);
                run.forEach((id, message) -> {
                    Throwable own = failed.get(message.id());
                    reported.put(id, own == null ? DONE : new BatchOutcome.Retry(null, own));
                });
            }
            return reported;
        }

        /**
         * Messages whose ids another transaction holds return to the queue, and so do those of their groups behind them. If a further
         * receive would send one of these to the dead-letter queue, although it has not run, they wait here.
         */
        private void settleBusy(Set<String> busy) {
            for (List<String> some : stopped(open.keySet(), busy::contains)) {
                if (some.stream().anyMatch(id -> receives(id) >= queue.maxReceives())) {
                    waiting.addAll(some);
                } else {
                    var notRun = new NotRunException(
                            "Another transaction holds its id",
                            receives(some.getFirst()) <= queue.maxReceives() / 2 ? FIRST_WAIT : LATER_WAIT);
                    some.forEach(id -> settle(id, new BatchOutcome.Retry(null, notRun)));
                }
            }
            alone = false;
            if (!saidBusy) { // those that wait here stay so
                saidBusy = true;
                log.warn(
                        "Inbox: another transaction holds the ids of {} of {} messages of {}: another instance processes"
                                + " them, or its host has vanished; the messages return to the queue for now, apart from"
                                + " {} that wait here at their last receive",
                        busy.size(),
                        batch.size(),
                        batch.queue(),
                        waiting.size());
            }
        }

        /** Messages whose leases were lost while they waited do not run: another instance may have them, or the dead-letter queue. */
        private void settleLost() {
            int before = open.size();
            settleStopped(
                    id -> ((Leased) Objects.requireNonNull(open.get(id)).getFirst()).isLeaseLost(),
                    id -> new BatchOutcome.Leave());
            alone &= open.size() == before;
        }

        /** Returns how often the messages of an id have been received, the most of them. */
        private int receives(String id) {
            return Objects.requireNonNull(open.get(id)).stream()
                    .mapToInt(SqsMessage::receiveCount)
                    .max()
                    .orElse(0);
        }

        /**
         * Returns which of the ids stop, with all behind them in a group with an order: these would run ahead of them. By group, in
         * the order of the batch.
         */
        private List<List<String>> stopped(Collection<String> among, Predicate<String> stops) {
            Map<String, List<String>> stopped = new LinkedHashMap<>();
            open.forEach((id, messages) -> {
                String group = ordered ? messages.getFirst().groupId() : null;
                String key = group == null ? id : group;
                if (among.contains(id) && (stops.test(id) || stopped.containsKey(key))) {
                    stopped.computeIfAbsent(key, any -> new ArrayList<>()).add(id);
                }
            });
            return List.copyOf(stopped.values());
        }

        /** Records the outcomes of those that stop, and of all behind them. */
        private void settleStopped(Predicate<String> stops, Function<String, BatchOutcome.Outcome> outcome) {
            stopped(open.keySet(), stops).forEach(some -> some.forEach(id -> settle(id, outcome.apply(id))));
        }

        /** Records the outcome of the messages of an id, unless they have one. */
        private void settle(String id, BatchOutcome.@Nullable Outcome outcome) {
            List<SqsMessage<Object>> settled = open.remove(id);
            if (settled != null) {
                settled.forEach(message -> outcomes.put(message.id(), outcome));
            }
        }

        /** Returns the outcome of each message; throws if the handler named failed messages by an exception alone, as it did. */
        private BatchOutcome result() {
            if (outcomes.values().stream().allMatch(BatchOutcome.Done.class::isInstance)) {
                return BatchOutcome.done();
            }
            var outcome = BatchOutcome.perMessage();
            Map<SqsMessage<Object>, Throwable> failed = new LinkedHashMap<>();
            boolean throwable = byException;
            for (SqsMessage<Object> message : batch) {
                BatchOutcome.Outcome own = outcomes.get(message.id());
                switch (own) {
                    case null -> {}
                    case BatchOutcome.Done done -> outcome.done(message);
                    case BatchOutcome.Leave leave -> outcome.leave(message);
                    case BatchOutcome.DeadLetter dead -> outcome.deadLetter(message, dead.cause());
                    case BatchOutcome.Retry retry when retry.after() != null -> outcome.retry(message, retry.after());
                    case BatchOutcome.Retry retry when retry.cause() != null -> outcome.retry(message, retry.cause());
                    case BatchOutcome.Retry retry -> outcome.retry(message);
                }
                if (own instanceof BatchOutcome.Retry retry) {
                    failed.put(message, retry.cause() != null ? retry.cause() : new BatchSqsException(WAITS));
                    throwable &= retry.after() == null && !(retry.cause() instanceof NotRunException);
                } else {
                    throwable &= own instanceof BatchOutcome.Done; // an exception could not say so
                }
            }
            if (throwable && !failed.isEmpty()) {
                throw PartialBatchException.of(failed);
            }
            return outcome.build();
        }
    }

    /** @throws BatchSqsException if the exception names a message that did not run: it fails all, as without the inbox */
    private static void requireOfCall(PartialBatchException partial, List<SqsMessage<Object>> messages) {
        Set<String> ids = messages.stream().map(SqsMessage::id).collect(Collectors.toSet());
        if (!ids.containsAll(partial.failedIds().keySet())) {
            // Without the exception as its cause, whose ids would be read as those of the whole batch
            var wrong = new BatchSqsException(
                    "The PartialBatchException of the handler names a message that is not among the " + messages.size()
                            + " of its call: " + partial.getMessage() + "; name messages of the call");
            wrong.addSuppressed(partial);
            throw wrong;
        }
    }
}
