/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.once;

import java.io.IOException;
import org.springframework.context.ConfigurableApplicationContext;

/** Transactions of an application with the outbox. */
final class OutboxLoad implements Growth.Load {

    static final String TABLE = "batchsqs_outbox";

    private static final String QUEUE = "growth";

    private final SimulatorProcess sqs;
    private final BoundedSender sender;

    OutboxLoad(SimulatorProcess sqs, ConfigurableApplicationContext context, Growth.Progress progress)
            throws IOException {
        this.sqs = sqs;
        this.sender = new BoundedSender(
                context.getBean(SenderApplication.class),
                QUEUE,
                BoundedSender.WAITING,
                () -> progress.done(1),
                progress::failed);
        sqs.empty(QUEUE);
    }

    @Override
    public void awaitRoom(int messages) throws InterruptedException {
        sender.awaitRoom(messages);
    }

    @Override
    public void transaction(long number, int messages) {
        sender.transaction(number, messages);
    }

    /** The messages need memory, and nobody receives them. */
    @Override
    public void sampled() throws IOException {
        sqs.empty(QUEUE);
    }
}
