/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.sender;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyList;
import static org.mockito.ArgumentMatchers.eq;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import io.github.batchsqs.client.Queue;
import io.github.batchsqs.client.QueueResolver;
import io.github.batchsqs.codec.JacksonPayloadCodec;
import io.github.batchsqs.internal.client.EntryResult;
import io.github.batchsqs.internal.client.QueueClient;
import io.github.batchsqs.internal.client.SendEntry;
import io.github.batchsqs.internal.client.SentMessage;
import io.github.batchsqs.internal.events.SenderEvents;
import io.github.batchsqs.internal.send.BatchSqsTemplate;
import io.github.batchsqs.internal.send.KeptMessage;
import io.github.batchsqs.internal.send.Outbox;
import io.github.batchsqs.internal.send.SendBinding;
import io.github.batchsqs.internal.send.SendObserver;
import io.github.batchsqs.internal.send.SenderResources;
import io.github.batchsqs.internal.support.TimeSource;
import io.github.batchsqs.send.OutgoingMessage;
import io.github.batchsqs.send.SendFailedException;
import io.github.batchsqs.send.SendResult;
import io.github.batchsqs.send.SenderOptions;
import io.github.batchsqs.testkit.Progress;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.dao.CannotAcquireLockException;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.transaction.SavepointManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionSystemException;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;
import tools.jackson.databind.json.JsonMapper;

/** Messages within transactions of every kind, with a client that takes everything. */
class TransactionBindingTests {

    private final List<String> taken = new CopyOnWriteArrayList<>();
    private final QueueClient client = mock();
    private final QueueResolver resolver = mock();

    @AutoClose
    private final BatchSqsTemplate template = template(new TransactionBinding());

    private final WithSavepoints manager = new WithSavepoints();
    private final List<CompletableFuture<SendResult>> sent = new ArrayList<>();

    private BatchSqsTemplate template(SendBinding binding) {
        return new BatchSqsTemplate(
                SenderOptions.defaults(),
                new SenderResources(
                        client,
                        resolver,
                        new JacksonPayloadCodec(JsonMapper.shared()),
                        each -> SenderEvents.NONE,
                        SendObserver.NONE,
                        binding,
                        TimeSource.system(),
                        null));
    }

    @BeforeEach
    void answer() throws Exception {
        var queue = new Queue("q", "http://localhost/000000000000/q");
        when(resolver.resolve("q")).thenReturn(queue);
        when(client.send(eq(queue), anyList())).thenAnswer(call -> {
            List<SendEntry> entries = call.getArgument(1);
            entries.forEach(each -> taken.add(each.body()));
            return entries.stream()
                    .map(each -> new EntryResult.Accepted<>(new SentMessage("id", null)))
                    .toList();
        });
    }

    @Test
    void messagesOfANestedTransactionThatIsRolledBackAreNotSent() {
        in(TransactionDefinition.PROPAGATION_REQUIRED, false, () -> {
            send("before");
            in(TransactionDefinition.PROPAGATION_NESTED, true, () -> send("within"));
            assertThat(notCommitted(sent.get(1))).isTrue();
            in(TransactionDefinition.PROPAGATION_NESTED, false, () -> send("kept"));
            send("after");
        });
        assertSent("before", "kept", "after");
    }

    @Test
    void firstMessagesOfATransactionThatAreRolledBackWithANestedOneAreNotSent() {
        in(TransactionDefinition.PROPAGATION_REQUIRED, false, () -> {
            in(TransactionDefinition.PROPAGATION_NESTED, true, () -> send("within"));
            send("after");
        });
        assertSent("after");
        assertThat(notCommitted(sent.getFirst())).isTrue();
    }

    @Test
    void messagesOfASuspendedTransactionWaitForItsOwnCommit() {
        in(TransactionDefinition.PROPAGATION_REQUIRED, false, () -> {
            send("outer");
            in(TransactionDefinition.PROPAGATION_REQUIRES_NEW, false, () -> send("inner"));
            assertSent("inner");
            in(TransactionDefinition.PROPAGATION_REQUIRES_NEW, true, () -> send("lost"));
        });
        assertSent("inner", "outer");
        assertThat(notCommitted(sent.get(2))).isTrue();
    }

