/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.send;

import io.github.batchsqs.Backoff;
import io.github.batchsqs.client.Queue;
import io.github.batchsqs.client.QueueCallException;
import io.github.batchsqs.internal.batch.BatchCall;
import io.github.batchsqs.internal.batch.BatchEntry;
import io.github.batchsqs.internal.batch.Batcher;
import io.github.batchsqs.internal.batch.BatcherSettings;
import io.github.batchsqs.internal.batch.CallFailure;
import io.github.batchsqs.internal.batch.CallThreads;
import io.github.batchsqs.internal.batch.EntryFailedException;
import io.github.batchsqs.internal.batch.SettledEntry;
import io.github.batchsqs.internal.client.EntryResult;
import io.github.batchsqs.internal.client.QueueClient;
import io.github.batchsqs.internal.client.SendEntry;
import io.github.batchsqs.internal.client.SentMessage;
import io.github.batchsqs.internal.events.SenderEvent;
import io.github.batchsqs.internal.events.SenderEvents;
import io.github.batchsqs.internal.support.Check;
import io.github.batchsqs.internal.support.OutageLog;
import io.github.batchsqs.internal.support.TimeSource;
import io.github.batchsqs.internal.support.TimerThreads;
import io.github.batchsqs.payload.PayloadStore;
import io.github.batchsqs.send.SendFailedException;
import io.github.batchsqs.send.SendFailedException.Delivery;
import io.github.batchsqs.send.SendResult;
import io.github.batchsqs.send.SenderOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends to one queue: a {@link Batcher} whose ordering keys are the message groups of a FIFO queue, and its threads.
 *
 * <p>Its messages have reserved room in the buffer; it releases the room when they are settled.
 */
final class QueueSender implements BatchCall<BufferedMessage, SentMessage> {

    /**
     * In this part of the delivery timeout, the last one, no message is carried for the first time. Otherwise the calls of a sender that is
     * too slow carry messages that are about to expire: all of them end without a response, although SQS has stored them.
     */
    private static final int LAST_PART = 10;

    private static final Logger log = LoggerFactory.getLogger(QueueSender.class);
    private static final String OPERATION = "SendMessageBatch";
    private static final String RETRIED = "it is tried again until delivery-timeout";

    static final Backoff RETRY = Backoff.exponential(Duration.ofMillis(100), Duration.ofSeconds(10));

    /**
     * After a call without a clear response: SQS may have stored its messages, and each further such call may store them once more.
     * When responses are lost for a minute, a message of a standard queue is stored six times at most, by the call behind it included.
     */
    static final Backoff UNKNOWN_RETRY = new Backoff(Duration.ofSeconds(1), 3, Duration.ofSeconds(32), false);

    private final Queue queue;
    private final SenderOptions options;
    private final QueueClient client;
    private final SenderEvents events;
    private final TimeSource time;
    private final SendBuffer buffer;
    private final TimerThreads timers;
    private final CallThreads threads;
    private final Batcher<BufferedMessage, SentMessage> batcher;
    private final OutageLog outage;
    private final SendCall sends;

    QueueSender(
            Queue queue,
            SenderOptions options,
            QueueClient client,
            SenderEvents events,
            TimeSource time,
            SendBuffer buffer,
            TimerThreads timers,
            @Nullable PayloadStore payloads) {
        this.queue = queue;
        this.sends = new SendCall(queue, payloads, this::makeCall);
        this.options = options;
        this.client = client;
        this.events = events;
        this.time = time;
        this.buffer = buffer;
        this.timers = timers;
        this.threads = SenderThreads.calls(queue.name());
        this.outage = new OutageLog(log, time, "Sender: sending to " + queue.name());
        this.batcher = new Batcher<>(
                new BatcherSettings(options.linger(), options.maxInFlight(), RETRY, UNKNOWN_RETRY),
                this,
                threads,
                time,
                new SplittableRandom(ThreadLocalRandom.current().nextLong()));
        startTimer();
    }

    Queue queue() {
        return queue;
    }

    private void startTimer() {
        batcher.timedBy(timers.alarm(time, batcher::tick, failure -> {
            log.error("Sender: the timer of {} failed and goes on", queue.name(), failure);
            startTimer();
        }));
    }

    /** Adds messages together, in order. They have room in the buffer; their futures complete in any case. */
    void add(List<BufferedMessage> messages) {
        long now = time.nanos();
        long timeout = options.deliveryTimeout().toNanos();
        long deadline = now + timeout - timeout / LAST_PART;
        List<BatchEntry<BufferedMessage>> entries = new ArrayList<>(messages.size());
        for (BufferedMessage each : messages) {
            each.bufferedAt = now;
            entries.add(new BatchEntry<>(each, each.bytes, queue.fifo() ? each.entry.groupId() : null, deadline));
        }
        events.on(new SenderEvent.Buffered(messages.size())); // before the call that may send them
        batcher.addAll(entries);
    }

    /** Fails a message that has room in the buffer: its transaction did not commit. */
    void abandon(BufferedMessage message) {
        buffer.release(message.occupied);
        events.on(new SenderEvent.Refused(SendFailedException.NOT_COMMITTED));
        SendFailedException cause = Refusals.notCommitted(message.queue, false);
        threads.execute(() -> message.future.completeExceptionally(cause)); // callbacks may block
    }

    CompletableFuture<Void> flush() {
        return batcher.flush();
    }

    /** Fails the messages that no call has carried yet; calls in flight may end. */
    void endSending() {
        batcher.endSending();
    }

