/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.ladder;

import io.github.batchsqs.benchmarks.run.Listening;
import io.github.batchsqs.benchmarks.run.MessageHandler;
import io.github.batchsqs.benchmarks.run.Target;
import java.util.List;
import software.amazon.awssdk.services.sqs.model.Message;

/**
 * Workers that receive ten, handle them, and delete them.
 *
 * @param workers how many
 * @param batchDelete whether by one call, or by one for each message
 */
record WorkerPool(int workers, boolean batchDelete) implements Listening {

    @Override
    public void start(Target target, MessageHandler handler) {
        PlainQueue queue = PlainQueue.of(target);
        RungThreads.loop(workers, "worker", () -> {
            List<Message> messages = queue.receive(10);
            for (Message message : messages) {
                handler.handle(List.of(message.body()));
                if (!batchDelete) {
                    queue.delete(message);
                }
            }
            if (batchDelete && !messages.isEmpty()) {
                queue.delete(messages);
            }
        });
    }
}
