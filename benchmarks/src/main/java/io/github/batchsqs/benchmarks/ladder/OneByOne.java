/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.ladder;

import io.github.batchsqs.benchmarks.run.Listening;
import io.github.batchsqs.benchmarks.run.MessageHandler;
import io.github.batchsqs.benchmarks.run.Target;
import java.util.List;
import software.amazon.awssdk.services.sqs.model.Message;

/**
 * Receive one message, handle it, delete it.
 *
 * @param workers how many do so, each polling for itself
 */
public record OneByOne(int workers) implements Listening {

    @Override
    public void start(Target target, MessageHandler handler) {
        PlainQueue queue = PlainQueue.of(target);
        RungThreads.loop(workers, "worker", () -> {
            for (Message message : queue.receive(1)) {
                handler.handle(List.of(message.body()));
                queue.delete(message);
            }
        });
    }
}
