/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.fetch;

import io.github.batchsqs.Backoff;
import io.github.batchsqs.client.QueueCallException;
import io.github.batchsqs.errors.BatchSqsException;
import io.github.batchsqs.internal.receive.delivery.ListenerQueue;
import io.github.batchsqs.internal.support.SqsErrors;
import java.time.Duration;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What a poller remembers from receive to receive: its pause, and the attempt id of a receive that is to be repeated. No
 * thread, no clock of its own; the pause belongs to the {@link Valve}'s lock, the rest to the poller's thread.
 */
final class PollerMemory {

    /**
     * No longer than this, unless the response asks for it, so that the end of an outage, or of throttling, is noticed
     * within three seconds.
     */
    private static final Backoff AFTER_ERRORS = Backoff.exponential(Duration.ofMillis(200), Duration.ofSeconds(2));

    /** An empty response this early may be chance, once: another consumer took the message. */
    private static final Duration AFTER_EARLY_RESPONSE = Duration.ofMillis(100);

    /** So that messages are received soon when the trouble is over, or if the server has no long polling. */
    static final Duration LONGEST_EARLY_PAUSE = Duration.ofSeconds(2);

    /** SQS accepts an attempt id again for five minutes. */
    private static final Duration ATTEMPT_ID_LASTS = Duration.ofMinutes(4);

    private final ListenerQueue source;
    private int failures;
    private int earlyResponses;
    private boolean backsOff;
    private boolean pauses;
    private long resumesAt;
    private @Nullable String attemptId;
    private long attemptIdUntil;
    /** Whether the last receive with the id got a response, which was a failure. */
    private boolean refused;

    PollerMemory(ListenerQueue source) {
        this.source = source;
    }

    /**
     * Fresh for each logical receive, the same for its retries, so that SQS gives a retry the same messages. One that SQS refuses twice is
     * given up: another consumer may have deleted its messages.
     */
    @Nullable
    String attemptId(long now) {
        if (!source.queue().fifo()) {
            return null;
        }
        if (attemptId == null || attemptIdUntil - now <= 0) {
            attemptId = UUID.randomUUID().toString();
            attemptIdUntil = now + ATTEMPT_ID_LASTS.toNanos();
        }
        return attemptId;
    }

    /**
     * A receive succeeded.
     *
     * @param waitTime how long it was to wait for messages
     * @param took how long it took, in nanoseconds
     * @return how many receives in a row, this one included, were empty before half of their wait time
     */
    int succeeded(int messages, int asked, Duration waitTime, long took, long now) {
        attemptId = null;
        backsOff = false;
        earlyResponses = messages == 0 && took < waitTime.toNanos() / 2 ? earlyResponses + 1 : 0;
        long pause = messages < asked ? source.options().pollers().minInterval().toNanos() : 0;
        if (earlyResponses > 0) {
            pause = Math.max(
                    pause,
                    earlyPause(waitTime).delay(earlyResponses, source.random()).toNanos());
        }
        pauses = pause > 0;
        resumesAt = now + pause;
        return earlyResponses;
    }

    private static Backoff earlyPause(Duration waitTime) {
        Duration longest = waitTime.compareTo(LONGEST_EARLY_PAUSE) < 0 ? waitTime : LONGEST_EARLY_PAUSE;
        return new Backoff(AFTER_EARLY_RESPONSE, 2, longest, false);
    }

    /** All that it brought has been handed over. */
    void handedOver() {
        failures = 0;
    }

    /** A receive, or what came after it, failed. Returns how long the poller pauses. */
    Duration failed(Throwable e, long now) {
        boolean response = e instanceof QueueCallException call && !SqsErrors.isSilence(call.code());
        if (!(e instanceof BatchSqsException known && known.retryable()) || (response && refused)) {
            attemptId = null;
        }
        refused = response && attemptId != null;
        failures++;
        Duration delay = AFTER_ERRORS.delay(failures, source.random());
        if (e instanceof QueueCallException call && call.retryAfter().compareTo(delay) > 0) {
            delay = call.retryAfter();
        }
        backsOff = true;
        pauses = true;
        resumesAt = now + delay.toNanos();
        return delay;
    }

    /** Returns how many receives in a row have failed, or what came after them. */
    int failures() {
        return failures;
    }

    /** Returns why the poller must not receive yet; {@code null} if it may. */
    @Nullable
    Closed closed(long now) {
        long left = pauseNanos(now);
        if (left <= 0) {
            return null;
        }
        return backsOff
                ? new Closed("backoff", "the last receive failed", left)
                : new Closed("pause", "pollers.min-interval, or a response that was empty too early", left);
    }

    /** How long to wait before the next receive; none if not positive. */
    long pauseNanos(long now) {
        return pauses ? resumesAt - now : 0;
    }
}
