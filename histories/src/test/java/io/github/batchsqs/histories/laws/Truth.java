/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.histories.laws;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** What truly happened, whatever anybody was told. Passes it on to the laws, the first of which that is broken ends the history. */
public final class Truth {

    private final List<Law> laws;
    private final LongSupplier nanos;
    private final long extendedUpTo;
    private final Map<String, Message> messages = new LinkedHashMap<>();
    private final Map<String, Message> lastOfGroup = new HashMap<>();
    private final Map<String, Receive> receives = new HashMap<>();
    private final List<String> promises = new ArrayList<>();
    private final List<String> leftOver = new ArrayList<>();
    private final List<String> lies = new ArrayList<>();
    private final Map<String, Long> calls = new LinkedHashMap<>();
    private boolean calm = true;
    private @Nullable Broken broken;
    private Consumer<Broken> onBroken = found -> {};

    /**
     * Starts with nothing.
     *
     * @param extendedUpTo how long after a receive its lease is extended at most, in nanoseconds
     */
    public Truth(List<Law> laws, LongSupplier nanos, long extendedUpTo) {
        this.laws = laws;
        this.extendedUpTo = extendedUpTo;
        this.nanos = nanos;
    }

    /** Decides what happens as soon as a law is broken. */
    public void onBroken(Consumer<Broken> action) {
        onBroken = action;
    }

    // ---- what happens

    /** A message is to be sent. */
    public Message message(String body, @Nullable String group) {
        Message message = new Message(body, group, group == null ? null : lastOfGroup.get(group));
        messages.put(body, message);
        if (group != null) {
            lastOfGroup.put(group, message);
        }
        return message;
    }

    /** A receive took effect at SQS. */
    public Receive received(String body, String handle, Party by) {
        Message message = find(body);
        Receive receive = new Receive(message, by, handle, now());
        excuseIfTooLong(message);
        see(law -> law.received(receive));
        message.receives.add(receive);
        receives.put(handle, receive);
        return receive;
    }

    /** A message comes again or is moved, and nothing extended its last lease any longer. */
    private void excuseIfTooLong(Message message) {
        Receive last = message.lastReceive();
        if (last != null && now() - last.at >= extendedUpTo) {
            last.excuse("it lasted for too long");
            message.lane.disturbed = true;
        }
    }

    /** A handler begins. */
    public Run begun(String handle, Object call) {
        Receive receive = receive(handle);
        Run run = new Run(receive, call, now());
        see(law -> law.begun(run));
        receive.run = run;
        receive.message.runs.add(run);
        return run;
    }

    /** A handler is over. */
    public void ended(Run run) {
        run.over = true;
        see(law -> law.ended(run));
        if (!run.receive.message.succeeded) {
            excuseBehind(run.receive.message, "one before it failed");
        }
    }

    /** {@return whether a handler is not over} */
    public boolean handlersRun() {
        return messages.values().stream()
                .flatMap(message -> message.runs.stream())
                .anyMatch(run -> !run.over);
    }

    /** What is held of the group of this message may return to the queue without a run. */
    public void excuseBehind(Message message, String why) {
        excuseGroup(message, receive -> receive.run == null, why);
    }

    /** What is held of the group of this message may lose its lease: it waits for a call for this one. */
    public void excuseGroup(Message message, String why) {
        excuseGroup(message, receive -> true, why);
    }

    private void excuseGroup(Message message, Predicate<Receive> which, String why) {
        if (message.group != null) {
            for (Message other : messages.values()) {
                Receive last = other.lastReceive();
                if (message.group.equals(other.group) && last != null && which.test(last)) {
                    last.excuse(why);
                }
            }
        }
    }

    /** A handler is done with a message. */
    public void succeeded(Run run) {
        see(law -> law.succeeded(run));
        run.receive.message.succeeded = true;
    }

    /** SQS deleted it. */
    public void deleted(String body) {
        Message message = find(body);
        see(law -> law.deleted(message));
        message.gone = true;
    }

    /** SQS moved it. */
    public void moved(String body) {
        Message message = find(body);
        excuseIfTooLong(message);
        see(law -> law.moved(message));
        message.gone = true;
        message.moved = true;
    }

    /** It was sent to the dead-letter queue. */
    public void copied(String body, Party by) {
        Message message = find(body);
        see(law -> law.copied(message));
        message.copiers.add(by);
    }

    /** Its payload, which is stored outside of SQS, was removed. */
    public void payloadRemoved(String handle) {
        Receive receive = receive(handle);
        see(law -> law.payloadRemoved(receive));
    }

    /** Something took longer than it may, or never ended. */
    public void brokenPromise(String what) {
        promises.add(what);
    }

    /** Something is still held although there is nothing left to do. */
    public void leftOver(String what) {
        leftOver.add(what);
    }

    /** A status does not show what is. */
    public void lie(String what) {
        lies.add(what);
    }

    /** From now on things go wrong. */
    public void disturbed() {
        calm = false;
    }

    /** A call took place. */
    public void called(String operation) {
        calls.merge(operation, 1L, Long::sum);
    }

    /** Everything is over. */
    public void end() {
        see(law -> law.end(this));
    }

    // ---- what is known

    /** {@return the messages in the order in which they were sent} */
    public Collection<Message> messages() {
        return messages.values();
    }

    /** {@return the message with this body} */
    public Message find(String body) {
        Message message = messages.get(body);
        if (message == null) {
            throw new IllegalArgumentException("Nobody sent " + body);
        }
        return message;
    }

    /** {@return the receive with this handle} */
    public Receive receive(String handle) {
        Receive receive = receives.get(handle);
        if (receive == null) {
            throw new IllegalArgumentException("No receive has the handle " + handle);
        }
        return receive;
    }

    /** {@return whether nothing ever went wrong} */
    public boolean calm() {
        return calm;
    }

    /** {@return what did not end in time} */
    public List<String> promises() {
        return promises;
    }

    /** {@return what is still held at the end} */
    public List<String> leftOver() {
        return leftOver;
    }

    /** {@return where a status was wrong} */
    public List<String> lies() {
        return lies;
    }

    /** {@return how many calls of an operation took place} */
    public long calls(String operation) {
        return calls.getOrDefault(operation, 0L);
    }

    /** {@return the first law that was broken} */
    public @Nullable Broken broken() {
        return broken;
    }

    /** {@return the time in nanoseconds} */
    public long now() {
        return nanos.getAsLong();
    }

    /** {@return a time for people} */
    public static String seconds(long nanos) {
        long millis = nanos / 1_000_000;
        String behind = String.valueOf(1_000 + millis % 1_000).substring(1);
        return millis / 1_000 + "." + behind + " s"; // cheaper than a format
    }

    private void see(Consumer<Law> event) {
        if (broken != null) {
            return;
        }
        try {
            laws.forEach(event);
        } catch (Broken e) {
            broken = e;
            onBroken.accept(e);
        }
    }
}
