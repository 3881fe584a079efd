/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.model.sqs;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * One queue of an {@link SqsModel}; FIFO by its name's suffix {@code .fifo}. Each operation first does what time has done until
 * {@code now}. All take constant or logarithmic time, except those that list messages.
 */
public final class ModelQueue<P extends Payload> {

    private static final int MAX_ATTRIBUTES = 10;
    private static final int MAX_ID = 128;

    private final SqsModel<P> sqs;
    private final String name;
    private final boolean fifo;

    /** By sequence, in the order of arrival. */
    private final Map<Long, Stored<P>> messages = new LinkedHashMap<>();

    /** The messages that time makes visible, next one first; a message that is deleted leaves it. */
    private final NavigableSet<Stored<P>> hidden =
            new TreeSet<>(Comparator.comparingLong((Stored<P> message) -> message.visibleAt)
                    .thenComparingLong(message -> message.sequence));

    private final Deduplication deduplication = new Deduplication();
    private final Map<String, Attempt<P>> attempts = new HashMap<>();
    private QueueSettings settings;
    private Shelf<P> shelf;
    private int inFlight;

    /** No message ends its retention before. */
    private long nextDiscard = Long.MAX_VALUE;

    /** A receive that can be repeated with its attempt id. */
    private record Attempt<P extends Payload>(List<Received<P>> response, long at) {}

    ModelQueue(SqsModel<P> sqs, String name, QueueSettings settings) {
        this.sqs = sqs;
        this.name = name;
        this.fifo = name.endsWith(".fifo");
        this.settings = settings;
        this.shelf = newShelf();
    }

    public String name() {
        return name;
    }

    public boolean fifo() {
        return fifo;
    }

    public QueueSettings settings() {
        return settings;
    }

    /** Changes the attributes; messages that are hidden stay so. */
    public void settings(QueueSettings newSettings) {
        settings = newSettings;
        nextDiscard = 0;
    }

    // ---- send

    /**
     * Fails a call that SQS refuses as a whole because of its messages: a batch that is too long, and FIFO messages without a group
     * or a deduplication id.
     */
    public void checkSend(List<Outgoing<P>> entries) {
        long bytes = 0;
        for (Outgoing<P> entry : entries) {
            bytes += entry.payload().bytes();
            if (fifo && entry.group() == null) {
                throw new SqsFailure(
                        ErrorCode.MISSING_PARAMETER, "The request must contain the parameter MessageGroupId.");
            }
            if (fifo && entry.deduplicationId() == null && !settings.contentBasedDeduplication()) {
                throw new SqsFailure(
                        ErrorCode.INVALID_PARAMETER_VALUE,
                        "The queue should either have ContentBasedDeduplication enabled or MessageDeduplicationId"
                                + " provided explicitly");
            }
        }
        if (bytes > Batches.MAX_BYTES) {
            throw new SqsFailure(
                    ErrorCode.BATCH_REQUEST_TOO_LONG,
                    "Batch requests cannot be longer than " + Batches.MAX_BYTES + " bytes. You have sent " + bytes
                            + " bytes.");
        }
    }

    /** Accepts a message, or the response to the one that it repeats within five minutes. {@link #checkSend} comes before. */
    public Outcome<Sent> send(Outgoing<P> message, long now) {
        advance(now);
        Outcome<Sent> refused = refuse(message);
        if (refused != null) {
            return refused;
        }
        String deduplicationId = !fifo
                ? null
                : message.deduplicationId() != null
                        ? message.deduplicationId()
                        : message.payload().contentHash();
        String key = deduplicationId != null && settings.deduplicationPerGroup()
                ? message.group() + '\n' + deduplicationId
                : deduplicationId;
        Sent earlier = key == null ? null : deduplication.find(key, now);
        if (earlier != null) {
            return Outcome.done(earlier);
        }
        Stored<P> stored = new Stored<>(sqs.nextSequence(), message, deduplicationId, now);
        Sent sent = new Sent(stored.id(), fifo ? stored.sequenceNumber() : null);
        if (key != null) {
            deduplication.remember(key, sent, now);
        }
        Duration delay = message.delay() == null ? settings.delay() : message.delay();
        add(stored);
        if (delay.isZero()) {
            shelf.show(stored);
        } else {
            shelf.hide(stored);
            hideUntil(stored, now + delay.toNanos());
        }
        sqs.observer.sent(this, stored);
        return Outcome.done(sent);
    }

