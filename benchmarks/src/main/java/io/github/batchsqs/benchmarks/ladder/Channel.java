/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.ladder;

import io.github.batchsqs.benchmarks.run.Listening;
import io.github.batchsqs.benchmarks.run.MessageHandler;
import io.github.batchsqs.benchmarks.run.Target;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import software.amazon.awssdk.services.sqs.model.Message;

/**
 * Fetchers put what they received into a channel; others take it out, handle it and delete it by batches.
 *
 * @param workers how many of each
 */
record Channel(int workers) implements Listening {

    private static final int CAPACITY = 100;

    @Override
    public void start(Target target, MessageHandler handler) {
        PlainQueue queue = PlainQueue.of(target);
        BlockingQueue<List<Message>> channel = new ArrayBlockingQueue<>(CAPACITY);
        RungThreads.loop(workers, "fetcher", () -> {
            List<Message> messages = queue.receive(10);
            if (!messages.isEmpty()) {
                channel.put(messages);
            }
        });
        RungThreads.loop(workers, "deleter", () -> {
            List<Message> messages = channel.take();
            handler.handle(messages.stream().map(Message::body).toList());
            queue.delete(messages);
        });
    }
}
