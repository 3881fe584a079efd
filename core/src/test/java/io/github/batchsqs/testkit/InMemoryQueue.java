/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.testkit;

import io.github.batchsqs.MessageAttribute;
import io.github.batchsqs.client.EntryResult;
import io.github.batchsqs.client.EntryResult.Accepted;
import io.github.batchsqs.client.EntryResult.Rejected;
import io.github.batchsqs.client.Queue;
import io.github.batchsqs.client.QueueAttributes.RedrivePolicy;
import io.github.batchsqs.client.ReceiveCall;
import io.github.batchsqs.client.ReceivedMessage;
import io.github.batchsqs.client.SendEntry;
import io.github.batchsqs.client.SentMessage;
import io.github.batchsqs.support.Utf8;
import io.github.batchsqs.time.TimeSource;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** One queue and its semantics. Not safe for use by several threads: {@link InMemoryQueueClient} holds its lock. */
final class InMemoryQueue {

    private static final Duration MAX_VISIBILITY = Duration.ofHours(12);
    private static final long FIVE_MINUTES = Duration.ofMinutes(5).toNanos();

    private final Queue queue;
    private final QueueSettings settings;
    private final TimeSource time;
    private final Function<String, InMemoryQueue> queues;

    /** In the order of sending, which on FIFO is the order of each group. */
    private final Map<String, Entry> messages = new LinkedHashMap<>();

    private final Map<String, Entry> byHandle = new HashMap<>();
    private final Map<String, Sent> deduplication = new HashMap<>();
    private final Map<String, Attempt> attempts = new HashMap<>();
    private final Map<String, Integer> deleted = new LinkedHashMap<>();
    private final Set<String> removed = new HashSet<>();
    private final Set<String> accepted = new HashSet<>();
    private final List<String> delivered = new ArrayList<>();
    private long sequence;
    private long handles;

    InMemoryQueue(Queue queue, QueueSettings settings, TimeSource time, Function<String, InMemoryQueue> queues) {
        this.queue = queue;
        this.settings = settings;
        this.time = time;
        this.queues = queues;
    }

    Queue queue() {
        return queue;
    }

    QueueSettings settings() {
        return settings;
    }

    // ---- receive

    boolean full() {
        return inFlight().size() >= settings.maxInFlight();
    }

    List<ReceivedMessage> receive(ReceiveCall call, Faults faults, Faults.Call info) {
        List<ReceivedMessage> replayed = replay(call);
        if (!replayed.isEmpty()) {
            return replayed;
        }
        List<Entry> taken = new ArrayList<>();
        List<ReceivedMessage> answer = new ArrayList<>();
        for (Entry entry : messages.values()) {
            if (answer.size() < call.maxMessages() && inFlight(entry) && faults.deliverAgain(info, entry.id)) {
                answer.add(deliver(entry, call));
            }
        }
        take(call, call.maxMessages() - answer.size(), taken);
        for (Entry entry : taken) {
            answer.add(deliver(entry, call));
        }
        for (Entry entry : taken) {
            if (answer.size() < call.maxMessages() && faults.deliverTwice(info, entry.id)) {
                answer.add(deliver(entry, call));
            }
        }
        if (call.attemptId() != null && !answer.isEmpty()) {
            attempts.put(call.attemptId(), new Attempt(List.copyOf(answer), time.nanos()));
        }
        return answer;
    }

    /** The visible ones in order; on FIFO nothing that follows a hidden message of its group. */
    private void take(ReceiveCall call, int most, List<Entry> taken) {
        Set<String> withheld = new HashSet<>();
        RedrivePolicy redrive = settings.redrive();
        for (Iterator<Entry> all = messages.values().iterator(); all.hasNext() && taken.size() < most; ) {
            Entry entry = all.next();
            String group = queue.fifo() ? entry.groupId : null;
            if (!visible(entry)) {
                if (group != null) {
                    withheld.add(group);
                }
            } else if (group == null || !withheld.contains(group)) {
                if (redrive != null && entry.receiveCount >= redrive.maxReceiveCount()) {
                    all.remove();
                    queues.apply(redrive.deadLetterQueue()).adopt(entry, call.queue());
                } else {
                    taken.add(entry);
                }
            }
        }
    }

