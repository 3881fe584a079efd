/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive;

import java.time.Duration;

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
 */
public record ContainerStatus(
        ContainerState state,
        int inFlight,
        int permits,
        int inFlightLimit,
        int handoffSize,
        int pollers,
        int activeInvocations,
        Duration receiveFailingFor) {

    static final ContainerStatus STOPPED = new ContainerStatus(ContainerState.STOPPED, 0, 0, 0, 0, 0, 0, Duration.ZERO);

    ContainerStatus in(ContainerState newState) {
        return new ContainerStatus(
                newState, inFlight, permits, inFlightLimit, handoffSize, pollers, activeInvocations, receiveFailingFor);
    }
}
