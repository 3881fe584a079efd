/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.simulation;

import io.github.batchsqs.model.time.VirtualTime;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.random.RandomGenerator;

/**
 * A standard queue as SQS describes it: long polls, visibility timeouts, at-least-once delivery, short responses, and the limit of
 * messages in flight. First come, first served, among messages and among waiting receives.
 *
 * <p>How SQS divides a queue among its servers is not published, so it has no servers here: what follows from them, short responses and
 * duplicates, are probabilities of the {@link Network}.
 */
final class SimulatedQueue {

    private final VirtualTime threads;
    private final Network network;
    private final RandomGenerator random;
    private final Statistics statistics;
    private final ArrayDeque<SimulatedMessage> visible = new ArrayDeque<>();
    private final ArrayDeque<Poll> polls = new ArrayDeque<>();
    private final Map<String, SimulatedMessage> byHandle = new HashMap<>();

    /** The visibility timeouts; those of messages that were extended meanwhile count for nothing. */
    private final PriorityQueue<Lease> leases = new PriorityQueue<>(Comparator.comparingLong(Lease::until));

    private long sent;
    private long deleted;
    private int inFlight;
    private boolean stopsWhenEmpty;
    private boolean closed;

    private record Lease(long until, SimulatedMessage message) {}

    /** A receive that waits for messages. */
    private static final class Poll {
        private final int max;
        private final long lease;
        private final Runnable waker;
        private List<SimulatedMessage.Received> taken = List.of();

        Poll(int max, long lease, Runnable waker) {
            this.max = max;
            this.lease = lease;
            this.waker = waker;
        }
    }

    SimulatedQueue(VirtualTime threads, Network network, RandomGenerator random, Statistics statistics) {
        this.threads = threads;
        this.network = network;
        this.random = random;
        this.statistics = statistics;
    }

    /** Accepts new messages. */
    void add(int count) {
        for (int i = 0; i < count; i++) {
            SimulatedMessage message = new SimulatedMessage(sent++, threads.nanos(), threads.now());
            statistics.arrived(message);
            visible.add(message);
        }
        serve();
    }

    /** Stops the simulation when all messages are deleted, at once if they are. */
    void stopWhenEmpty() {
        stopsWhenEmpty = true;
        stopIfEmpty();
    }

    /** Returns how many messages are not deleted. */
    long undeleted() {
        return sent - deleted;
    }

    boolean closed() {
        return closed;
    }

    /** Lets no receive wait any more; calls take no time from now on. */
    void close() {
        closed = true;
        polls.forEach(poll -> poll.waker.run());
        polls.clear();
    }

    private void stopIfEmpty() {
        if (stopsWhenEmpty && deleted == sent) {
            threads.stop();
        }
    }

    /** Makes messages visible whose visibility timeout has ended; to be called now and then. */
    void tick() {
        showWhatIsDue();
        serve();
    }

    /** Takes messages; waits for them, if there are none, for so many nanoseconds at most. On a strand. */
    List<SimulatedMessage.Received> receive(int max, long wait, long lease) throws InterruptedException {
        List<SimulatedMessage.Received> taken = take(max, lease);
        if (!taken.isEmpty() || wait <= 0 || closed) {
            return taken;
        }
        Poll poll = new Poll(max, lease, threads.waker());
        polls.add(poll);
        VirtualTime.Event timeout = threads.at(threads.nanos() + wait, () -> {
            if (polls.remove(poll)) {
                poll.waker.run();
            }
        });
        threads.pause();
        timeout.cancel();
        return poll.taken;
    }

    /** Deletes messages by their receipt handles. As on SQS, an old one is accepted and may delete nothing. */
    void delete(List<String> handles) {
        handles.forEach(this::delete);
        stopIfEmpty();
        serve();
    }

    private void delete(String handle) {
        SimulatedMessage message = byHandle.remove(handle);
        if (message != null && !message.deleted && message.handle.equals(handle)) {
            message.deleted = true;
            deleted++;
            while (!leases.isEmpty() && leases.element().message.deleted) {
                leases.remove(); // or they would be kept for 30 s
            }
            if (message.inFlight) {
                message.inFlight = false;
                changeInFlight(-1);
            }
        }
    }

    /** Changes the visibility timeout. Returns whether the message is in flight with this receipt handle. */
    boolean changeVisibility(String handle, long nanos) {
        SimulatedMessage message = byHandle.get(handle);
        if (message == null || !message.inFlight || !message.handle.equals(handle)) {
            return false;
        }
        if (nanos == 0) {
            show(message);
            serve();
        } else {
            hide(message, nanos);
        }
        return true;
    }

    private List<SimulatedMessage.Received> take(int max, long lease) {
        showWhatIsDue();
        int most = Math.min(max, network.maxInFlight() - inFlight);
        if (network.shortResponses() > 0 && most > 1 && random.nextDouble() < network.shortResponses()) {
            most = 1 + random.nextInt(most - 1);
        }
        List<SimulatedMessage.Received> taken = new ArrayList<>(Math.max(0, most));
        while (taken.size() < most && !visible.isEmpty()) {
            SimulatedMessage message = visible.remove();
            if (!message.deleted) {
                taken.add(take(message, lease));
            }
        }
        return taken;
    }

    private SimulatedMessage.Received take(SimulatedMessage message, long lease) {
        message.receives++;
        message.handle = message.id + "-" + message.receives;
        byHandle.put(message.handle, message);
        if (!message.inFlight) {
            message.inFlight = true;
            changeInFlight(1);
        }
        hide(message, lease);
        if (network.duplicates() > 0 && random.nextDouble() < network.duplicates()) {
            visible.add(message); // another server delivers it, too
        }
        return message.received();
    }

    private void hide(SimulatedMessage message, long nanos) {
        message.visibleAt = threads.nanos() + nanos;
        leases.add(new Lease(message.visibleAt, message));
    }

    private void show(SimulatedMessage message) {
        message.inFlight = false;
        changeInFlight(-1);
        visible.add(message);
    }

    private void showWhatIsDue() {
        for (Lease lease = leases.peek(); lease != null && lease.until <= threads.nanos(); lease = leases.peek()) {
            leases.remove();
            if (lease.message.inFlight && lease.message.visibleAt == lease.until) {
                show(lease.message);
            }
        }
    }

    private void serve() {
        while (!polls.isEmpty() && !visible.isEmpty() && inFlight < network.maxInFlight()) {
            Poll poll = polls.element();
            poll.taken = take(poll.max, poll.lease);
            if (poll.taken.isEmpty()) {
                return;
            }
            polls.remove();
            poll.waker.run();
        }
    }

    private void changeInFlight(int by) {
        inFlight += by;
        statistics.inFlight.change(by);
    }
}
