/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive.invoke;

import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/**
 * Says in the log's context (MDC) which invocation runs on the thread; closing it puts back what was there. The batch size
 * counts messages that turn out not to be convertible as well.
 */
final class LogContext {

    static final String LISTENER = "batchsqs.listener";
    static final String QUEUE = "batchsqs.queue";
    static final String BATCH_SIZE = "batchsqs.batch.size";

    private final @Nullable String listener = MDC.get(LISTENER);
    private final @Nullable String queue = MDC.get(QUEUE);
    private final @Nullable String batchSize = MDC.get(BATCH_SIZE);

    LogContext(String listener, String queue, int batchSize) {
        MDC.put(LISTENER, listener);
        MDC.put(QUEUE, queue);
        MDC.put(BATCH_SIZE, Integer.toString(batchSize));
    }

    void close() {
        restore(LISTENER, listener);
        restore(QUEUE, queue);
        restore(BATCH_SIZE, batchSize);
    }

    private static void restore(String key, @Nullable String value) {
        if (value == null) {
            MDC.remove(key);
        } else {
            MDC.put(key, value);
        }
    }
}
