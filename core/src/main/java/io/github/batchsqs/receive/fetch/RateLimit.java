/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive.fetch;

/**
 * A token bucket over messages: holds what one second allows. Pure: no thread, no clock of its own.
 *
 * <p>A poller takes the tokens before it receives, and returns those that its response did not use, so that messages are
 * never received to wait for a token.
 */
final class RateLimit {

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

    /** Takes the tokens and returns 0, or takes none and returns the nanoseconds until they will be there. */
    long take(int wanted, long now) {
        tokens = Math.min(capacity, tokens + (now - filledAt) * perNano);
        filledAt = now;
        if (tokens >= wanted) {
            tokens -= wanted;
            return 0;
        }
        return (long) Math.ceil((wanted - tokens) / perNano);
    }

    /** Returns tokens that were not used. */
    void returnTokens(int unused) {
        tokens = Math.min(capacity, tokens + unused);
    }
}
