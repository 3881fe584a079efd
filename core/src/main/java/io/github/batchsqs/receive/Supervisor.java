/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive;

import java.time.Duration;

/**
 * Decides when a container starts again after its engine has failed: after a second, and after twice as long each time that it fails again
 * within a minute, at most after a minute. Pure; belongs to the container's lock.
 */
final class Supervisor {

    private static final Duration SHORTEST = Duration.ofSeconds(1);
    private static final Duration LONGEST = Duration.ofMinutes(1);

    private Duration delay = Duration.ZERO;
    private long startedAt;

    /** A run starts. */
    void started(long now) {
        startedAt = now;
    }

    /** A run has failed, or could not be started. Returns how long the container waits for the next start. */
    Duration failed(long now) {
        Duration doubled = delay.multipliedBy(2);
        if (delay.isZero() || now - startedAt > LONGEST.toNanos()) {
            delay = SHORTEST;
        } else {
            delay = doubled.compareTo(LONGEST) < 0 ? doubled : LONGEST;
        }
        return delay;
    }
}
