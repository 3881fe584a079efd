/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.ladder;

import io.github.batchsqs.benchmarks.run.Listening;
import io.github.batchsqs.benchmarks.run.MessageHandler;
import io.github.batchsqs.benchmarks.run.Target;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.SynchronousQueue;
import software.amazon.awssdk.services.sqs.model.Message;

/**
 * One poller feeds many handlers, one message at a time.
 *
 * @param concurrency handlers at once
 * @param pool whether they are a pool that waits for work, or started for each message and counted
 */
record OnePoller(int concurrency, boolean pool) implements Listening {

    @Override
    public void start(Target target, MessageHandler handler) {
        PlainQueue queue = PlainQueue.of(target);
        if (pool) {
            BlockingQueue<Message> work = new SynchronousQueue<>();
            RungThreads.loop(concurrency, "worker", () -> handle(queue, handler, work.take()));
            RungThreads.loop(1, "poller", () -> {
                for (Message message : queue.receive(1)) {
                    work.put(message);
                }
            });
        } else {
            Semaphore counter = new Semaphore(concurrency);
            RungThreads.loop(1, "poller", () -> {
                counter.acquire();
                List<Message> messages = queue.receive(1);
                if (messages.isEmpty()) {
                    counter.release();
                } else {
                    Thread unused =
                            Thread.startVirtualThread(() -> counted(counter, queue, handler, messages.getFirst()));
                }
            });
        }
    }

    private static void counted(Semaphore counter, PlainQueue queue, MessageHandler handler, Message message) {
        try {
            handle(queue, handler, message);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            counter.release();
        }
    }

    private static void handle(PlainQueue queue, MessageHandler handler, Message message) throws InterruptedException {
        handler.handle(List.of(message.body()));
        queue.delete(message);
    }
}
