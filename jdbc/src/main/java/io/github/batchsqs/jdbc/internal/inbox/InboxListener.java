/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.jdbc.internal.inbox;

import io.github.batchsqs.BatchListener;
import io.github.batchsqs.BatchOutcome;
import io.github.batchsqs.MessageBatch;
import io.github.batchsqs.PartialBatchException;
import io.github.batchsqs.SqsMessage;
import io.github.batchsqs.client.ReceivedMessage;
import io.github.batchsqs.errors.BatchSqsException;
import io.github.batchsqs.internal.receive.invoke.NotRunException;
import io.github.batchsqs.internal.receive.invoke.PartitionedListener;
import io.github.batchsqs.internal.receive.invoke.SkippingListener;
import io.github.batchsqs.jdbc.internal.inbox.InboxTransactions.Begun;
import io.github.batchsqs.jdbc.internal.inbox.InboxTransactions.Busy;
import io.github.batchsqs.listener.ReceiveGate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.IntConsumer;
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

    /** How long each claim waits for it at its last receive. */
    private static final Duration WAIT = Duration.ofSeconds(2);

    private static final BatchOutcome.Outcome DONE = new BatchOutcome.Done();
    private static final BatchOutcome.Outcome RETRY = new BatchOutcome.Retry(null, null);
    private static final BatchOutcome.Outcome NOT_RUN =
            new BatchOutcome.Retry(null, new NotRunException("The listener stops", Duration.ZERO));

    private static final Permission DATABASE_FAILS =
            Permission.waitFor(Duration.ofSeconds(1), "its database begins no transactions");

    private final BatchListener<Object> listener;
    private final QueueScope scope;
    private final MessageIds ids;
    private final InboxTransactions transactions;
    private final IntConsumer skipped;

    InboxListener(
            BatchListener<Object> listener,
            QueueScope scope,
            MessageIds ids,
            InboxTransactions transactions,
            IntConsumer skipped) {
        this.listener = listener;
        this.scope = scope;
        this.ids = ids;
        this.transactions = transactions;
        this.skipped = skipped;
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
        List<String> of = messages.stream().map(ReceivedMessage::id).toList();
        Set<String> recorded = transactions.recorded(
                scope.find().column(), of.stream().map(MessageIds::stored).toList());
        Set<String> processed = of.stream()
                .filter(id -> recorded.contains(MessageIds.stored(id)))
                .collect(Collectors.toSet());
        skipped.accept(processed.size());
        return processed;
    }

    @Override
    public BatchOutcome onBatch(MessageBatch<Object> batch) throws Exception {
        QueueScope.Found queue = scope.find();
        Intake intake = new Intake(batch, ids);
        if (!intake.withoutKey().isEmpty()) { // the listener logs what the handler throws, and no outcome
            log.warn(
                    "Inbox: {} of {} messages of a batch of {} fail without a run; the first: {}",
                    intake.withoutKey().size(),
                    batch.size(),
                    batch.queue(),
                    intake.withoutKey().getFirst().getMessage());
        }
        Set<String> waiting = new HashSet<>();
        boolean byException = run(queue, intake, waiting, false);
        byException |= run(queue, intake, waiting, true);
        return result(intake, byException);
    }

    /**
     * Runs transactions until all messages are settled. Those whose ids another transaction holds return to the queue.
     *
     * @param waiting the ids of messages that must not return
     * @param patient whether this is the second time: it runs those, and waits in the database for their ids until the thread is interrupted
     * @return whether the handler named failed messages by an exception
     */
    private boolean run(QueueScope.Found queue, Intake intake, Set<String> waiting, boolean patient) throws Exception {
        boolean byException = false;
        boolean alone = !patient;
        BatchOutcome.Outcome ofTheRest = RETRY;
        Set<String> later = patient ? Set.of() : waiting;
        List<String> left = intake.sortedIdsBut(later);
        for (int run = 0; !left.isEmpty() && run < MAX_RUNS; left = intake.sortedIdsBut(later)) {
            InboxTransactions.Claim claim;
            try {
                claim = transactions.begin(queue.column(), left, patient ? WAIT : InboxTable.HARDLY);
            } catch (InterruptedException stopped) {
                left = intake.sortedIdsBut(Set.of()); // those that wait do not run either
                ofTheRest = NOT_RUN;
                break;
            }
            if (claim instanceof Begun begun) {
                byException |= inTransaction(begun, intake, left, alone);
                run++;
            } else if (claim instanceof Busy busy && !patient) {
                alone = false;
                settleBusy(intake, intake.ofIds(Set.copyOf(left)), busy.ids(), queue.maxReceives(), waiting);
            }
        }
        for (String id : left) {
            intake.settle(id, ofTheRest);
        }
        return byException;
    }

    /**
     * Runs one transaction, and settles at least one message, or throws.
     *
     * @param alone whether no message of the batch waits, returns without a run or was done, so that a failure is one of the whole batch
     * @return whether the handler named failed messages by an exception
     */
    private boolean inTransaction(Begun begun, Intake intake, List<String> left, boolean alone) throws Exception {
        Map<String, SqsMessage<Object>> toRun = intake.ofIds(begun.claimed());
        Set<String> duplicates = new HashSet<>(left);
        duplicates.removeAll(begun.claimed());
        HandlerOutcome reported = new HandlerOutcome(Map.of(), false);
        try {
            if (!toRun.isEmpty()) {
                reported = call(intake.batchOf(toRun), toRun);
            }
            Map<String, BatchOutcome.Outcome> failed = reported.failed(toRun, intake.ordered());
            if (failed.isEmpty() && !begun.status().isRollbackOnly()) {
                transactions.commit(begun);
                skipped.accept(intake.count(duplicates) + intake.count(toRun.keySet()) - toRun.size());
                duplicates.forEach(id -> intake.settle(id, DONE));
                reported.byId().forEach(intake::settle);
            } else {
                transactions.rollBack(begun, failed.isEmpty());
                failed.forEach(intake::settle); // the others run again
            }
            return reported.byException();
        } catch (Throwable failure) {
            transactions.undo(begun.status(), failure);
            if (alone) {
                throw failure;
            }
            if (failure instanceof InterruptedException) {
                Thread.currentThread().interrupt(); // so that none of those that wait runs
            }
            left.forEach(id -> intake.settle(id, new BatchOutcome.Retry(null, failure)));
            return true;
        }
    }

    /**
     * Messages whose ids another transaction holds return to the queue, and so do those of their groups behind them. If a further receive
     * would send one of these to the dead-letter queue, although it has not run, they wait here.
     *
     * @param messages those that were to run
     * @param waiting gets the ids of those that wait
     */
    private static void settleBusy(
            Intake intake,
            Map<String, SqsMessage<Object>> messages,
            Set<String> busy,
            int maxReceives,
            Set<String> waiting) {
        Map<String, List<String>> together = new LinkedHashMap<>();
        messages.forEach((id, message) -> {
            String group = intake.ordered() ? message.groupId() : null;
            if (busy.contains(id) || (group != null && together.containsKey(group))) {
                together.computeIfAbsent(group == null ? id : group, key -> new ArrayList<>())
                        .add(id);
            }
        });
        together.values().forEach(ids -> {
            if (ids.stream().anyMatch(id -> intake.receives(id) >= maxReceives)) {
                waiting.addAll(ids);
            } else {
                Duration after = later(intake.receives(ids.getFirst()));
                ids.forEach(id -> intake.settle(
                        id,
                        new BatchOutcome.Retry(null, new NotRunException("Another transaction holds its id", after))));
            }
        });
        log.warn(
                "Inbox: another transaction holds the ids of {} of {} messages of {}: another instance processes them, or its host has"
                        + " vanished; the messages return to the queue for now, apart from {} that wait here at their last receive",
                busy.size(),
                intake.batch().size(),
                intake.batch().queue(),
                waiting.size());
    }

    /** A receive counts towards the redrive policy. So the second wait is longer than a transaction of a vanished host lasts. */
    private static Duration later(int receives) {
        return receives <= 1 ? FIRST_WAIT : InboxTable.LONGEST_IDLE.plusMinutes(1);
    }

    private HandlerOutcome call(MessageBatch<Object> batch, Map<String, SqsMessage<Object>> ran) throws Exception {
        try {
            return HandlerOutcome.of(
                    ran, Objects.requireNonNull(listener.onBatch(batch), "the handler returned no outcome"));
        } catch (PartialBatchException partial) {
            return HandlerOutcome.of(ran, partial);
        }
    }

    /** Returns the outcome of each message; throws if the handler named failed messages by an exception alone, as it did. */
    private static BatchOutcome result(Intake intake, boolean byException) {
        var outcome = BatchOutcome.perMessage();
        Map<SqsMessage<Object>, Throwable> failed = new LinkedHashMap<>();
        boolean allDone = true;
        boolean throwable = byException;
        for (SqsMessage<Object> message : intake.batch()) {
            BatchOutcome.Outcome own = Objects.requireNonNull(intake.outcomeOf(message));
            allDone &= own instanceof BatchOutcome.Done;
            switch (own) {
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
        return allDone ? BatchOutcome.done() : outcome.build();
    }
}