    /** Fails the messages that are not settled yet, and interrupts the calls. */
    void close() {
        batcher.close();
        batcher.abortCalls();
    }

    @Override
    public List<EntryResult<SentMessage>> call(List<BufferedMessage> batch) throws InterruptedException {
        return sends.make(batch);
    }

    @Override
    public CallFailure judge(Throwable failure) {
        return SendCallFailures.judge(failure);
    }

    @Override
    public long deadline(BufferedMessage message, long passed) {
        return message.hasBegun()
                ? message.bufferedAt + options.deliveryTimeout().toNanos()
                : passed;
    }

    @Override
    public boolean carries(BufferedMessage message, boolean ended) {
        return ended ? message.answered() : message.stillCarried();
    }

    @Override
    public void settled(List<? extends SettledEntry<BufferedMessage, SentMessage>> messages) {
        long[] bytes = new long[messages.size()];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = messages.get(i).entry().occupied;
        }
        buffer.release(bytes); // at once, so that whoever waits for room is woken once
        for (SettledEntry<BufferedMessage, SentMessage> each : messages) {
            record(each);
        }
        sends.settled(messages);
    }

    @Override
    public void deliver(SettledEntry<BufferedMessage, SentMessage> settled) {
        BufferedMessage message = settled.entry();
        SentMessage sent = settled.result();
        if (sent != null) {
            message.future.complete(new SendResult(
                    queue.name(), sent.messageId(), sent.sequenceNumber(), message.entry.deduplicationId()));
        } else {
            message.future.completeExceptionally(translate(message, Objects.requireNonNull(settled.cause())));
        }
    }

    private List<EntryResult<SentMessage>> makeCall(List<BufferedMessage> batch) throws InterruptedException {
        announce(batch);
        List<SendEntry> entries = batch.stream().map(each -> each.entry).toList();
        long start = time.nanos();
        String errorCode = "Failed";
        try {
            List<EntryResult<SentMessage>> results = client.send(queue, entries);
            errorCode = null;
            recordEntries(results, start);
            return results;
        } catch (QueueCallException e) {
            errorCode = e.code();
            outage.failed(e.code(), e.getMessage(), consequenceOf(e, batch.size()));
            throw e;
        } catch (RuntimeException e) {
            outage.failed(e.getClass().getSimpleName(), e.getMessage(), consequenceOf(e, batch.size()));
            throw e;
        } finally {
            events.on(new SenderEvent.ApiCall(
                    OPERATION, entries.size(), Duration.ofNanos(time.nanos() - start), errorCode));
        }
    }

    /** A call whose entries the server could not take is a failure, as a call without a response is. */
    private void recordEntries(List<EntryResult<SentMessage>> results, long calledAt) {
        EntryResult.@Nullable Rejected<SentMessage> failure = null;
        for (EntryResult<SentMessage> result : results) {
            if (!(result instanceof EntryResult.Rejected<SentMessage> rejected) || !rejected.retryable()) {
                outage.succeeded(calledAt);
                return;
            }
            failure = failure == null ? rejected : failure;
        }
        if (failure != null) {
            outage.failed(
                    failure.code(), failure.failure(OPERATION, queue.name()).getMessage(), RETRIED);
        }
    }

    private static String consequenceOf(Throwable failure, int messages) {
        CallFailure judged = SendCallFailures.judge(failure);
        if (judged.alone() && messages > 1) {
            return "its messages are sent again one by one";
        }
        return judged.retryable() ? RETRIED : "its messages fail";
    }

    private void announce(List<BufferedMessage> batch) {
        long bytes = 0;
        int again = 0;
        for (BufferedMessage each : batch) {
            bytes += each.bytes;
            again += each.again ? 1 : 0;
        }
        events.on(new SenderEvent.Sending(batch.size(), bytes));
        if (again > 0) {
            events.on(new SenderEvent.Retried(again));
        }
    }

    /** Records the outcome in the meters. */
    private void record(SettledEntry<BufferedMessage, SentMessage> settled) {
        EntryFailedException failure = settled.cause();
        events.on(
                failure == null
                        ? new SenderEvent.Sent(time.nanos() - settled.entry().bufferedAt)
                        : new SenderEvent.Failed(codeOf(failure)));
    }

    private SendFailedException translate(BufferedMessage buffered, EntryFailedException entry) {
        boolean late = entry.code().equals(EntryFailedException.DEADLINE_EXCEEDED);
        String timeout = "delivery-timeout (" + Check.text(options.deliveryTimeout()) + ")";
        String tooLate = entry.attempts() == 0
                ? "No call carried it in nine tenths of " + timeout + ", and a later one could end without a response. "
                : timeout + " passed. ";
        return new SendFailedException(
                buffered.queue,
                codeOf(entry),
                (late ? tooLate : "") + entry.getMessage(),
                entry.attempts(),
                late || entry.code().equals(EntryFailedException.CLOSED),
                deliveryOf(entry),
                entry.getCause());
    }

    private static Delivery deliveryOf(EntryFailedException failure) {
        if (failure.mayHaveBeenAccepted()) {
            return Delivery.UNKNOWN;
        }
        return failure.attempts() == 0 ? Delivery.NOT_SENT : Delivery.REFUSED;
    }

    private static String codeOf(EntryFailedException entry) {
        return entry.code().equals(EntryFailedException.CALL_FAILED)
                        && entry.getCause() instanceof QueueCallException call
                ? call.code()
                : entry.code();
    }
}
