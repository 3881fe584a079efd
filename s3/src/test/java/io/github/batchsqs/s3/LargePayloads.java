/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.s3;

import io.github.batchsqs.send.BatchSqsTemplate;
import io.github.batchsqs.testkit.Progress;
import java.net.URI;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** A process that sends large payloads to a queue and handles them; {@link MemoryTests} starts it with a small heap. */
final class LargePayloads {

    private LargePayloads() {}

    /**
     * Runs the process.
     *
     * @param args the endpoints of SQS and S3, the queue, the number of payloads, and the size of each
     */
    public static void main(String[] args) {
        int count = Integer.parseInt(args[3]);
        int size = Integer.parseInt(args[4]);
        var handled = new AtomicInteger();
        var failure = new AtomicReference<@Nullable Throwable>();
        var inbox = new Inbox(message -> {
            if (message.payload().length() != size) {
                throw new IllegalStateException("has " + message.payload().length() + " characters");
            }
            handled.incrementAndGet();
        });
        inbox.keepsNothing();
        Applications.local(URI.create(args[0]), URI.create(args[1]))
                .withBean(Inbox.class, () -> inbox)
                .withPropertyValues(
                        "inbox=" + args[2], "batchsqs.sender.max-block=1h", "batchsqs.sender.delivery-timeout=4m")
                .run(context -> {
                    if (context.getStartupFailure() != null) {
                        throw new IllegalStateException(context.getStartupFailure());
                    }
                    var template = context.getBean(BatchSqsTemplate.class);
                    for (int i = 0; i < count; i++) {
                        var ignored = template.send(args[2], "x".repeat(size))
                                .whenComplete((sent, failed) -> failure.compareAndSet(null, failed));
                    }
                    Progress.until(
                            () -> failure.get() != null || handled.get() >= count ? count : handled.get(), count);
                });
        if (failure.get() != null) {
            throw new IllegalStateException(failure.get());
        }
        System.out.println("handled " + handled.get());
    }
}
