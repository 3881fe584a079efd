/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.once;

import io.github.batchsqs.BatchListener;
import io.github.batchsqs.BatchOutcome;
import io.github.batchsqs.autoconfigure.internal.listener.ListenerInbox;
import io.github.batchsqs.client.Queue;
import io.github.batchsqs.client.QueueAttributes;
import io.github.batchsqs.internal.receive.invoke.SkippingListener;
import io.github.batchsqs.listener.ListenerOptions;
import java.time.Duration;
import java.util.List;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;

/** Batches for the inbox of an application, as its bean wraps a handler. There is no queue. */
final class InboxLoad implements Growth.Load {

    static final String TABLE = "batchsqs_inbox";

    private static final String QUEUE = "growth";

    private final BatchListener<Object> listener;
    private final Growth.Progress progress;

    InboxLoad(ConfigurableApplicationContext context, Growth.Progress progress) {
        this.progress = progress;
        Work work = new Work(context.getBean(JdbcTemplate.class));
        ListenerInbox inbox = context.getBean(ListenerInbox.class);
        ListenerOptions options = ListenerOptions.builder(QUEUE, QUEUE)
                .concurrency(Servers.CONCURRENCY)
                .build();
        this.listener = inbox.around(
                BatchListener.of(batch -> work.insert(batch.messages())),
                new ListenerInbox.Request(options, QUEUE, null, null, List.of()));
        ((SkippingListener<?>) listener)
                .found(
                        new Queue(QUEUE, "https://sqs.us-east-1.amazonaws.com/000000000000/" + QUEUE),
                        new QueueAttributes(Duration.ofSeconds(30), null));
    }

    @Override
    public void transaction(long number, int messages) throws Exception {
        BatchOutcome outcome = listener.onBatch(MadeUpMessage.batch(QUEUE, messages));
        if (!outcome.equals(BatchOutcome.done())) {
            throw new IllegalStateException("The inbox did not report that all messages of a batch are done");
        }
        progress.done(messages);
    }
}
