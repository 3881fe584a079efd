/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.fetch;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Decides how far apart receives begin while messages arrive steadily. Pure: no thread, no clock of its own; belongs to the
 * {@link Valve}'s lock.
 *
 * <p>A receive returns as soon as there is one message, so at a steady rate each of them would bring few, and many pollers that wait
 * for the same messages one each. Therefore a receive begins only when about eight messages have arrived since the previous one
 * began, at most {@link #LONGEST} after it; a poller that is early rests until then. One poller at a time has to rest: a
 * second one is one too many.
 *
 * <p>Nobody rests unless there is something to gain and nothing to lose:
 *
 * <ul>
 *   <li>the messages of the last {@link #WINDOW} came so fast that at least two arrive in {@link #LONGEST}. A lone message,
 *       and the next one after it, are received by a receive that is already open;
 *   <li>the last short response brought fresh messages. Standard queues return short responses despite a backlog, whose messages are old;
 *   <li>fewer than three responses in a row were full. Each of them halves the rest;
 *   <li>no message has been late for a while: a queue whose responses are short falls behind if its receives are spaced. The
 *       first late message ends all rests for a second, and for twice as long if the next one follows soon after, so that the queue is drained.
 * </ul>
 */
final class ReceiveSpacing implements Reason {

    /** The longest time from the beginning of a receive to that of the next, and so the longest delay of a message by a rest. */
    static final long LONGEST = Duration.ofMillis(20).toNanos();

    /** Two fewer than a receive brings, so that most responses are not full. */
    static final int MESSAGES = 8;

    /** Fewer in {@link #LONGEST} are not worth a delay. */
    private static final int WORTHWHILE = 2;

    /** How long the rate is measured. */
    static final long WINDOW = Duration.ofMillis(100).toNanos();

    /** So many full responses in a row are a backlog. */
    private static final int FULL_RESPONSES = 3;

    /** Messages that are older than the freshest by this, and by a round trip, have waited in a backlog. */
    private static final long TOLERANCE = Duration.ofMillis(50).toNanos();

    /** Older messages are a backlog whatever the others were, and the age shows a wrong clock if it is below the negative of this. */
    private static final long OLD = Duration.ofSeconds(1).toNanos();

    /** The least age rises by a fiftieth of the time, because clocks are adjusted. */
    private static final long FORGETS = 50;

    /** The age of messages that is unknown. */
    static final long UNKNOWN_AGE = Long.MAX_VALUE;

    /** How long nobody rests after a late message. */
    static final long SHORTEST_RECOVERY = Duration.ofSeconds(1).toNanos();

    private static final long LONGEST_RECOVERY = Duration.ofSeconds(64).toNanos();

    private boolean enabled;
    private long begunAt;
    private long spacing;
    private boolean fresh;
    private int fullResponses;
    private long windowStart;
    private long inWindow;
    private long leastAge = UNKNOWN_AGE;
    private long leastAgeAt;
    private long recovery = SHORTEST_RECOVERY;
    private long recoversUntil;
    private @Nullable Object resting;

    /** @param enabled whether pollers rest at all */
    ReceiveSpacing(boolean enabled, long now) {
        this.enabled = enabled;
        this.begunAt = now - LONGEST;
        this.windowStart = now;
        this.recoversUntil = now;
    }

    void setEnabled(boolean enabled) {
        this.enabled = enabled;
    }

    @Override
    public @Nullable Closed closed(Poller poller, int asks, long now) {
        long rest = rest(poller, now);
        return rest <= 0 ? null : new Closed("spacing", "messages gather for the next receive", rest);
    }

    /** Returns the nanoseconds for which the poller rests before it may begin a receive; not positive if it need not rest. */
    long rest(Object poller, long now) {
        boolean mayRest = applies(now) && fullResponses < FULL_RESPONSES;
        long rest = mayRest ? begunAt + (spacing >> fullResponses) - now : 0;
        if (rest > 0 && resting == null) {
            resting = poller;
        }
        return rest;
    }

    /** The poller begins a receive. */
    void begin(Object poller, long now) {
        begunAt = now;
        retired(poller);
    }

    /** Returns whether this poller would rest while another one does, so that there is one too many. */
    boolean isSurplus(Object poller) {
        return resting != null && !resting.equals(poller);
    }

    /** A poller has ended, or rests no more. */
    void retired(Object poller) {
        if (poller.equals(resting)) {
            resting = null;
        }
    }

    /**
     * A response came.
     *
     * @param messages how many it brought
     * @param asked how many it was asked for
     * @param age how long ago SQS accepted the last of them, in nanoseconds, or {@link #UNKNOWN_AGE}
     * @param roundTrip by which ages vary, in nanoseconds; 0 while unknown
     */
    void succeeded(int messages, int asked, long age, long roundTrip, long now) {
        measure(messages, now);
        if (messages >= asked) {
            fullResponses = Math.min(FULL_RESPONSES, fullResponses + 1);
        } else if (messages > 0) {
            fullResponses = 0;
            fresh = isFresh(age, Math.max(TOLERANCE, roundTrip), now);
        }
    }

    /** Returns whether a full response may be chance, rather than a backlog that needs one poller more. */
    boolean mayBeChance(long now) {
        return applies(now) && fullResponses < 2;
    }

    /** Returns whether short responses bring messages that have waited: a backlog perhaps. */
    boolean isBehind() {
        return !fresh && fullResponses == 0;
    }

    private boolean applies(long now) {
        return enabled && fresh && spacing > 0 && now - recoversUntil >= 0;
    }

    private void measure(int messages, long now) {
        inWindow += messages;
        long window = now - windowStart;
        if (window >= WINDOW) {
            boolean worthwhile = inWindow * LONGEST >= WORTHWHILE * window;
            spacing = worthwhile ? Math.min(LONGEST, MESSAGES * window / inWindow) : 0;
            windowStart = now;
            inWindow = 0;
        }
    }

    private boolean isFresh(long age, long tolerance, long now) {
        if (age > OLD || age < -OLD) {
            return false; // a retry, a delay or a wrong clock
        }
        long least = leastAge == UNKNOWN_AGE ? age : Math.min(age, leastAge + (now - leastAgeAt) / FORGETS);
        leastAge = least;
        leastAgeAt = now;
        boolean isFresh = age - least <= tolerance;
        if (!isFresh && now - recoversUntil >= 0) {
            boolean soon = now - recoversUntil <= 2 * recovery;
            recovery = soon ? Math.min(LONGEST_RECOVERY, 2 * recovery) : SHORTEST_RECOVERY;
            recoversUntil = now + recovery;
        }
        return isFresh;
    }
}
