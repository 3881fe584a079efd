/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.simulator;

import io.github.batchsqs.model.sqs.ModelQueue;
import io.github.batchsqs.model.sqs.Outgoing;
import io.github.batchsqs.model.sqs.QueueSettings;
import io.github.batchsqs.model.sqs.Received;
import io.github.batchsqs.model.sqs.Stored;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** A queue of the model, and what it lacks: receives that wait, and the quota of calls. Times are nanoseconds since 1970. */
final class SimulatedQueue {

    private final ModelQueue<Content> model;
    private final FifoQuota calls = new FifoQuota();
    private final ArrayDeque<Receive> receives = new ArrayDeque<>();
    private QueueAttributes attributes;
    private long filled;

    SimulatedQueue(ModelQueue<Content> model, QueueAttributes attributes) {
        this.model = model;
        this.attributes = attributes;
    }

    String name() {
        return model.name();
    }

    ModelQueue<Content> model() {
        return model;
    }

    QueueAttributes attributes() {
        return attributes;
    }

    void change(QueueAttributes newAttributes, QueueSettings settings) {
        attributes = newAttributes;
        model.settings(settings);
    }

    /** Puts messages in that nobody sent. */
    void fill(int count, byte[] body, int groups, long now) {
        Content content = Content.of(body);
        for (int i = 0; i < count; i++) {
            long number = filled++;
            model.send(
                    model.fifo()
                            ? new Outgoing<>(content, "group-" + number % groups, "filled-" + number)
                            : new Outgoing<>(content),
                    now);
        }
    }

    /** Whether the quota of calls permits one more of this action, which then counts. */
    boolean permits(Operation operation, SqsRequest request, Quotas quotas, long now) {
        if (!model.fifo() || quotas.fifoCalls() == 0) {
            return true;
        }
        return switch (operation) {
            case SEND_MESSAGE, SEND_MESSAGE_BATCH ->
                permits("send", request, entry -> String.valueOf(entry.group), quotas, now);
            case RECEIVE_MESSAGE -> permits("receive", List.of(), true, quotas, now);
            case DELETE_MESSAGE, DELETE_MESSAGE_BATCH -> permits("delete", request, this::groupOf, quotas, now);
            default -> true;
        };
    }

    private boolean permits(String action, SqsRequest request, Function<Entry, String> group, Quotas quotas, long now) {
        boolean batch = !request.entries.isEmpty();
        List<Entry> entries = batch ? request.entries : List.of(request.single);
        return permits(action, entries.stream().map(group).toList(), batch, quotas, now);
    }

    private boolean permits(String action, List<String> groups, boolean batch, Quotas quotas, long now) {
        return calls.permits(
                action, groups, batch, attributes.highThroughput(), quotas, TimeUnit.NANOSECONDS.toMillis(now));
    }

    private String groupOf(Entry entry) {
        Stored<Content> message = model.find(entry.receiptHandle);
        return message == null ? "" : String.valueOf(message.group());
    }

    /** Lets a receive wait for messages. */
    void park(Receive receive) {
        receives.add(receive);
    }

    boolean hasReceives() {
        return !receives.isEmpty();
    }

    /** Gives waiting receives what is visible now. */
    void serve(long now) {
        while (!receives.isEmpty() && model.visible(now) > 0) {
            Receive receive = receives.element();
            if (receive.open()) {
                List<Received<Content>> taken = model.receive(receive.request(), now);
                if (taken.isEmpty()) {
                    return;
                }
                receives.remove();
                receive.respond(taken, now);
            } else {
                receives.remove();
            }
        }
    }

    /** What time does: messages become visible, waits end. */
    void tick(long now) {
        serve(now);
        receives.removeIf(receive -> {
            boolean over = receive.until() <= now || !receive.open();
            if (over && receive.open()) {
                receive.respond(List.of(), now);
            }
            return over;
        });
    }
}
