/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.sample.live;

import io.github.batchsqs.listener.ContainerState;
import io.github.batchsqs.listener.ContainerStatus;
import io.github.batchsqs.listener.ListenerOptions;
import io.github.batchsqs.listener.ReceiveFailure;
import io.github.batchsqs.receive.ListenerContainer;
import io.github.batchsqs.sample.queues.QueueDepths.Depth;
import org.jspecify.annotations.Nullable;

/**
 * A listener, as the page shows it.
 *
 * @param failing SQS's error code while every receive fails; {@code null} if the last one succeeded
 * @param depth what its queue holds; {@code null} while it is not known
 * @param unsent messages for its queue that wait in the outbox; {@code null} if they do not come that way
 * @param now how much there is of what
 * @param limits the most of it that there can be
 * @param totals since the start
 * @param recent of the last two seconds
 */
record ListenerView(
        String id,
        String queue,
        ContainerState state,
        @Nullable String failing,
        @Nullable Depth depth,
        @Nullable Long unsent,
        Now now,
        Limits limits,
        Totals totals,
        Recent recent) {

    record Now(int pollers, int blockedPollers, int handoff, int invocations, int inFlight) {

        static Now of(ContainerStatus status) {
            return new Now(
                    status.pollers(),
                    status.blockedPollers(),
                    status.handoffSize(),
                    status.activeInvocations(),
                    status.inFlight());
        }
    }

    record Limits(int pollers, int invocations, int batch, int inFlight) {

        static Limits of(ListenerOptions options, ContainerStatus status) {
            return new Limits(
                    options.pollers().max(), status.concurrency(), options.batchSize(), status.inFlightLimit());
        }
    }

    static ListenerView of(
            ListenerContainer container, @Nullable Depth depth, @Nullable Long unsent, Totals totals, Recent recent) {
        ListenerOptions options = container.options();
        ContainerStatus status = container.status();
        ReceiveFailure failure = status.receiveFailure();
        return new ListenerView(
                options.id(),
                options.queue(),
                status.state(),
                failure == null ? null : failure.code(),
                depth,
                unsent,
                Now.of(status),
                Limits.of(options, status),
                totals,
                recent);
    }
}
