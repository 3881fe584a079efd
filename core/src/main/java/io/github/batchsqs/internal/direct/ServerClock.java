/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.direct;

import java.time.Duration;
import java.time.Instant;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.core.retry.ClockSkew;
import software.amazon.awssdk.http.SdkHttpResponse;

/**
 * The time that requests are signed with: this machine's, corrected by an offset in whole seconds, as the SDK corrects it.
 *
 * <p>Safe for use by any number of threads.
 */
final class ServerClock {

    private static final Logger LOG = LoggerFactory.getLogger(ServerClock.class);

    private final Supplier<Instant> system;

    /** By how many seconds this machine's clock is ahead of the server's. */
    private volatile int offset;

    /**
     * Starts with an offset, and reports it if there is one: the SDK, which has learned it, does not.
     *
     * @param system the time of this machine
     */
    ServerClock(Supplier<Instant> system, int offset) {
        this.system = system;
        this.offset = offset;
        if (offset != 0) {
            warn(offset);
        }
    }

    /** Returns the offset to sign the next request with: read it once per request. */
    int offset() {
        return offset;
    }

    /** Returns the time to sign with at the given offset. */
    Instant at(int usedOffset) {
        return system.get().minusSeconds(usedOffset);
    }

    /**
     * Takes the offset from the date of a response that reports that the clock is off. It is always measured from this
     * machine's clock, never from a corrected one; without a date there is nothing to correct by.
     */
    void correct(SdkHttpResponse response) {
        Instant server = ClockSkew.getServerTime(response).orElse(null);
        Duration ahead = ClockSkew.getClockSkew(system.get(), server);
        int corrected = Math.clamp(ahead.toSeconds(), Integer.MIN_VALUE, Integer.MAX_VALUE);
        if (Math.abs((long) corrected - offset) > 1) {
            warn(corrected);
        }
        offset = corrected;
    }

    private static void warn(int ahead) {
        LOG.warn(
                "The clock of this machine is {} s {} that of SQS: requests are signed with the time of SQS from now on."
                        + " Check that the machine's time is synchronized",
                Math.abs((long) ahead),
                ahead < 0 ? "behind" : "ahead of");
    }
}
