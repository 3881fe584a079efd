/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive;

import io.github.batchsqs.receive.fetch.ReceiveFailure;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A container at one moment.
 *
 * @param state where it stands
 * @param inFlight messages received and not yet settled
 * @param permits these, and those that open receives may bring
 * @param inFlightLimit the most permits
 * @param handoffSize messages that wait for an invocation
 * @param pollers receives that run or are about to
 * @param activeInvocations invocations that run
 * @param receiveFailingFor for how long every receive has failed; zero if the last one succeeded
 * @param receiveFailure how the last receive failed; {@code null} if it succeeded
 * @param longestInvocation for how long the invocation runs that started first; zero if none runs
 * @param invocationOverdueFor for how long an invocation has run after the leases of its messages could be kept no longer
 *     ({@code visibility.max-extension}, or the visibility timeout where that is longer or leases are not extended); zero
 *     if none has
 */
public record ContainerStatus(
        ContainerState state,
        int inFlight,
        int permits,
        int inFlightLimit,
        int handoffSize,
        int pollers,
        int activeInvocations,
        Duration receiveFailingFor,
        @Nullable ReceiveFailure receiveFailure,
        Duration longestInvocation,
        Duration invocationOverdueFor) {

    static final ContainerStatus STOPPED = new ContainerStatus(
            ContainerState.STOPPED, 0, 0, 0, 0, 0, 0, Duration.ZERO, null, Duration.ZERO, Duration.ZERO);

    ContainerStatus in(ContainerState newState) {
        return new ContainerStatus(
                newState,
                inFlight,
                permits,
                inFlightLimit,
                handoffSize,
                pollers,
                activeInvocations,
                receiveFailingFor,
                receiveFailure,
                longestInvocation,
                invocationOverdueFor);
    }
}
