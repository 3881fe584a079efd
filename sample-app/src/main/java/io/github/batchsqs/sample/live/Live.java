/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.sample.live;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** All that the page shows, at one moment. */
record Live(List<ListenerView> listeners, Shop shop, Controls controls) {

    /** What the shop has done since the start. */
    record Shop(long orders, long cents, long shipped, long pieces) {}

    /**
     * Where the buttons stand.
     *
     * @param orders how many are sent at once
     * @param outage whether the server is cut off now
     * @param outageSeconds how long it would be
     * @param noOutage why the server cannot be cut off; {@code null} if it can
     */
    record Controls(
            int orders,
            boolean slow,
            boolean outage,
            long outageSeconds,
            @Nullable String noOutage) {}
}
