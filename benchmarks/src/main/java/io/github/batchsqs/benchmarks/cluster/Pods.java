/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.cluster;

import java.util.ArrayDeque;

/**
 * Which instances are the pods of a day, and for how long. A pod counts from the decision to start it to the decision to stop it: a stop takes as long
 * as on the day, where that is next to nothing. The instance that stopped first starts first, so that no start waits for a stop. Times are those of
 * the monotonic clock.
 */
final class Pods {

    private final ArrayDeque<Integer> idle = new ArrayDeque<>();
    private final ArrayDeque<Pod> running = new ArrayDeque<>();
    private long stoppedNanos;

    private record Pod(int instance, long startedAt) {}

    /** The first instance runs. */
    Pods(int instances, long now) {
        running.add(new Pod(0, now));
        for (int i = 1; i < instances; i++) {
            idle.add(i);
        }
    }

    int count() {
        return running.size();
    }

    /** Returns the instance that starts. */
    int start(long now) {
        int instance = idle.remove();
        running.addLast(new Pod(instance, now));
        return instance;
    }

    /** Returns the instance that stops: the pod that started last. */
    int stop(long now) {
        Pod pod = running.removeLast();
        idle.add(pod.instance());
        stoppedNanos += now - pod.startedAt();
        return pod.instance();
    }

    /** The time of all pods until the end of the day. */
    long nanos(long end) {
        return stoppedNanos
                + running.stream().mapToLong(pod -> end - pod.startedAt()).sum();
    }
}
