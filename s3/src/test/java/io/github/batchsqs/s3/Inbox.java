/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.s3;

import io.github.batchsqs.SqsMessage;
import io.github.batchsqs.annotation.BatchSqsListener;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** A listener of the queue that the property {@code inbox} names. */
final class Inbox {

    /** What was handled without an exception. */
    final BlockingQueue<SqsMessage<String>> handled = new LinkedBlockingQueue<>();

    final AtomicInteger invocations = new AtomicInteger();
    final AtomicInteger largestBatch = new AtomicInteger();

    private final Consumer<SqsMessage<String>> handler;

    Inbox() {
        this(message -> {});
    }

    Inbox(Consumer<SqsMessage<String>> handler) {
        this.handler = handler;
    }

    @BatchSqsListener(id = "inbox", queue = "${inbox}")
    void handle(List<SqsMessage<String>> batch) {
        invocations.incrementAndGet();
        largestBatch.accumulateAndGet(batch.size(), Math::max);
        batch.forEach(handler);
        handled.addAll(batch);
    }
}
