/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.sender;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.anyList;
import static org.mockito.ArgumentMatchers.eq;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.github.batchsqs.client.EntryResult;
import io.github.batchsqs.client.Queue;
import io.github.batchsqs.client.QueueClient;
import io.github.batchsqs.client.QueueResolver;
import io.github.batchsqs.client.SendEntry;
import io.github.batchsqs.client.SentMessage;
import io.github.batchsqs.codec.JacksonPayloadCodec;
import io.github.batchsqs.events.SenderEvents;
import io.github.batchsqs.send.BatchSqsTemplate;
import io.github.batchsqs.send.SendFailedException;
import io.github.batchsqs.send.SendObserver;
import io.github.batchsqs.send.SendResult;
import io.github.batchsqs.send.SenderOptions;
import io.github.batchsqs.send.SenderResources;
import io.github.batchsqs.testkit.Progress;
import io.github.batchsqs.time.TimeSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.transaction.SavepointManager;
import org.springframework.transaction.TransactionDefinition;
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
    private final BatchSqsTemplate template = new BatchSqsTemplate(
            SenderOptions.defaults(),
            new SenderResources(
                    client,
                    resolver,
                    new JacksonPayloadCodec(JsonMapper.shared()),
                    each -> SenderEvents.NONE,
                    SendObserver.NONE,
                    new TransactionBinding(),
                    TimeSource.system()));
    private final WithSavepoints manager = new WithSavepoints();
    private final List<CompletableFuture<SendResult>> sent = new ArrayList<>();

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

    @AfterEach
    void close() {
        template.close();
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
        in(
                TransactionDefinition.PROPAGATION_REQUIRED,
                false,
                () -> TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                    @Override
                    public void beforeCommit(boolean readOnly) {
                        send("before commit");
                    }

                    @Override
                    public void afterCommit() {
                        send("after commit");
                    }

                    @Override
                    public void afterCompletion(int status) {
                        send("after completion");
                    }
                }));
        assertThat(sent).hasSize(3);
        var ignored = Progress.done(CompletableFuture.allOf(sent.toArray(CompletableFuture<?>[]::new)));
        assertThat(taken).containsExactlyInAnyOrder("before commit", "after commit", "after completion");
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
        protected void doCommit(DefaultTransactionStatus status) {}

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
