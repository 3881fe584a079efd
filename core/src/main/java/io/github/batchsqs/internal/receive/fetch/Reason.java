/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.fetch;

import org.jspecify.annotations.Nullable;

/**
 * A reason not to receive: decides when a poller may, and why not. Pure: no thread, no clock of its own; belongs to the
 * {@link Valve}'s lock. All reasons are in the list of {@link PollingDecisions}; the status, the health and the
 * endpoint show the one for which all pollers wait.
 */
@FunctionalInterface
interface Reason {

    /**
     * Returns why and for how long the poller must not receive; {@code null} if it may.
     *
     * @param asks how many messages it wants to ask for
     */
    @Nullable
    Closed closed(Poller poller, int asks, long now);
}
