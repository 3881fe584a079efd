/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.simulation;

import io.github.batchsqs.model.sqs.Deletion;
import io.github.batchsqs.model.sqs.ModelQueue;
import io.github.batchsqs.model.sqs.Outcome;
import io.github.batchsqs.model.sqs.Outgoing;
import io.github.batchsqs.model.sqs.QueueSettings;
import io.github.batchsqs.model.sqs.ReceiveRequest;
import io.github.batchsqs.model.sqs.Received;
import io.github.batchsqs.model.sqs.SqsModel;
import io.github.batchsqs.model.sqs.Stored;
import io.github.batchsqs.model.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * A standard queue of the model, and what it lacks: receives that wait, first come, first served; short responses and duplicates, which
 * are probabilities of the {@link Network}. How SQS divides a queue among its servers is not published, so it has no servers here.
 */
final class SimulatedQueue {

    /** All receives are long polls, which return nothing at the limit of messages in flight. */
    private static final Duration WAIT = Duration.ofSeconds(20);

    private final VirtualTime threads;
    private final Network network;
    private final RandomGenerator random;
    private final Statistics statistics;
    private final ModelQueue<SimulatedMessage> queue;
    private final ArrayDeque<Poll> polls = new ArrayDeque<>();

    /** Messages in flight that another server delivers too. */
    private final ArrayDeque<Stored<SimulatedMessage>> duplicates = new ArrayDeque<>();

    private long sent;
    private long deleted;
    private int inFlight;
    private boolean stopsWhenEmpty;
    private boolean closed;

    /** A receive that waits for messages. */
    private static final class Poll {
        private final int max;
        private final Duration lease;
        private final Runnable waker;
        private List<SimulatedMessage.Delivery> taken = List.of();

        Poll(int max, Duration lease, Runnable waker) {
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
        this.queue = new SqsModel<SimulatedMessage>()
                .create("queue", QueueSettings.DEFAULT.withMaxInFlight(network.maxInFlight()));
    }

    /** Accepts new messages. */
    void add(int count) {
        for (int i = 0; i < count; i++) {
            SimulatedMessage message = new SimulatedMessage(sent++, threads.nanos(), threads.now());
            statistics.arrived(message);
            queue.send(new Outgoing<>(message), threads.nanos());
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
        serve();
    }

    /** Takes messages; waits for them, if there are none, for so many nanoseconds at most. On a strand. */
    List<SimulatedMessage.Delivery> receive(int max, long wait, Duration lease) throws InterruptedException {
        List<SimulatedMessage.Delivery> taken = take(max, lease);
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

    /** Deletes messages by their receipt handles. */
    void delete(List<String> handles) {
        for (String handle : handles) {
            if (queue.delete(handle, threads.nanos()).equals(Outcome.done(Deletion.DELETED))) {
                deleted++;
            }
        }
        count();
        stopIfEmpty();
        serve();
    }

    /** Changes the visibility timeout. Returns whether the message is in flight with this receipt handle. */
    boolean changeVisibility(String handle, Duration timeout) {
        boolean done = queue.changeVisibility(handle, timeout, threads.nanos()) instanceof Outcome.Done;
        if (done && timeout.isZero()) {
            serve();
        }
        count();
        return done;
    }

    private List<SimulatedMessage.Delivery> take(int max, Duration lease) {
        long now = threads.nanos();
        int most = Math.min(max, network.maxInFlight() - queue.inFlight(now));
        if (network.shortResponses() > 0 && most > 1 && random.nextDouble() < network.shortResponses()) {
            most = 1 + random.nextInt(most - 1);
        }
        List<Received<SimulatedMessage>> taken = new ArrayList<>();
        while (taken.size() < most && !duplicates.isEmpty()) {
            Stored<SimulatedMessage> message = duplicates.remove();
            if (message.inFlight()) {
                taken.add(queue.receiveAgain(message, lease, now));
            }
        }
        if (taken.size() < most) {
            taken.addAll(queue.receive(new ReceiveRequest(most - taken.size(), WAIT, lease, null), now));
        }
        if (network.duplicates() > 0) {
            for (Received<SimulatedMessage> received : taken) {
                if (random.nextDouble() < network.duplicates()) {
                    duplicates.add(received.message());
                }
            }
        }
        count();
        return taken.stream().map(SimulatedMessage.Delivery::new).toList();
    }

    private void serve() {
        while (!polls.isEmpty() && (queue.visible(threads.nanos()) > 0 || !duplicates.isEmpty())) {
            Poll poll = polls.element();
            poll.taken = take(poll.max, poll.lease);
            if (poll.taken.isEmpty()) {
                return;
            }
            polls.remove();
            poll.waker.run();
        }
        count();
    }

    private void count() {
        int now = queue.inFlight(threads.nanos());
        statistics.inFlight.change(now - inFlight);
        inFlight = now;
    }
}