    private @Nullable Outcome<Sent> refuse(Outgoing<P> message) {
        P payload = message.payload();
        if (payload.emptyBody()) {
            return Outcome.refused(ErrorCode.MISSING_PARAMETER, "The request must contain the parameter MessageBody.");
        }
        if (payload.bytes() > settings.maximumMessageSize()) {
            return invalid("One or more parameters are invalid. Reason: Message must be shorter than "
                    + settings.maximumMessageSize() + " bytes.");
        }
        if (!payload.acceptedCharacters()) {
            return Outcome.refused(
                    ErrorCode.INVALID_MESSAGE_CONTENTS,
                    "Invalid characters found. Valid unicode characters are #x9 | #xA | #xD | #x20 to #xD7FF | #xE000 to"
                            + " #xFFFD | #x10000 to #x10FFFF.");
        }
        if (payload.attributeCount() > MAX_ATTRIBUTES) {
            return invalid("Number of message attributes [" + payload.attributeCount()
                    + "] exceeds the allowed maximum [" + MAX_ATTRIBUTES + "].");
        }
        if (malformed(message.group()) || malformed(message.deduplicationId())) {
            return invalid("MessageGroupId and MessageDeduplicationId have 1 to " + MAX_ID + " characters.");
        }
        if (message.deduplicationId() != null && !fifo) {
            return invalid("MessageDeduplicationId is a parameter that is not valid for this queue type.");
        }
        if (message.delay() != null && fifo && !message.delay().isZero()) {
            return invalid("DelaySeconds is a parameter that is not valid for this queue type.");
        }
        if (message.delay() != null && QueueSettings.outside(message.delay(), QueueSettings.MAX_DELAY)) {
            return invalid("DelaySeconds must be >= 0 and <= 900, but is " + message.delay());
        }
        return null;
    }

    private static boolean malformed(@Nullable String id) {
        return id != null && (id.isEmpty() || id.length() > MAX_ID);
    }

    // ---- receive

    /**
     * Takes messages that are visible now. One that was received as often as the redrive policy permits moves to the dead-letter
     * queue instead.
     *
     * @throws SqsFailure {@code InvalidParameterValue}, or {@code OverLimit} for a short poll of a standard queue that has as many
     *     messages in flight as it may
     */
    public List<Received<P>> receive(ReceiveRequest request, long now) {
        request.check(fifo);
        advance(now);
        long until = now + visibility(request.visibilityTimeout());
        Attempt<P> attempt = request.attemptId() == null ? null : attempts.get(request.attemptId());
        if (attempt != null && now - attempt.at < Deduplication.WINDOW) {
            attempt.response.forEach(received -> hideUntil(received.message(), until));
            return attempt.response;
        }
        int room = settings.maxInFlight() - inFlight;
        if (room <= 0) {
            if (!fifo && request.waitTime().isZero()) {
                throw new SqsFailure(
                        ErrorCode.OVER_LIMIT,
                        "The number of messages in flight has reached its limit of " + settings.maxInFlight());
            }
            return List.of();
        }
        List<Received<P>> response = take(Math.min(request.maxMessages(), room), until, now);
        if (request.attemptId() != null && !response.isEmpty()) {
            attempts.put(request.attemptId(), new Attempt<>(List.copyOf(response), now));
            response.forEach(received -> received.message().attemptId = request.attemptId());
        }
        return response;
    }

    private List<Received<P>> take(int max, long until, long now) {
        List<Received<P>> response = new ArrayList<>(max);
        List<Stored<P>> taken = new ArrayList<>(max);
        do {
            taken.clear();
            shelf.take(max - response.size(), taken);
            for (Stored<P> message : taken) {
                message.hidden = true;
                if (exhausted(message)) {
                    moveToDeadLetterQueue(message, now);
                } else {
                    response.add(deliver(message, until, now));
                }
            }
        } while (!taken.isEmpty() && response.size() < max);
        return response;
    }

