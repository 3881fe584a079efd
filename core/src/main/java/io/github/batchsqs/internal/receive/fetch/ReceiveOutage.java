/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.fetch;

import io.github.batchsqs.listener.ReceiveFailure;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Decides which pollers may receive while receives fail. Pure: no thread, no clock of its own; belongs to the {@link
 * Valve}'s lock.
 *
 * <p>A single failure among successes concerns its poller alone, which backs off. An outage begins when a receive fails that
 * was called after another had failed, and none has succeeded between: from then on one poller probes and all others
 * wait. The first success ends the outage, and all go on at once.
 *
 * <p>A throttled receive is no outage, since the endpoint responds: it ends one, and each throttled poller backs off for
 * itself, because several that wait for one probe would then come back together.
 */
final class ReceiveOutage implements Reason {

    /** While receives fail, a long poll is this short, so that an empty queue is soon known to respond again. */
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(1);

    /** So many responses with messages, each this soon after the previous one, are a steady flow. */
    private static final int STEADY_RESPONSES = 10;

    private static final long STEADY_NANOS = Duration.ofSeconds(1).toNanos();

    private static final Closed ANOTHER_PROBES =
            new Closed("outage", "receives fail, and another poller probes", Closed.UNTIL_CHANGED);

    private @Nullable ReceiveFailure failure;
    private long failingSince;
    private long firstFailedAt;
    private boolean outage;
    private @Nullable Object prober;
    private long messagesAt;
    private int steadyResponses;

    /**
     * A receive failed.
     *
     * @return whether the pollers that wait for the probe may go on, with their own backoff
     */
    boolean failed(Object poller, ReceiveFailure how, long calledAt, long now) {
        if (failure == null) {
            failingSince = calledAt;
            firstFailedAt = now;
        } else if (!how.throttled() && !outage && calledAt - firstFailedAt >= 0) {
            outage = true;
            prober = poller;
        }
        failure = how;
        return how.throttled() && end();
    }

    /** A receive succeeded. Returns whether an outage is over and all pollers may go on at once. */
    boolean succeeded() {
        failure = null;
        return end();
    }

    /** A response brought so many messages. */
    void received(int messages, long now) {
        steadyResponses = messages > 0 && now - messagesAt <= STEADY_NANOS ? steadyResponses + 1 : 0;
        messagesAt = now;
    }

    /** Returns whether messages have arrived steadily, up to the last response: silence is suspicious then. */
    boolean steady() {
        return steadyResponses >= STEADY_RESPONSES;
    }

    private boolean end() {
        boolean was = outage;
        outage = false;
        prober = null;
        return was;
    }

    @Override
    public @Nullable Closed closed(Poller poller, int asks, long now) {
        return mayReceive(poller) ? null : ANOTHER_PROBES;
    }

    /** Whether the poller may receive, after its own backoff; in an outage the first who asks probes. */
    boolean mayReceive(Object poller) {
        if (outage && prober == null) {
            prober = poller;
        }
        return !outage || poller.equals(prober);
    }

    /** The poller receives no more. Returns whether another has to probe in its place. */
    boolean retired(Object poller) {
        if (!poller.equals(prober)) {
            return false;
        }
        prober = null;
        return true;
    }

    /** Returns how long a receive may wait for messages: not long while receives fail, or if it probes. */
    Duration waitTime(Duration usual, boolean probes) {
        return (failure != null || probes) && usual.compareTo(LONGEST_WAIT) > 0 ? LONGEST_WAIT : usual;
    }

    /** For how long every receive has failed; zero if the last one succeeded. */
    Duration failingFor(long now) {
        return failure == null ? Duration.ZERO : Duration.ofNanos(now - failingSince);
    }

    /** How the last receive failed; {@code null} if it succeeded. */
    @Nullable
    ReceiveFailure failure() {
        return failure;
    }
}
