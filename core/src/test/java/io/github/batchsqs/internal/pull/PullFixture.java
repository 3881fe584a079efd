/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.pull;

import io.github.batchsqs.ReceivedMessage;
import io.github.batchsqs.client.Queue;
import io.github.batchsqs.codec.JacksonPayloadCodec;
import io.github.batchsqs.internal.client.EntryResult;
import io.github.batchsqs.internal.client.QueueClient;
import io.github.batchsqs.internal.client.ReceiveCall;
import io.github.batchsqs.internal.client.SendEntry;
import io.github.batchsqs.internal.client.SentMessage;
import io.github.batchsqs.internal.client.VisibilityChange;
import io.github.batchsqs.payload.PayloadStore;
import io.github.batchsqs.pull.PulledMessages;
import io.github.batchsqs.pull.ReceiveRequest;
import io.github.batchsqs.testkit.InMemoryQueueClient;
import io.github.batchsqs.testkit.Progress;
import io.github.batchsqs.testkit.SenderEventMethods;
import io.github.batchsqs.testkit.SettableTime;
import io.github.batchsqs.testkit.StoredMessage;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import tools.jackson.databind.json.JsonMapper;

/** Queues in memory and a puller over them, on a time that tests set. */
abstract class PullFixture {

    final SettableTime time = new SettableTime();
    final InMemoryQueueClient sqs = new InMemoryQueueClient(time);
    final Queue queue = sqs.createQueue("q");
    final Queue fifo = sqs.createQueue("q.fifo");
    final Seam seam = new Seam();
    final List<String> calls = new CopyOnWriteArrayList<>();
    final @Nullable PayloadStore payloads;
    final Puller puller;

    PullFixture() {
        this(null);
    }

    PullFixture(@Nullable PayloadStore payloads) {
        this.payloads = payloads;
        puller = puller(payloads);
    }

    Puller puller(@Nullable PayloadStore store) {
        var codec = new JacksonPayloadCodec(JsonMapper.shared());
        return new Puller(
                seam,
                codec,
                name -> new Recorded(),
                time,
                Thread::startVirtualThread,
                store,
                ConcurrentHashMap.newKeySet());
    }

    @AfterEach
    void close() {
        sqs.assertNoMisuse();
        sqs.assertNothingLost();
    }

    PulledMessages<String> receive(UnaryOperator<ReceiveRequest<String>> change) throws InterruptedException {
        return receive("q", change);
    }

    PulledMessages<String> receive(String name, UnaryOperator<ReceiveRequest<String>> change)
            throws InterruptedException {
        return puller.receive(sqs.resolve(name), change.apply(ReceiveRequest.of(name, String.class)));
    }

    /** Waits for the settlements so far. */
    void flush() throws Exception {
        Progress.get(puller.flush());
    }

    static String[] bodies(int count) {
        return IntStream.range(0, count).mapToObj(each -> "m" + each).toArray(String[]::new);
    }

    static List<String> bodiesOf(Collection<StoredMessage> messages) {
        return messages.stream().map(StoredMessage::body).toList();
    }

    /** Stands before the queues: remembers receives and visibility changes, and lets a test put something in between. */
    final class Seam implements QueueClient {

        final List<ReceiveCall> receives = new CopyOnWriteArrayList<>();
        final List<List<VisibilityChange>> changes = new CopyOnWriteArrayList<>();
        volatile Receiver receiver = sqs::receive;

        @Override
        public List<ReceivedMessage> receive(ReceiveCall call) throws InterruptedException {
            receives.add(call);
            return receiver.receive(call);
        }

        @Override
        public List<EntryResult<Void>> delete(Queue from, List<String> receiptHandles) throws InterruptedException {
            return sqs.delete(from, receiptHandles);
        }

        @Override
        public List<EntryResult<Void>> changeVisibility(Queue of, List<VisibilityChange> some)
                throws InterruptedException {
            changes.add(List.copyOf(some));
            return sqs.changeVisibility(of, some);
        }

        @Override
        public List<EntryResult<SentMessage>> send(Queue to, List<SendEntry> entries) {
            throw new AssertionError("Nothing is sent here");
        }
    }

    /** What a receive does. */
    interface Receiver {
        List<ReceivedMessage> receive(ReceiveCall call) throws InterruptedException;
    }

    /** Remembers the calls. */
    private final class Recorded implements SenderEventMethods {

        @Override
        public void receiveCall(String operation, int messages, Duration took, @Nullable String errorCode) {
            calls.add(operation + " " + messages + (errorCode == null ? "" : " " + errorCode));
        }
    }
}
