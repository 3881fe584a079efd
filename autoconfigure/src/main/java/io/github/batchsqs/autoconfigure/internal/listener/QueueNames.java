/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.listener;

/** Names of queues that are given by name, URL or ARN. */
final class QueueNames {

    private QueueNames() {}

    /** Returns the name of the queue. */
    static String of(String queue) {
        return queue.substring(Math.max(queue.lastIndexOf('/'), queue.lastIndexOf(':')) + 1);
    }

    /** Returns the name of the queue as a part of an id. */
    static String asId(String queue) {
        return of(queue).replaceAll("[^\\p{Alnum}_-]", "-");
    }
}
