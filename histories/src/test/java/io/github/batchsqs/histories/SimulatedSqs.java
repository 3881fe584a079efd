/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.histories;

import io.github.batchsqs.histories.laws.Receive;
import io.github.batchsqs.histories.laws.Truth;
import io.github.batchsqs.model.sqs.ModelQueue;
import io.github.batchsqs.model.sqs.Observer;
import io.github.batchsqs.model.sqs.QueueSettings;
import io.github.batchsqs.model.sqs.Received;
import io.github.batchsqs.model.sqs.SqsModel;
import io.github.batchsqs.model.sqs.Stored;
import io.github.batchsqs.model.sqs.TextPayload;
import io.github.batchsqs.model.time.VirtualTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The model of SQS with the queue of a history and its dead-letter queue. It tells the truth, and knows who waits for messages. */
final class SimulatedSqs implements Observer<TextPayload> {

    private static final long BEGIN = TimeUnit.SECONDS.toNanos(VirtualTime.BEGIN.getEpochSecond());

    final SqsModel<TextPayload> model = new SqsModel<>(this);
    final ModelQueue<TextPayload> queue;
    private final ModelQueue<TextPayload> deadLetters;
    private final VirtualTime time;
    private final Truth truth;
    private final List<Runnable> waiting = new ArrayList<>();

    /** Whose call takes effect. */
    private @Nullable Instance caller;

    SimulatedSqs(Setup setup, VirtualTime time, Truth truth) {
        this.time = time;
        this.truth = truth;
        this.deadLetters = model.create(setup.deadLetters(), QueueSettings.DEFAULT);
        this.queue = model.create(
                setup.queue(),
                QueueSettings.DEFAULT
                        .withVisibilityTimeout(setup.lease())
                        .withRedrive(setup.deadLetters(), setup.maxReceives()));
    }

    long now() {
        return BEGIN + time.nanos();
    }

    /** Lets no other call take effect between this one and that of the model. */
    void callOf(Instance instance) {
        caller = instance;
    }

    /** Waits until something may be visible, at most until then. */
    void await(long until) throws InterruptedException {
        long visible = queue.nextVisibleAt();
        long wake = visible == Long.MAX_VALUE ? until : Math.min(until, visible - BEGIN);
        Runnable waker = time.waker();
        waiting.add(waker);
        VirtualTime.Event timer = time.at(wake, waker);
        try {
            time.pause();
        } finally {
            timer.cancel();
            waiting.remove(waker);
        }
    }

    void changed() {
        List.copyOf(waiting).forEach(Runnable::run);
    }

    @Override
    public void sent(ModelQueue<TextPayload> where, Stored<TextPayload> message) {
        if (where.equals(deadLetters)) {
            truth.copied(message.payload().body(), Objects.requireNonNull(caller));
        }
    }

    @Override
    public void received(ModelQueue<TextPayload> where, Received<TextPayload> received) {
        Instance by = Objects.requireNonNull(caller);
        Receive receive = truth.received(received.message().payload().body(), received.receiptHandle(), by);
        by.received(receive);
    }

    @Override
    public void deleted(ModelQueue<TextPayload> where, Stored<TextPayload> message) {
        truth.deleted(message.payload().body());
    }

    @Override
    public void moved(ModelQueue<TextPayload> source, ModelQueue<TextPayload> target, Stored<TextPayload> message) {
        truth.moved(message.payload().body());
    }
}
