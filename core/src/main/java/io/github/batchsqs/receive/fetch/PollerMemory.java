/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive.fetch;

import io.github.batchsqs.Backoff;
import io.github.batchsqs.BatchSqsException;
import java.time.Duration;
import java.util.UUID;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * What a poller remembers from receive to receive: its pause, and the attempt id of a receive that is to be repeated. No
 * thread, no clock of its own; belongs to the poller's thread.
 */
final class PollerMemory {

    private static final Backoff AFTER_ERRORS = Backoff.exponential(Duration.ofMillis(200), Duration.ofSeconds(30));

    /** SQS accepts an attempt id again for five minutes. */
    private static final Duration ATTEMPT_ID_LASTS = Duration.ofMinutes(4);

    private final FetchSettings settings;
    private final RandomGenerator random;
    private int failures;
    private boolean pauses;
    private long resumesAt;
    private @Nullable String attemptId;
    private long attemptIdUntil;

    PollerMemory(FetchSettings settings, RandomGenerator random) {
        this.settings = settings;
        this.random = random;
    }

    /** Fresh for each logical receive, the same for its retries, so that SQS gives a retry the same messages. */
    @Nullable
    String attemptId(long now) {
        if (!settings.queue().fifo()) {
            return null;
        }
        if (attemptId == null || attemptIdUntil - now <= 0) {
            attemptId = UUID.randomUUID().toString();
            attemptIdUntil = now + ATTEMPT_ID_LASTS.toNanos();
        }
        return attemptId;
    }

    void answered(int messages, int asked, long now) {
        failures = 0;
        attemptId = null;
        pauses = messages < asked && settings.pace().isPositive();
        resumesAt = now + settings.pace().toNanos();
    }

    /** Returns how long the poller pauses. */
    Duration failed(RuntimeException e, long now) {
        if (!(e instanceof BatchSqsException known && known.retryable())) {
            attemptId = null;
        }
        failures++;
        Duration delay = AFTER_ERRORS.delay(failures, random);
        pauses = true;
        resumesAt = now + delay.toNanos();
        return delay;
    }

    /** How long to wait before the next receive; none if not positive. */
    long pauseNanos(long now) {
        return pauses ? resumesAt - now : 0;
    }
}
