/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.simulator;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A queue: its messages, the ends of their visibility timeouts, and the waiting receives. Times are milliseconds since 1970. */
final class SimulatedQueue {

    private static final int ATTEMPTS_KEPT = 10_000;

    private final String name;
    private final LongSupplier sequences;
    private final Supplier<Quotas> quotas;
    private final FifoQuota calls = new FifoQuota();
    private final Map<Long, StoredMessage> messages = new HashMap<>();

    /** The messages that time makes visible, next one first; a message that is deleted leaves it. */
    private final NavigableSet<StoredMessage> timers =
            new TreeSet<>(Comparator.comparingLong((StoredMessage message) -> message.visibleAt)
                    .thenComparingLong(message -> message.sequence));

    private final Deduplication deduplication = new Deduplication();
    private final ArrayDeque<Poll> polls = new ArrayDeque<>();
    private final Map<String, List<StoredMessage>> attempts = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, List<StoredMessage>> eldest) {
            return size() > ATTEMPTS_KEPT;
        }
    };
    private QueueSettings settings;
    private Shelf shelf;
    private int delayed;
    private long filled;

    SimulatedQueue(String name, QueueSettings settings, LongSupplier sequences, Supplier<Quotas> quotas) {
        this.name = name;
        this.quotas = quotas;
        this.settings = settings;
        this.sequences = sequences;
        this.shelf = newShelf();
    }

    String name() {
        return name;
    }

    boolean fifo() {
        return name.endsWith(".fifo");
    }

    QueueSettings settings() {
        return settings;
    }

    void settings(QueueSettings newSettings) {
        settings = newSettings;
    }

    int visible(long now) {
        advance(now);
        return shelf.size();
    }

    int notVisible() {
        return messages.size() - shelf.size() - delayed;
    }

    int delayed() {
        return delayed;
    }

    int timers() {
        return timers.size();
    }

    /** Accepts a message, or finds the one that it repeats. */
    StoredMessage send(Entry entry, String bodyDigest, @Nullable String dedupId, long now) {
        String key = settings.perGroup() ? entry.group + "/" + dedupId : dedupId;
        StoredMessage before = key == null ? null : deduplication.find(key, now);
        if (before != null) {
            return before;
        }
        StoredMessage message = StoredMessage.of(sequences.getAsLong(), entry, bodyDigest, dedupId, now);
        if (key != null) {
            deduplication.remember(key, message, now);
        }
        long delay = entry.delaySeconds >= 0 ? entry.delaySeconds * 1000L : settings.delayMillis();
        messages.put(message.sequence, message);
        if (delay > 0) {
            delayed++;
            hide(message, now + delay);
        } else {
            shelf.add(message);
        }
        return message;
    }

    /** Puts messages in that nobody sent. */
    void fill(int count, byte[] body, int groups, long now) {
        String digest = Digests.md5(body);
        for (int i = 0; i < count; i++) {
            String group = fifo() ? "group-" + filled++ % groups : null;
            StoredMessage message = StoredMessage.filled(sequences.getAsLong(), body, digest, group, now);
            messages.put(message.sequence, message);
            shelf.add(message);
        }
    }

    /** Takes messages now. */
    List<StoredMessage> receive(int max, int visibilitySeconds, @Nullable String attemptId, long now) {
        advance(now);
        List<StoredMessage> again = attemptId == null ? null : attempts.get(attemptId);
        if (again != null && again.stream().allMatch(message -> message.hidden && !message.gone)) {
            return again;
        }
        long until = now + (visibilitySeconds < 0 ? settings.visibilityMillis() : visibilitySeconds * 1000L);
        List<StoredMessage> taken = new ArrayList<>(max);
        shelf.take(Math.min(max, room()), taken);
        taken.removeIf(message -> redriven(message, now));
        for (StoredMessage message : taken) {
            message.receives++;
            message.firstReceivedAt = message.receives == 1 ? now : message.firstReceivedAt;
            hide(message, until);
        }
        if (attemptId != null && !taken.isEmpty()) {
            attempts.put(attemptId, taken);
        }
        return taken;
    }

    /** Whether as many messages are in flight as SQS permits. */
    boolean full(long now) {
        advance(now);
        return room() <= 0;
    }

    private int room() {
        return quotas.get().inFlight() - notVisible();
    }

    /** Whether the quota of calls permits one more of this action, which then counts. */
    boolean permits(Operation operation, SqsRequest request, long now) {
        if (!fifo() || quotas.get().fifoCalls() == 0) {
            return true;
        }
        return switch (operation) {
            case SEND_MESSAGE, SEND_MESSAGE_BATCH ->
                permits("send", request, entry -> String.valueOf(entry.group), now);
            case RECEIVE_MESSAGE ->
                calls.permits("receive", List.of(), true, settings.highThroughput(), quotas.get(), now);
            case DELETE_MESSAGE, DELETE_MESSAGE_BATCH -> permits("delete", request, this::groupOf, now);
            default -> true;
        };
    }

    private boolean permits(String action, SqsRequest request, Function<Entry, String> group, long now) {
        boolean batch = !request.entries.isEmpty();
        List<Entry> entries = batch ? request.entries : List.of(request.single);
        List<String> groups = entries.stream().map(group).toList();
        return calls.permits(action, groups, batch, settings.highThroughput(), quotas.get(), now);
    }

    private String groupOf(Entry entry) {
        StoredMessage message = messages.get(StoredMessage.sequenceOf(entry.receiptHandle));
        return message == null ? "" : String.valueOf(message.group);
    }

    /** Lets a receive wait for messages. */
    void park(Poll poll) {
        polls.add(poll);
    }

    boolean hasPolls() {
        return !polls.isEmpty();
    }

    /** Gives waiting receives what is visible now. */
    void serve(long now) {
        while (!polls.isEmpty() && shelf.size() > 0) {
            Poll poll = polls.element();
            List<StoredMessage> taken =
                    poll.open() ? receive(poll.max(), poll.visibilityTimeout(), null, now) : List.of();
            if (poll.open() && taken.isEmpty()) {
                return;
            }
            polls.remove();
            if (poll.open()) {
                poll.respond(taken);
            }
        }
    }

    /** What time does: messages become visible, waits end. */
    void tick(long now) {
        advance(now);
        serve(now);
        polls.removeIf(poll -> {
            boolean over = poll.until() <= now || !poll.open();
            if (over && poll.open()) {
                poll.respond(List.of());
            }
            return over;
        });
    }

    /** Returns whether there was something to delete. */
    boolean delete(String handle, long now) {
        advance(now);
        StoredMessage message = find(handle);
        if (message == null) {
            return false;
        }
        boolean latest = message.isLatest(handle);
        if (fifo() && (!latest || !message.hidden)) {
            throw SqsError.sender("ReceiptHandleIsInvalid", "The receipt handle has expired");
        }
        if (latest) {
            remove(message);
        }
        return latest;
    }

    void changeVisibility(String handle, int seconds, long now) {
        if (seconds < 0 || seconds > 43_200) {
            throw SqsError.invalidParameter("VisibilityTimeout must be between 0 and 43200 seconds");
        }
        advance(now);
        StoredMessage message = find(handle);
        if (message == null || !message.isLatest(handle)) {
            throw SqsError.invalidParameter("Value " + handle
                    + " for parameter ReceiptHandle is invalid. Reason: Message does not exist or is not available for"
                    + " visibility timeout change.");
        }
        if (!message.hidden) {
            throw SqsError.sender("AWS.SimpleQueueService.MessageNotInflight", "The message is not in flight");
        }
        if (seconds == 0) {
            show(message);
        } else {
            hide(message, now + seconds * 1000L);
        }
    }

    void purge() {
        messages.values().forEach(message -> message.gone = true);
        messages.clear();
        timers.clear();
        delayed = 0;
        shelf = newShelf();
    }

    private boolean redriven(StoredMessage message, long now) {
        QueueSettings.Redrive redrive = settings.redrive();
        if (redrive == null || message.receives < redrive.maxReceiveCount()) {
            return false;
        }
        message.hidden = true; // it left the shelf
        messages.remove(message.sequence);
        shelf.gone(message);
        message.hidden = false;
        redrive.deadLetters().messages.put(message.sequence, message);
        redrive.deadLetters().shelf.add(message);
        redrive.deadLetters().serve(now);
        return true;
    }

    private @Nullable StoredMessage find(String handle) {
        long sequence = StoredMessage.sequenceOf(handle);
        if (sequence < 0) {
            throw SqsError.sender(
                    "ReceiptHandleIsInvalid",
                    "The input receipt handle \"" + handle + "\" is not a valid receipt handle.");
        }
        return messages.get(sequence);
    }

    private void remove(StoredMessage message) {
        message.gone = true;
        messages.remove(message.sequence);
        timers.remove(message);
        shelf.gone(message);
    }

    private void hide(StoredMessage message, long until) {
        timers.remove(message);
        message.hidden = true;
        message.visibleAt = until;
        timers.add(message);
    }

    private void show(StoredMessage message) {
        timers.remove(message);
        message.hidden = false;
        if (message.receives == 0) {
            delayed--;
        }
        shelf.add(message);
    }

    private void advance(long now) {
        while (!timers.isEmpty() && timers.first().visibleAt <= now) {
            show(timers.first());
        }
    }

    private Shelf newShelf() {
        return fifo() ? new GroupedShelf() : new StandardShelf();
    }
}
