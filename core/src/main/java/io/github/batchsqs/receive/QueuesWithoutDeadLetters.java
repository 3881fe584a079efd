/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive;

import io.github.batchsqs.client.Queue;
import io.github.batchsqs.client.QueueResolver;
import io.github.batchsqs.listener.ListenerOptions;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The queues without a dead-letter queue that the log has named, by the resolver that found them: an application, whose listeners
 * share theirs, names each once, however often listeners start.
 *
 * <p>Safe for use by any thread.
 */
final class QueuesWithoutDeadLetters {

    private static final ReentrantLock lock = new ReentrantLock();
    private static final Map<QueueResolver, Set<String>> named = new WeakHashMap<>();

    private QueuesWithoutDeadLetters() {}

    /** Returns whether the log has not named the queue yet. */
    static boolean isNews(QueueResolver resolver, Queue queue) {
        lock.lock();
        try {
            return named.computeIfAbsent(resolver, first -> new HashSet<>()).add(queue.url());
        } finally {
            lock.unlock();
        }
    }

    /**
     * Returns whether nobody has decided on the queue's attributes: a listener may create it, with the defaults of SQS, or it is
     * on a server of this machine.
     */
    static boolean isForDevelopment(ListenerOptions options, Queue queue) {
        return options.queueNotFound() == ListenerOptions.QueueNotFound.CREATE
                || queue.url().startsWith("http://localhost:")
                || queue.url().startsWith("http://127.0.0.1:");
    }
}
