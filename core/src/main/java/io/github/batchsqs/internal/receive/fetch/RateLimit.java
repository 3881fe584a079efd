/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.fetch;

import org.jspecify.annotations.Nullable;

/**
 * A token bucket over messages: holds what one second allows. Pure: no thread, no clock of its own.
 *
 * <p>A poller takes the tokens before it receives, and returns those that its response did not use, so that messages are
 * never received to wait for a token.
 */
final class RateLimit implements Reason {

    /** A rate that limits nothing. */
    static final double NONE = 1e12;

    private static final double NANOS_PER_SECOND = 1e9;

    private final double perNano;
    private final double capacity;
    private double tokens;
    private long filledAt;

    /** Starts full. */
    RateLimit(double perSecond, long now) {
        this.perNano = perSecond / NANOS_PER_SECOND;
        this.capacity = Math.max(1, perSecond);
        this.tokens = capacity;
        this.filledAt = now;
    }

    /** Returns the maximum number of tokens that can be taken at once. */
    int max() {
        return (int) Math.min(Integer.MAX_VALUE, capacity);
    }

    @Override
    public @Nullable Closed closed(Poller poller, int asks, long now) {
        long wait = nanosUntil(asks, now);
        return wait <= 0 ? null : new Closed("rate-limit", "rate-limit allows no more messages yet", wait);
    }

    /** Returns the nanoseconds until so many tokens are there; 0 if they are. */
    long nanosUntil(int wanted, long now) {
        tokens = Math.min(capacity, tokens + (now - filledAt) * perNano);
        filledAt = now;
        return tokens >= wanted ? 0 : (long) Math.ceil((wanted - tokens) / perNano);
    }

    /** Takes tokens that are there. */
    void take(int wanted) {
        tokens -= wanted;
    }

    /** Returns tokens that were not used. */
    void returnTokens(int unused) {
        tokens = Math.min(capacity, tokens + unused);
    }
}
