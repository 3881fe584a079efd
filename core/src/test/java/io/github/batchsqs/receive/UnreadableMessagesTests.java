/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.BatchListener;
import io.github.batchsqs.BatchOutcome;
import io.github.batchsqs.MessageAttribute;
import io.github.batchsqs.client.EntryResult;
import io.github.batchsqs.client.Queue;
import io.github.batchsqs.client.QueueClient;
import io.github.batchsqs.client.ReceiveCall;
import io.github.batchsqs.client.ReceivedMessage;
import io.github.batchsqs.client.SendEntry;
import io.github.batchsqs.client.SentMessage;
import io.github.batchsqs.client.VisibilityChange;
import io.github.batchsqs.events.ListenerEvents;
import io.github.batchsqs.internal.codec.ForwardingMessage;
import io.github.batchsqs.listener.ErrorHook;
import io.github.batchsqs.listener.ListenerHandler;
import io.github.batchsqs.listener.ListenerOptions;
import io.github.batchsqs.model.sqs.QueueSettings;
import io.github.batchsqs.testkit.InMemoryQueueClient;
import io.github.batchsqs.testkit.Progress;
import io.github.batchsqs.time.TimeSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a server says of a message may be unreadable: the message is settled, its permit returns, and its group goes on. */
class UnreadableMessagesTests {

    private final InMemoryQueueClient client = new InMemoryQueueClient(TimeSource.system());
    private final Queue deadLetters = client.createQueue("dead.fifo");
    private final Queue queue =
            client.createQueue("orders.fifo", QueueSettings.DEFAULT.withRedrive(deadLetters.name(), 100));
    private final List<String> handled = new CopyOnWriteArrayList<>();
    private final AtomicInteger failures = new AtomicInteger();
    private boolean countIsUnreadable;
    private @Nullable Throwable attributesThrow;
    private @Nullable ListenerContainer container;

    UnreadableMessagesTests() {
        client.longPolling(true);
    }

    @AfterEach
    void nothingIsLeft() {
        if (container != null) {
            container.stop();
        }
        client.assertNothingLost();
        client.assertNoMisuse();
    }

    @Test
    void aMessageThatFailsIsTriedAgainThoughItsReceiveCountIsNoNumber() {
        countIsUnreadable = true;
        started(options -> options.batchSize(1), batch -> {
            if (failures.incrementAndGet() == 1) {
                throw new IllegalStateException("once");
            }
            handled.addAll(batch.payloads());
            return BatchOutcome.done();
        });
        client.putInGroup(queue, "g", "a", "b");
        Progress.until(() -> left(queue), 0);
        assertThat(handled).containsExactly("a", "b");
    }

    @Test
    void aMessageThatCannotBeMadeADeadLetterReturnsAndTheOthersAreDeleted() {
        attributesThrow = new IllegalArgumentException("no attribute");
        poisonReturnsAndTheOthersAreDeleted();
    }

    @Test
    void aMessageWhoseAttributesThrowAnErrorReturnsAndTheOthersAreDeleted() {
        attributesThrow = new NoClassDefFoundError("as if");
        poisonReturnsAndTheOthersAreDeleted();
    }

    private void poisonReturnsAndTheOthersAreDeleted() {
        started(options -> options.batchSize(10), batch -> {
            handled.addAll(batch.payloads());
            BatchOutcome.Builder outcome = BatchOutcome.perMessage().othersDone();
            batch.forEach(message -> {
                if (message.payload().equals("poison") && failures.incrementAndGet() == 1) {
                    outcome.deadLetter(message, null);
                }
            });
            return outcome.build();
        });
        client.putInGroup(queue, "g", "a", "poison", "b");
        Progress.until(() -> left(queue), 0);
        assertThat(handled).contains("a", "poison", "b");
        assertThat(handled.stream().filter("a"::equals)).hasSize(1);
    }

    private int left(Queue of) {
        return client.visible(of).size() + client.inFlight(of).size();
    }

    private void started(UnaryOperator<ListenerOptions.Builder> options, BatchListener<String> listener) {
        container = new ListenerContainer(
                options.apply(ListenerOptions.builder("listener", queue.name())
                                .failure(new ListenerOptions.Failure(
                                        ThrowingPartsTests.SOON,
                                        false,
                                        List.of(),
                                        ListenerOptions.Failure.REDRIVE_POLICY)))
                        .build(),
                new ListenerHandler<>(ReceivedMessage::body, listener, List.of(), ErrorHook.NONE),
                new ListenerResources(new Unreadable(), client, ListenerEvents.NONE, TimeSource.system()));
        container.start();
    }

    /** Brings messages of which something cannot be read. */
    private final class Unreadable implements QueueClient {

        @Override
        public List<ReceivedMessage> receive(ReceiveCall call) throws InterruptedException {
            return client.receive(call).stream()
                    .<ReceivedMessage>map(UnreadableMessage::new)
                    .toList();
        }

        @Override
        public List<EntryResult<Void>> delete(Queue from, List<String> receiptHandles) throws InterruptedException {
            return client.delete(from, receiptHandles);
        }

        @Override
        public List<EntryResult<Void>> changeVisibility(Queue of, List<VisibilityChange> changes)
                throws InterruptedException {
            return client.changeVisibility(of, changes);
        }

        @Override
        public List<EntryResult<SentMessage>> send(Queue to, List<SendEntry> entries) throws InterruptedException {
            return client.send(to, entries);
        }
    }

    private final class UnreadableMessage extends ForwardingMessage {

        UnreadableMessage(ReceivedMessage message) {
            super(message);
        }

        @Override
        public Map<String, MessageAttribute> attributes() {
            return switch (attributesThrow) {
                case null -> super.attributes();
                case Error error -> throw error;
                default -> throw new IllegalArgumentException(attributesThrow);
            };
        }

        @Override
        public int receiveCount() {
            return countIsUnreadable ? Integer.parseInt("many") : super.receiveCount();
        }
    }
}
