/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.fetch;

import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;

/**
 * The receives that are overdue.
 *
 * @param news how many were not overdue before
 * @param longest for how long SQS has not responded; zero if no receive is overdue
 */
record OverdueReceives(int news, Duration longest) {

    /** Marks the receives that are overdue. Called with the {@link Valve}'s lock. */
    static OverdueReceives mark(Collection<Poller> pollers, ReceiveOutage outage, long now) {
        Duration longest = longest(pollers, outage, now);
        int news = 0;
        for (Poller poller : pollers) {
            news += longest.isPositive() && overdueFor(poller, outage, now).isPositive() && poller.becomesOverdue()
                    ? 1
                    : 0;
        }
        return new OverdueReceives(news, longest);
    }

    /** Returns for how long SQS has not responded to an overdue receive; zero if none is. Called with the lock. */
    static Duration longest(Collection<Poller> pollers, ReceiveOutage outage, long now) {
        return pollers.stream()
                .map(poller -> overdueFor(poller, outage, now))
                .max(Comparator.naturalOrder())
                .orElse(Duration.ZERO);
    }

    private static Duration overdueFor(Poller poller, ReceiveOutage outage, long now) {
        OpenReceive receive = poller.open();
        return receive == null || poller.halted() ? Duration.ZERO : outage.overdueFor(receive, now);
    }
}