    private void adopt(Entry entry, Queue from) {
        entry.owner = this;
        entry.handle = null;
        entry.visibleAt = time.nanos();
        entry.deadLetterSource = "arn:aws:sqs:us-east-1:000000000000:" + from.name();
        messages.put(entry.id, entry);
        accepted.add(entry.id);
    }

    private Received deliver(Entry entry, ReceiveCall call) {
        String handle = queue.name() + "/" + entry.id + "/" + ++handles;
        Duration visibility =
                call.visibilityTimeout() == null ? settings.visibilityTimeout() : call.visibilityTimeout();
        entry.receiveCount++;
        entry.handle = handle;
        entry.receivedAt = time.nanos();
        entry.visibleAt = entry.receivedAt + wholeSeconds(visibility);
        if (entry.firstReceived == null) {
            entry.firstReceived = time.now();
        }
        byHandle.put(handle, entry);
        delivered.add(entry.id);
        return entry.received(handle);
    }

    private List<ReceivedMessage> replay(ReceiveCall call) {
        Attempt attempt = call.attemptId() == null ? null : attempts.get(call.attemptId());
        if (attempt == null || time.nanos() - attempt.at() > FIVE_MINUTES) {
            return List.of();
        }
        for (ReceivedMessage message : attempt.answer()) {
            Entry entry = byHandle.get(message.receiptHandle());
            if (entry == null || !holds(entry, message.receiptHandle())) {
                return List.of();
            }
        }
        Duration visibility =
                call.visibilityTimeout() == null ? settings.visibilityTimeout() : call.visibilityTimeout();
        for (ReceivedMessage message : attempt.answer()) {
            Entry entry = messages.get(message.id());
            if (entry != null) {
                entry.visibleAt = time.nanos() + wholeSeconds(visibility);
            }
        }
        return attempt.answer();
    }

    // ---- delete and visibility

    /** The id of the message that the handle was given for, or the handle itself. */
    String subject(String handle) {
        Entry entry = byHandle.get(handle);
        return entry == null ? handle : entry.id;
    }

    EntryResult<Void> delete(String handle) {
        Entry entry = byHandle.get(handle);
        if (entry == null) {
            return invalidHandle(handle);
        }
        if (entry.owner == this && messages.containsKey(entry.id)) {
            if (queue.fifo() && !holds(entry, handle)) {
                return new Rejected<>(
                        "ReceiptHandleIsInvalid",
                        "Value " + handle
                                + " for parameter ReceiptHandle is invalid. Reason: The receipt handle has expired.",
                        false);
            }
            if (handle.equals(entry.handle) || settings.oldHandleDeletes()) {
                messages.remove(entry.id);
                removed.add(entry.id);
            }
        }
        deleted.merge(entry.id, 1, Integer::sum);
        return InMemoryQueueClient.accepted();
    }

    EntryResult<Void> changeVisibility(String handle, Duration timeout) {
        Entry entry = byHandle.get(handle);
        if (entry == null) {
            return invalidHandle(handle);
        }
        if (entry.owner != this || !messages.containsKey(entry.id)) {
            return new Rejected<>(
                    "InvalidParameterValue",
                    "Value " + handle + " for parameter ReceiptHandle is invalid. Reason: Message does not exist or is"
                            + " not available for visibility timeout change.",
                    false);
        }
        if (!holds(entry, handle)) {
            return queue.fifo()
                    ? new Rejected<>("ReceiptHandleIsInvalid", "The receipt handle has expired.", false)
                    : new Rejected<>("MessageNotInflight", "The message referred to isn't in flight.", false);
        }
        long until = time.nanos() + wholeSeconds(timeout);
        if (until - entry.receivedAt > MAX_VISIBILITY.toNanos()) {
            return new Rejected<>(
                    "InvalidParameterValue",
                    "Total VisibilityTimeout for the message is beyond the limit [43200 seconds].",
                    false);
        }
        entry.visibleAt = until;
        return InMemoryQueueClient.accepted();
    }