    /** Delivers a message in flight once more, as at-least-once delivery may. Receives never do so by themselves. */
    public Received<P> receiveAgain(Stored<P> message, @Nullable Duration visibilityTimeout, long now) {
        if (!message.inFlight) {
            throw new IllegalArgumentException("Only a message in flight can be delivered once more: " + message);
        }
        forgetAttempt(message);
        return deliver(message, now + visibility(visibilityTimeout), now);
    }

    private Received<P> deliver(Stored<P> message, long until, long now) {
        message.receives++;
        message.handles++;
        message.receivedAt = now;
        message.firstReceivedAt = message.receives == 1 ? now : message.firstReceivedAt;
        if (!message.inFlight) {
            message.inFlight = true;
            inFlight++;
        }
        hideUntil(message, until);
        Received<P> received = new Received<>(message, Handles.latest(message), message.receives);
        sqs.observer.received(this, received);
        return received;
    }

    private boolean exhausted(Stored<P> message) {
        QueueSettings.Redrive redrive = settings.redrive();
        return redrive != null && message.receives >= redrive.maxReceiveCount();
    }

    private void moveToDeadLetterQueue(Stored<P> message, long now) {
        String target = settings.redrive() == null ? "" : settings.redrive().deadLetterQueue();
        ModelQueue<P> deadLetters = sqs.find(target);
        if (deadLetters == null) {
            throw new IllegalStateException("The dead-letter queue of " + name + " does not exist: " + target);
        }
        leave(message);
        deadLetters.advance(now);
        message.gone = false;
        message.handles++;
        message.deadLetterSource = name;
        deadLetters.add(message);
        deadLetters.shelf.show(message);
        sqs.observer.moved(this, deadLetters, message);
    }

    private long visibility(@Nullable Duration asked) {
        return (asked == null ? settings.visibilityTimeout() : asked).toNanos();
    }

    // ---- delete and visibility

    /** Deletes a message by a receipt handle. On FIFO the handle must be the latest, and its visibility timeout must not have ended. */
    public Outcome<Deletion> delete(String receiptHandle, long now) {
        advance(now);
        if (Handles.sequence(receiptHandle) < 0) {
            return noHandle(receiptHandle);
        }
        Stored<P> message = find(receiptHandle);
        if (message == null) {
            return Outcome.done(Deletion.GONE_BEFORE);
        }
        boolean latest = Handles.isLatest(receiptHandle, message);
        if (fifo && !(latest && message.inFlight)) {
            return expired(receiptHandle);
        }
        if (!latest && !settings.oldHandleDeletes()) {
            return Outcome.done(Deletion.KEPT);
        }
        leave(message);
        sqs.observer.deleted(this, message);
        return Outcome.done(Deletion.DELETED);
    }

    /**
     * Hides a message in flight from now on for this long, up to 12 hours after its receive; zero makes it visible. Returns when it
     * becomes visible.
     */
    public Outcome<Long> changeVisibility(String receiptHandle, Duration timeout, long now) {
        advance(now);
        if (QueueSettings.outside(timeout, QueueSettings.MAX_VISIBILITY)) {
            return invalid("VisibilityTimeout must be >= 0 and <= 43200 seconds, but is " + timeout);
        }
        if (Handles.sequence(receiptHandle) < 0) {
            return noHandle(receiptHandle);
        }
        Stored<P> message = find(receiptHandle);
        if (message == null) {
            return invalid(
                    "Value " + receiptHandle + " for parameter ReceiptHandle is invalid. Reason: Message does not"
                            + " exist or is not available for visibility timeout change.");
        }
        if (!message.inFlight || !Handles.isLatest(receiptHandle, message)) {
            return fifo
                    ? expired(receiptHandle)
                    : Outcome.refused(ErrorCode.MESSAGE_NOT_IN_FLIGHT, "The message referred to isn't in flight.");
        }
        long until = now + timeout.toNanos();
        if (until - message.receivedAt > QueueSettings.MAX_VISIBILITY.toNanos()) {
            return invalid("Total VisibilityTimeout for the message is beyond the limit [43200 seconds].");
        }
        forgetAttempt(message);
        if (timeout.isZero()) {
            show(message);
        } else {
            hideUntil(message, until);
        }
        return Outcome.done(until);
    }

