/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.micro;

import io.github.batchsqs.ReceivedMessage;
import io.github.batchsqs.client.Queue;
import io.github.batchsqs.client.QueueAttributes;
import io.github.batchsqs.client.QueueResolver;
import io.github.batchsqs.internal.client.EntryResult;
import io.github.batchsqs.internal.client.QueueClient;
import io.github.batchsqs.internal.client.ReceiveCall;
import io.github.batchsqs.internal.client.SendEntry;
import io.github.batchsqs.internal.client.SentMessage;
import io.github.batchsqs.internal.client.VisibilityChange;
import io.github.batchsqs.internal.sdk.BatchResults;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** A queue in memory that responds at once: it returns batches of ten while it has messages, and accepts every delete. */
final class MadeUpQueue implements QueueClient, QueueResolver {

    private static final int PER_RECEIVE = 10;

    private final Semaphore receives = new Semaphore(0);
    private final AtomicLong next = new AtomicLong();
    private volatile CountDownLatch undeleted = new CountDownLatch(0);

    /** Puts messages in, and blocks until all are deleted. */
    void drain(int messages) throws InterruptedException {
        undeleted = new CountDownLatch(messages);
        receives.release(messages / PER_RECEIVE);
        undeleted.await();
    }

    @Override
    public List<ReceivedMessage> receive(ReceiveCall call) throws InterruptedException {
        boolean some = receives.tryAcquire(call.waitTime().toMillis(), TimeUnit.MILLISECONDS);
        return some ? MadeUpMessage.ten(next.getAndAdd(PER_RECEIVE), null) : List.of();
    }

    @Override
    public List<EntryResult<Void>> delete(Queue queue, List<String> receiptHandles) {
        receiptHandles.forEach(handle -> undeleted.countDown());
        return Collections.nCopies(receiptHandles.size(), BatchResults.ACCEPTED);
    }

    @Override
    public List<EntryResult<Void>> changeVisibility(Queue queue, List<VisibilityChange> changes) {
        return Collections.nCopies(changes.size(), BatchResults.ACCEPTED);
    }

    @Override
    public List<EntryResult<SentMessage>> send(Queue queue, List<SendEntry> entries) {
        return Collections.nCopies(entries.size(), new EntryResult.Accepted<>(new SentMessage("id", null)));
    }

    @Override
    public Queue resolve(String nameUrlOrArn) {
        return new Queue(nameUrlOrArn, "http://localhost/" + nameUrlOrArn);
    }

    @Override
    public Queue create(String name) {
        return resolve(name);
    }

    @Override
    public QueueAttributes attributes(Queue queue) {
        return new QueueAttributes(Duration.ofMinutes(1), null);
    }
}