    private static EntryResult<Void> invalidHandle(String handle) {
        return new Rejected<>("ReceiptHandleIsInvalid", "The input receipt handle is invalid: " + handle, false);
    }

    // ---- send

    EntryResult<SentMessage> send(SendEntry entry) {
        if (sizeOf(entry) > settings.maximumMessageSize()) {
            return new Rejected<>(
                    "InvalidParameterValue",
                    "One or more parameters are invalid. Reason: Message must be shorter than "
                            + settings.maximumMessageSize() + " bytes.",
                    false);
        }
        if (!entry.body().codePoints().allMatch(InMemoryQueue::allowed)) {
            return new Rejected<>("InvalidMessageContents", "Invalid characters found in the message body.", false);
        }
        String deduplicationId = deduplicationId(entry);
        if (deduplicationId != null) {
            Sent earlier = deduplication.get(deduplicationId);
            if (earlier != null && time.nanos() - earlier.at() < FIVE_MINUTES) {
                return new Accepted<>(earlier.answer());
            }
        }
        Entry stored = new Entry(nextId(), entry, deduplicationId, this, time.now());
        stored.sequenceNumber = queue.fifo() ? "%020d".formatted(++sequence) : null;
        Duration delay = entry.delay() == null ? settings.delay() : entry.delay();
        stored.visibleAt = time.nanos() + wholeSeconds(delay);
        messages.put(stored.id, stored);
        accepted.add(stored.id);
        SentMessage answer = new SentMessage(stored.id, stored.sequenceNumber);
        if (deduplicationId != null) {
            deduplication.put(deduplicationId, new Sent(answer, time.nanos()));
        }
        return new Accepted<>(answer);
    }

    /** The same in each run, so that what depends on the order of ids can be replayed. */
    private String nextId() {
        return UUID.nameUUIDFromBytes((queue.name() + "/" + accepted.size()).getBytes(StandardCharsets.UTF_8))
                .toString();
    }

    private @Nullable String deduplicationId(SendEntry entry) {
        if (!queue.fifo()) {
            return null;
        }
        return entry.deduplicationId() != null ? entry.deduplicationId() : sha256(entry.body());
    }

    static long sizeOf(SendEntry entry) {
        long size = Utf8.length(entry.body());
        for (Map.Entry<String, MessageAttribute> attribute : entry.attributes().entrySet()) {
            size += attribute.getValue().sizeInBytes(attribute.getKey());
        }
        return size;
    }

    private static boolean allowed(int c) {
        return c == 0x9
                || c == 0xA
                || c == 0xD
                || (c >= 0x20 && c <= 0xD7FF)
                || (c >= 0xE000 && c <= 0xFFFD)
                || (c >= 0x10000 && c <= 0x10FFFF);
    }

