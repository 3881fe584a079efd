/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.sample.live;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * All that the page shows, at one moment.
 *
 * @param process changes when the application is started again
 * @param number how many readings there have been, this one included
 * @param past what happened in each listener, by its id, in the readings that the page does not have, the oldest first
 */
record Live(
        long process,
        long number,
        List<Map<String, Recent>> past,
        List<ListenerView> listeners,
        Shop shop,
        Controls controls) {

    /** This moment, with a number and the past. */
    Live after(long newNumber, List<Map<String, Recent>> newPast) {
        return new Live(process, newNumber, newPast, listeners, shop, controls);
    }

    /** What the shop has done since the start. */
    record Shop(long orders, long cents, long shipped, long pieces) {}

    /**
     * Where the buttons stand.
     *
     * @param orders how many are sent at once
     * @param visitors whether visitors place orders now and then
     * @param outage whether the server is cut off now
     * @param outageSeconds how long it would be
     * @param noOutage why the server cannot be cut off; {@code null} if it can
     */
    record Controls(
            int orders,
            boolean slow,
            boolean visitors,
            boolean outage,
            long outageSeconds,
            @Nullable String noOutage) {}
}
