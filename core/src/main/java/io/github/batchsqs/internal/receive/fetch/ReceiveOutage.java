/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.fetch;

import io.github.batchsqs.listener.ReceiveFailure;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Knows whether receives fail, and how long one may wait for messages then. Pure: no thread, no clock of its own; belongs to the {@link
 * Valve}'s lock.
 */
final class ReceiveOutage {

    /** While receives fail, a long poll is this short, so that an empty queue is soon known to respond again. */
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(1);

    /** So many responses with messages, each this soon after the previous one, are a steady flow. */
    private static final int STEADY_RESPONSES = 10;

    private static final long STEADY_NANOS = Duration.ofSeconds(1).toNanos();

    private @Nullable ReceiveFailure failure;
    private long failingSince;
    private long messagesAt;
    private int steadyResponses;

    /** A receive failed that was called then. Times of failures count only while the gates are open. */
    void failed(ReceiveFailure how, long openAt) {
        failingSince = failure == null ? openAt : failingSince;
        failure = how;
    }

    /** A receive succeeded. */
    void succeeded() {
        failure = null;
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

    /** Returns how long a receive may wait for messages: not long while receives fail, or if it probes. */
    Duration waitTime(Duration usual, boolean probes) {
        return (failure != null || probes) && usual.compareTo(LONGEST_WAIT) > 0 ? LONGEST_WAIT : usual;
    }

    /** For how long every receive has failed; zero if the last one succeeded. */
    Duration failingFor(long openNow) {
        return failure == null ? Duration.ZERO : Duration.ofNanos(openNow - failingSince);
    }

    /** How the last receive failed; {@code null} if it succeeded. */
    @Nullable
    ReceiveFailure failure() {
        return failure;
    }
}