    /** The message that a receipt handle of any receive is for, or {@code null} if it is not in the queue. */
    public @Nullable Stored<P> find(String receiptHandle) {
        return messages.get(Handles.sequence(receiptHandle));
    }

    private static <T> Outcome<T> noHandle(String receiptHandle) {
        return Outcome.refused(
                ErrorCode.RECEIPT_HANDLE_IS_INVALID,
                "The input receipt handle \"" + receiptHandle + "\" is not a valid receipt handle.");
    }

    private static <T> Outcome<T> expired(String receiptHandle) {
        return Outcome.refused(
                ErrorCode.RECEIPT_HANDLE_IS_INVALID,
                "Value " + receiptHandle + " for parameter ReceiptHandle is invalid. Reason: The receipt handle has"
                        + " expired.");
    }

    private static <T> Outcome<T> invalid(String message) {
        return Outcome.refused(ErrorCode.INVALID_PARAMETER_VALUE, message);
    }

    // ---- what is in it

    /** How many messages are visible, those withheld by their group included. */
    public int visible(long now) {
        advance(now);
        return shelf.size();
    }

    public int inFlight(long now) {
        advance(now);
        return inFlight;
    }

    public int delayed(long now) {
        advance(now);
        return messages.size() - shelf.size() - inFlight;
    }

    /** All messages in the order of their arrival. */
    public List<Stored<P>> messages(long now) {
        advance(now);
        return List.copyOf(messages.values());
    }

    /** When the next hidden message becomes visible if nothing happens before; {@link Long#MAX_VALUE} if none is hidden. */
    public long nextVisibleAt() {
        return hidden.isEmpty() ? Long.MAX_VALUE : hidden.first().visibleAt;
    }

    /** Discards all messages; their deduplication ids still count. */
    public void purge() {
        for (Stored<P> message : List.copyOf(messages.values())) {
            discard(message);
        }
        shelf = newShelf();
    }

    // ---- how

    private void advance(long now) {
        while (!hidden.isEmpty() && hidden.first().visibleAt <= now) {
            show(hidden.first());
        }
        if (nextDiscard <= now) {
            discardOld(now);
        }
    }

    private void discardOld(long now) {
        nextDiscard = Long.MAX_VALUE;
        for (Stored<P> message : List.copyOf(messages.values())) {
            long until = message.sentAt() + settings.retention().toNanos();
            if (until <= now) {
                discard(message);
            } else {
                nextDiscard = Math.min(nextDiscard, until);
            }
        }
    }

    private void discard(Stored<P> message) {
        leave(message);
        sqs.observer.discarded(this, message);
    }

    private void add(Stored<P> message) {
        messages.put(message.sequence, message);
        nextDiscard =
                Math.min(nextDiscard, message.sentAt() + settings.retention().toNanos());
    }

    /** The message is here no more. */
    private void leave(Stored<P> message) {
        forgetAttempt(message);
        messages.remove(message.sequence);
        hidden.remove(message);
        shelf.remove(message);
        if (message.inFlight) {
            message.inFlight = false;
            inFlight--;
        }
        message.hidden = false;
        message.gone = true;
    }

    private void hideUntil(Stored<P> message, long until) {
        hidden.remove(message);
        message.hidden = true;
        message.visibleAt = until;
        hidden.add(message);
    }

    private void show(Stored<P> message) {
        forgetAttempt(message);
        hidden.remove(message);
        message.hidden = false;
        if (message.inFlight) {
            message.inFlight = false;
            inFlight--;
        }
        shelf.show(message);
    }

    private void forgetAttempt(Stored<P> message) {
        if (message.attemptId != null) {
            attempts.remove(message.attemptId);
            message.attemptId = null;
        }
    }

    private Shelf<P> newShelf() {
        return fifo ? new GroupedShelf<>() : new StandardShelf<>();
    }
}
