/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive;

import io.github.batchsqs.internal.batch.CallThreads;
import io.github.batchsqs.internal.client.QueueClient;
import io.github.batchsqs.internal.support.TimerThreads;
import java.util.Collections;
import java.util.Map;
import java.util.WeakHashMap;

/**
 * The platform threads that all listeners of one client share: usually those of the application. Listeners of another client, which may
 * call another region, do not wait when that region does not respond.
 *
 * <p>They need no carrier, so they go on while handlers compute on virtual threads. Each kind is bounded: beyond its
 * bound, which nobody reaches whose handlers compute, tasks have virtual threads. Idle threads end after 30 seconds. They are
 * named {@code batchsqs-timer-<n>}, {@code batchsqs-look-<n>}, {@code batchsqs-poller-<n>}, {@code batchsqs-settle-<n>}, {@code
 * batchsqs-visibility-<n>} and {@code batchsqs-stop-<n>}.
 */
final class ClientThreads {

    /** One that waits, and one that is about to end. */
    private static final int MAX_TIMERS = 2;

    /** The looks, and those that have just taken one. */
    private static final int MAX_LOOKS = 16;

    /** Handlers that compute cause few calls at a time. Under load, virtual threads cost half as much. */
    private static final int MAX_CALLS = 8;

    private static final int MAX_VISIBILITY_CALLS = 16;
    private static final int MAX_STOPS = 32;

    /** Bounds the platform threads of an application with many listeners, of which each has its own few. */
    private static final int MAX_POLLERS = 128;

    private static final Map<QueueClient, ClientThreads> byClient = Collections.synchronizedMap(new WeakHashMap<>());

    final TimerThreads timers =
            new TimerThreads(calls("batchsqs-timer-", MAX_TIMERS), calls("batchsqs-look-", MAX_LOOKS));
    final CallThreads calls = calls("batchsqs-settle-", MAX_CALLS);
    final CallThreads visibilityCalls = calls("batchsqs-visibility-", MAX_VISIBILITY_CALLS);
    final CallThreads stops = calls("batchsqs-stop-", MAX_STOPS);
    final CallThreads pollers = calls("batchsqs-poller-", MAX_POLLERS);

    /** Returns the threads of the listeners of a client; none runs before it is needed. */
    static ClientThreads of(QueueClient client) {
        return byClient.computeIfAbsent(client, key -> new ClientThreads());
    }

    private static CallThreads calls(String prefix, int max) {
        return new CallThreads(
                Thread.ofPlatform().daemon().name(prefix, 1).factory(),
                max,
                Thread.ofVirtual().name(prefix + "virtual-", 1).factory());
    }
}
