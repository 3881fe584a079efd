/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive;

import java.time.Duration;

/**
 * A container at one moment.
 *
 * @param state where it stands
 * @param inFlight messages received and not yet settled
 * @param inFlightLimit the most of them, with those that open receives may bring
 * @param handoffSize messages that wait for an invocation
 * @param pollers receives that run or are about to
 * @param activeInvocations invocations that run
 * @param receiveFailingFor for how long every receive has failed; zero if the last one succeeded
 */
public record ContainerStatus(
        ContainerState state,
        int inFlight,
        int inFlightLimit,
        int handoffSize,
        int pollers,
        int activeInvocations,
        Duration receiveFailingFor) {

    static final ContainerStatus STOPPED = new ContainerStatus(ContainerState.STOPPED, 0, 0, 0, 0, 0, Duration.ZERO);

    ContainerStatus in(ContainerState newState) {
        return new ContainerStatus(
                newState, inFlight, inFlightLimit, handoffSize, pollers, activeInvocations, receiveFailingFor);
    }
}
