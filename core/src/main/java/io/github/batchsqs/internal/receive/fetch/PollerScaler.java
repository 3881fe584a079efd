/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.fetch;

/**
 * Decides how many pollers there should be. Pure: no thread, no clock of its own; belongs to the {@link Valve}'s lock.
 *
 * <p>A full response shows that there is a backlog: one poller more, so that the number doubles with every round trip. An
 * empty response shows that there is none: one fewer. A short response shows nothing, because standard queues respond short
 * although there is a backlog; unless it came only after a wait, for then the queue had been empty when the poll began,
 * and a trickle that many pollers share would cost a call per message. Pollers with a minimum interval prefer fewer calls to a faster ramp:
 * there every short response counts as empty, else each of many pollers would bring one message after each pause. Where receives are
 * spaced, {@link ReceiveSpacing} shows which pollers are too many.
 */
final class PollerScaler {

    private final boolean spaced;
    private final RoundTrip roundTrip = new RoundTrip();
    private int min;
    private int max;
    private int pollers;
    private int retired;

    /** @param spaced whether pollers pause after short responses so that messages gather */
    PollerScaler(int min, int max, boolean spaced) {
        this.min = min;
        this.max = max;
        this.spaced = spaced;
        this.pollers = min;
    }

    /** How many pollers there should be. */
    int pollers() {
        return pollers;
    }

    /** Returns how long a receive takes that does not wait for messages, in nanoseconds; 0 while unknown. */
    long roundTrip() {
        return roundTrip.nanos();
    }

    /** Changes the bounds; returns how many pollers there should be now. */
    int setBounds(int newMin, int newMax) {
        min = newMin;
        max = newMax;
        pollers = Math.clamp(pollers, min, max);
        return pollers;
    }

    /** There is one poller more than the rate needs. */
    void retireOne() {
        if (pollers > min) {
            pollers--;
            retired = Math.min(retired + 1, max);
        }
    }

    /** The rate needs one of those that were {@linkplain #retireOne() retired} since the queue was last empty. */
    void bringBackOne() {
        if (retired > 0 && pollers < max) {
            pollers++;
            retired--;
        }
    }

    /**
     * A response came.
     *
     * @param messages how many it brought
     * @param asked how many it was asked for
     * @param tookNanos how long it took
     * @param age how long ago SQS accepted the last of them, in nanoseconds, or {@link ReceiveSpacing#UNKNOWN_AGE}
     * @param room whether a further poller would find permits
     * @return how many pollers there should be now
     */
    int succeeded(int messages, int asked, long tookNanos, long age, boolean room) {
        if (messages >= asked) {
            roundTrip.fullResponse(tookNanos, age);
            if (room && pollers < max) {
                pollers++;
                retired = Math.max(0, retired - 1);
            }
        } else if (messages == 0 || spaced || roundTrip.waited(tookNanos)) {
            pollers = Math.max(min, pollers - 1);
            retired = 0;
        }
        return pollers;
    }

    /** Receives of a poller fail again and again. */
    void failed() {
        pollers = Math.max(min, pollers - 1);
    }
}
