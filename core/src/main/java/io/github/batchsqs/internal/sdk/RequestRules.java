/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.sdk;

import io.github.batchsqs.internal.client.ReceiveCall;
import java.time.Duration;

/** The rules of requests that both clients follow. */
public final class RequestRules {

    private static final String[] IDS = {"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"};

    /** How long a delete, a visibility change or a send may last. */
    public static final Duration LIMIT = Duration.ofSeconds(10);

    private static final int BEYOND_WAIT_SECONDS = 4;

    private static final int SHORTEST_RECEIVE_SECONDS = 5;

    private RequestRules() {}

    /** Returns how long a receive may last: its wait, and the time for its response. One that waits for 1 s probes a silent SQS. */
    public static Duration limitOf(ReceiveCall call) {
        return Duration.ofSeconds(
                Math.max(SHORTEST_RECEIVE_SECONDS, wholeSeconds(call.waitTime()) + BEYOND_WAIT_SECONDS));
    }

    /** Returns the id of an entry: its place in the call. */
    public static String id(int place) {
        return IDS[place];
    }

    /** Returns the duration in whole seconds, rounded up. */
    public static int wholeSeconds(Duration duration) {
        return Math.toIntExact(duration.plusNanos(999_999_999).toSeconds());
    }
}