    private static String sha256(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    // ---- what tests look at

    List<StoredMessage> visible() {
        return stored(this::visible);
    }

    List<StoredMessage> inFlight() {
        return stored(this::inFlight);
    }

    List<StoredMessage> delayed() {
        return stored(entry -> !visible(entry) && !inFlight(entry));
    }

    Map<String, Integer> deleted() {
        return new LinkedHashMap<>(deleted);
    }

    List<String> delivered() {
        return List.copyOf(delivered);
    }

    Set<String> accepted() {
        return Set.copyOf(accepted);
    }

    /** Accepted here, and neither here any more, nor deleted, nor moved on to the dead-letter queue. */
    Set<String> lost() {
        Set<String> lost = new HashSet<>(accepted);
        lost.removeAll(messages.keySet());
        lost.removeAll(removed);
        RedrivePolicy redrive = settings.redrive();
        if (redrive != null) {
            lost.removeAll(queues.apply(redrive.deadLetterQueue()).accepted);
        }
        return lost;
    }

    /** In how long the next hidden message becomes visible, in nanoseconds; {@link Long#MAX_VALUE} if none is hidden. */
    long nextVisible() {
        long next = Long.MAX_VALUE;
        for (Entry entry : messages.values()) {
            if (!visible(entry)) {
                next = Math.min(next, entry.visibleAt - time.nanos());
            }
        }
        return next;
    }

    private List<StoredMessage> stored(Predicate<Entry> which) {
        List<StoredMessage> stored = new ArrayList<>();
        for (Entry entry : messages.values()) {
            if (which.test(entry)) {
                stored.add(entry.stored());
            }
        }
        return stored;
    }

    private boolean visible(Entry entry) {
        return entry.visibleAt - time.nanos() <= 0;
    }

    private boolean inFlight(Entry entry) {
        return entry.handle != null && !visible(entry);
    }

    private boolean holds(Entry entry, String handle) {
        return entry.owner == this && messages.containsKey(entry.id) && handle.equals(entry.handle) && inFlight(entry);
    }

    private static long wholeSeconds(Duration duration) {
        return Duration.ofSeconds(duration.plusNanos(999_999_999).toSeconds()).toNanos();
    }

    private record Sent(SentMessage answer, long at) {}

    private record Attempt(List<ReceivedMessage> answer, long at) {}

    private static final class Entry {

        final String id;
        final String body;
        final Map<String, MessageAttribute> attributes;
        final @Nullable String groupId;
        final @Nullable String deduplicationId;
        final @Nullable String traceHeader;
        final Instant sentAt;

        InMemoryQueue owner;

        @Nullable
        String sequenceNumber;

        @Nullable
        String handle;

        @Nullable
        Instant firstReceived;

        @Nullable
        String deadLetterSource;

        int receiveCount;
        long receivedAt;
        long visibleAt;

        Entry(String id, SendEntry entry, @Nullable String deduplicationId, InMemoryQueue owner, Instant sentAt) {
            this.id = id;
            this.body = entry.body();
            this.attributes = Map.copyOf(entry.attributes());
            this.groupId = entry.groupId();
            this.deduplicationId = deduplicationId;
            this.traceHeader = entry.traceHeader();
            this.owner = owner;
            this.sentAt = sentAt;
        }

        StoredMessage stored() {
            return new StoredMessage(id, body, attributes, groupId, deduplicationId, receiveCount);
        }

        Received received(String newHandle) {
            Map<String, String> system = new TreeMap<>();
            system.put("SenderId", "AIDATEST");
            system.put("SentTimestamp", Long.toString(sentAt.toEpochMilli()));
            system.put("ApproximateReceiveCount", Integer.toString(receiveCount));
            put(
                    system,
                    "ApproximateFirstReceiveTimestamp",
                    firstReceived == null ? null : "" + firstReceived.toEpochMilli());
            put(system, "MessageGroupId", groupId);
            put(system, "MessageDeduplicationId", deduplicationId);
            put(system, "SequenceNumber", sequenceNumber);
            put(system, "AWSTraceHeader", traceHeader);
            put(system, "DeadLetterQueueSourceArn", deadLetterSource);
            return new Received(id, newHandle, body, attributes, Map.copyOf(system), receiveCount, sentAt, groupId);
        }

        private static void put(Map<String, String> system, String name, @Nullable String value) {
            if (value != null) {
                system.put(name, value);
            }
        }
    }

    private record Received(
            String id,
            String receiptHandle,
            String body,
            Map<String, MessageAttribute> attributes,
            Map<String, String> systemAttributes,
            int receiveCount,
            Instant sentAt,
            @Nullable String groupId)
            implements ReceivedMessage {

        @Override
        public Object nativeMessage() {
            return this;
        }
    }
}