    @Test
    void messagesSentByCallbacksOfTheCommitGoOut() {
        inCallbacks(() -> send("before commit"), () -> send("after commit"), () -> send("after completion"));
        assertThat(sent).hasSize(3);
        var ignored = Progress.done(CompletableFuture.allOf(sent.toArray(CompletableFuture<?>[]::new)));
        assertThat(taken).containsExactlyInAnyOrder("before commit", "after commit", "after completion");
    }

    /** Does something in the callbacks of a transaction. */
    private void inCallbacks(Runnable beforeCommit, Runnable afterCommit, Runnable afterCompletion) {
        in(
                TransactionDefinition.PROPAGATION_REQUIRED,
                false,
                () -> TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                    @Override
                    public void beforeCommit(boolean readOnly) {
                        beforeCommit.run();
                    }

                    @Override
                    public void afterCommit() {
                        afterCommit.run();
                    }

                    @Override
                    public void afterCompletion(int status) {
                        afterCompletion.run();
                    }
                }));
    }

    @Nested
    class WithAnOutbox {

        private final Rows rows = new Rows();

        @AutoClose
        private final BatchSqsTemplate storing = template(new OutboxBinding("default", rows));

        private void store(String text) {
            sent.add(storing.send("q", text));
        }

        @Test
        void storesMessagesOnceBeforeTheCommitAndSendsNone() {
            in(TransactionDefinition.PROPAGATION_REQUIRED, false, () -> {
                store("1");
                store("2");
                assertThat(storing.sendsAfterCommit()).isTrue();
                assertThat(rows.stored).isEmpty();
            });
            assertThat(rows.stored).containsExactly(List.of("1", "2"));
            assertThat(rows.ended).containsExactly("committed 1");
            assertThat(taken).isEmpty();
            assertThat(sent).noneMatch(CompletableFuture::isDone);
            assertThat(storing.bufferedBytes()).isZero();
        }

        @ParameterizedTest
        @ValueSource(booleans = {true, false})
        void aFailureToStoreOrToBeginRollsTheTransactionBack(boolean stores) {
            var failure = new IllegalStateException("on purpose");
            rows.failure = stores ? failure : null;
            rows.noMark = stores ? null : failure;
            assertThatThrownBy(() -> in(TransactionDefinition.PROPAGATION_REQUIRED, false, () -> store("1")))
                    .hasMessage("on purpose");
            assertThat(notCommitted(sent.getFirst())).isTrue();
            assertThat(rows.ended).doesNotContain("committed 1");
            assertThat(manager.commits).isZero();
            assertThat(storing.bufferedBytes()).isZero();
        }

        @ParameterizedTest
        @ValueSource(booleans = {true, false})
        void aMessageThatCannotBeSentRollsTheTransactionBack(boolean beside) {
            assertThatThrownBy(() -> in(TransactionDefinition.PROPAGATION_REQUIRED, false, () -> {
                        if (beside) {
                            store("1");
                        }
                        sent.add(storing.send("q.fifo", "without a group"));
                    }))
                    .hasMessageContainingAll("rolled back", "'q.fifo'", SendFailedException.INVALID_MESSAGE)
                    .hasMessageContaining("would commit without the message")
                    .hasCauseInstanceOf(SendFailedException.class);

            assertThat(sent.getLast()).isCompletedExceptionally();
            assertThat(notCommitted(sent.getFirst())).isEqualTo(beside);
            assertThat(manager.commits).isZero();
        }

        @Test
        void aMessageThatCannotBeSentIsForgottenWithItsNestedTransaction() {
            in(TransactionDefinition.PROPAGATION_REQUIRED, false, () -> {
                store("before");
                in(
                        TransactionDefinition.PROPAGATION_NESTED,
                        true,
                        () -> sent.add(storing.send("q.fifo", "without a group")));
            });
            assertThat(rows.stored).containsExactly(List.of("before"));
            assertThat(manager.commits).isEqualTo(1);
        }

        /** With JPA, Spring takes a lost response for a rollback: the one of the connection fails, too, and Hibernate hides that. */
        @ParameterizedTest
        @ValueSource(booleans = {true, false})
        void storedMessagesOfAnUnknownEndMayHaveBeenSent(boolean reported) {
            manager.failure = reported
                    ? new TransactionSystemException("the response was lost")
                    : new DataAccessResourceFailureException("the response was lost");
            assertThatThrownBy(() -> in(TransactionDefinition.PROPAGATION_REQUIRED, false, () -> store("1")))
                    .hasMessage("the response was lost");
            assertThat(Progress.failure(sent.getFirst())).isInstanceOfSatisfying(SendFailedException.class, failure -> {
                assertThat(failure.code()).isEqualTo(SendFailedException.NOT_COMMITTED);
                assertThat(failure.delivery()).isEqualTo(SendFailedException.Delivery.UNKNOWN);
                assertThat(failure.retryable()).isFalse();
            });
            assertThat(rows.ended).containsExactly("not committed 1");
            assertThat(storing.bufferedBytes()).isZero();
        }

        @Test
        void aTransactionThatTheDatabaseHasUndoneDoesNotCommit() {
            assertThatThrownBy(() -> in(TransactionDefinition.PROPAGATION_REQUIRED, false, () -> {
                        store("1");
                        rows.marks.clear();
                    }))
                    .isInstanceOf(ConcurrencyFailureException.class)
                    .hasMessageContaining("has undone this transaction");
            assertThat(rows.stored).isEmpty();
            assertThat(notCommitted(sent.getFirst())).isTrue();
            assertThat(manager.commits).isZero();
        }

        @Test
        void theMarkOfANestedTransactionIsMadeAgain() {
            in(TransactionDefinition.PROPAGATION_REQUIRED, false, () -> {
                in(TransactionDefinition.PROPAGATION_NESTED, true, () -> {
                    store("within");
                    rows.marks.clear();
                });
                store("after");
            });
            assertThat(rows.stored).containsExactly(List.of("after"));
            assertThat(notCommitted(sent.getFirst())).isTrue();
            assertThat(rows.marks).isEmpty();
        }

        @Test
        void messagesThatADatabaseRefusesAtTheEndOfTheCommitFailAndAreNotSent() {
            rows.failure = new CannotAcquireLockException("on purpose", null);
            inCallbacks(() -> store("before commit"), () -> {}, () -> {});
            assertThat(Progress.failure(sent.getFirst()))
                    .isInstanceOfSatisfying(
                            SendFailedException.class,
                            failure -> assertThat(failure.delivery()).isEqualTo(SendFailedException.Delivery.UNKNOWN));
            assertThat(taken).isEmpty();
        }

        @Test
        void messagesOfASuspendedTransactionAreStoredWithItsOwnCommit() {
            in(TransactionDefinition.PROPAGATION_REQUIRED, false, () -> {
                store("outer");
                in(TransactionDefinition.PROPAGATION_REQUIRES_NEW, false, () -> store("inner"));
                assertThat(rows.stored).containsExactly(List.of("inner"));
            });
            assertThat(rows.stored).containsExactly(List.of("inner"), List.of("outer"));
        }

        @ParameterizedTest
        @ValueSource(booleans = {true, false})
        void messagesThatCallbacksSendBeforeTheCommitAreStored(boolean withEarlier) {
            in(TransactionDefinition.PROPAGATION_REQUIRED, false, () -> {
                if (withEarlier) {
                    store("earlier");
                }
                inCallbacks(() -> store("before commit"), () -> {}, () -> {});
            });
            assertThat(rows.stored.stream().flatMap(List::stream)).contains("before commit");
            assertThat(rows.stored.stream().flatMap(List::stream)).hasSize(withEarlier ? 2 : 1);
            assertThat(rows.ended).hasSize(rows.stored.size()).allMatch(end -> end.startsWith("committed"));
            assertThat(taken).isEmpty();
        }

        @Test
        void messagesThatAreSentLaterAreStoredBehindTheCommit() {
            in(TransactionDefinition.PROPAGATION_REQUIRED, false, () -> {
                store("stored");
                inCallbacks(() -> {}, () -> store("after commit"), () -> {});
            });
            assertThat(rows.stored).containsExactly(List.of("stored"));
            assertThat(rows.late).containsExactly("after commit");
            assertThat(sent).noneMatch(CompletableFuture::isDone);
            assertThat(taken).isEmpty();
        }

        /** J2: a look-up of the queue would wait for SQS in the transaction. */
        @Test
        void aTransactionNeedsNoSqs() throws Exception {
            in(TransactionDefinition.PROPAGATION_REQUIRED, false, () -> {
                sent.add(storing.send("https://sqs.eu-central-1.amazonaws.com/111111111111/unknown", "1"));
                sent.add(storing.send(OutgoingMessage.builder("arn:aws:sqs:eu-central-1:111111111111:unknown.fifo", "2")
                        .groupId("g")
                        .build()));
            });
            assertThat(rows.stored).containsExactly(List.of("1", "2"));
            assertThat(rows.fifo).containsExactly(false, true);
            verify(resolver, never()).resolve(any());
        }

        @Test
        void aTimeOfDeliveryNeedsTheOutbox() {
            var later = OutgoingMessage.builder("q", "later")
                    .deliverAt(Instant.parse("2030-01-01T00:00:00Z"))
                    .build();
            in(TransactionDefinition.PROPAGATION_REQUIRED, false, () -> sent.add(storing.send(later)));
            assertThat(rows.stored).containsExactly(List.of("later"));
            assertThat(Progress.failure(storing.send(later)))
                    .hasMessageContaining("A time of delivery needs the outbox");
            assertThat(Progress.failure(template.send(later)))
                    .hasMessageContaining("A time of delivery needs the outbox");
        }
    }

    /** An outbox that keeps the bodies. */
    private static final class Rows implements Outbox {

        final List<List<String>> stored = new ArrayList<>();
        final List<String> late = new ArrayList<>();
        final List<Boolean> fifo = new ArrayList<>();
        final List<String> ended = new ArrayList<>();
        final Set<Object> marks = new HashSet<>();

        @Nullable
        RuntimeException failure;

        @Nullable
        RuntimeException noMark;

        @Override
        public Mark begin() {
            if (noMark != null) {
                throw noMark;
            }
            var mark = new Object();
            marks.add(mark);
            return () -> marks.remove(mark);
        }

        @Override
        public void storeLate(String client, List<KeptMessage> messages, @Nullable Mark mark) {
            assertThat(mark).isNotNull();
            messages.forEach(each -> late.add(each.entry().body()));
        }

        @Override
        public Batch store(String client, List<KeptMessage> messages) {
            assertThat(client).isEqualTo("default");
            if (failure != null) {
                throw failure;
            }
            stored.add(messages.stream().map(each -> each.entry().body()).toList());
            messages.forEach(each -> fifo.add(each.fifo()));
            int number = stored.size();
            return new Batch() {
                @Override
                public void committed() {
                    ended.add("committed " + number);
                }

                @Override
                public void notCommitted() {
                    ended.add("not committed " + number);
                }
            };
        }
    }

    private void in(int propagation, boolean rollBack, Runnable work) {
        var transaction = new TransactionTemplate(manager);
        transaction.setPropagationBehavior(propagation);
        transaction.executeWithoutResult(status -> {
            work.run();
            if (rollBack) {
                status.setRollbackOnly();
            }
        });
    }

    private void send(String text) {
        sent.add(template.send("q", text));
    }

    private static boolean notCommitted(CompletableFuture<SendResult> future) {
        return Progress.failure(future) instanceof SendFailedException failure
                && failure.code().equals(SendFailedException.NOT_COMMITTED);
    }

    private void assertSent(String... texts) {
        Progress.until(() -> taken.size() == texts.length);
        var ignored = Progress.done(template.flush());
        assertThat(taken).containsExactly(texts);
    }

    /** Commits nothing, and keeps count of where it is. */
    private static final class WithSavepoints extends AbstractPlatformTransactionManager {

        private boolean active;
        private int commits;
        private @Nullable RuntimeException failure;

        WithSavepoints() {
            setNestedTransactionAllowed(true);
        }

        @Override
        protected Object doGetTransaction() {
            return new Savepoints();
        }

        @Override
        protected boolean isExistingTransaction(Object transaction) {
            return active;
        }

        @Override
        protected void doBegin(Object transaction, TransactionDefinition definition) {
            active = true;
        }

        @Override
        protected Object doSuspend(Object transaction) {
            active = false;
            return "suspended";
        }

        @Override
        protected void doResume(@Nullable Object transaction, Object suspended) {
            active = true;
        }

        @Override
        protected void doCommit(DefaultTransactionStatus status) {
            commits++;
            if (failure != null) {
                throw failure;
            }
        }

        @Override
        protected void doRollback(DefaultTransactionStatus status) {}

        @Override
        protected void doSetRollbackOnly(DefaultTransactionStatus status) {}

        @Override
        protected void doCleanupAfterCompletion(Object transaction) {
            active = false;
        }
    }

    private static final class Savepoints implements SavepointManager {

        @Override
        public Object createSavepoint() {
            return new Object();
        }

        @Override
        public void rollbackToSavepoint(Object savepoint) {}

        @Override
        public void releaseSavepoint(Object savepoint) {}
    }
}
