/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.listener;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A snapshot of a container.
 *
 * @param state its state
 * @param inFlight messages received and not yet settled
 * @param inFlightBytes the size of these messages: the characters of their bodies, and their attributes
 * @param permits {@code inFlight} plus the messages that open receives may return
 * @param inFlightLimit the maximum of {@code permits}; while a limit that has fallen is below them, {@code permits}
 * @param handoffSize messages that wait for an invocation
 * @param pollers receives that run or are about to start
 * @param blockedPollers those of the {@code pollers} that wait before their next receive
 * @param activeInvocations running invocations
 * @param concurrency how many invocations may run at once; an automatic one changes
 * @param receiveFailingFor how long every receive has failed; zero if the last one succeeded, or if the container does not
 *     receive ({@code PAUSED}, for example); without the time during which a gate has kept it from receiving
 * @param receiveFailure how the last receive failed; {@code null} if it succeeded, or if the container does not receive
 * @param longestInvocation how long the oldest running invocation has run; zero if none runs
 * @param invocationOverdueFor how long an invocation has run, or waited for its executor, after the last possible
 *     extension of its messages ({@code visibility.max-extension}, or the visibility timeout where that is longer or
 *     messages are not extended); zero if none has
 * @param deletesFailingFor how long SQS has accepted no delete although deletes were tried, up to the last one that failed;
 *     zero if it accepted the last one, or if that was tried longer ago than a visibility timeout and a minute
 * @param receiveWait why the container receives nothing; {@code null} if it does, or if it is not {@code RUNNING}
 * @param problem a text that explains why the container does not work although it runs, or was to start again; {@code null} if there
 *     is none
 */
public record ContainerStatus(
        ContainerState state,
        int inFlight,
        long inFlightBytes,
        int permits,
        int inFlightLimit,
        int handoffSize,
        int pollers,
        int blockedPollers,
        int activeInvocations,
        int concurrency,
        Duration receiveFailingFor,
        @Nullable ReceiveFailure receiveFailure,
        Duration longestInvocation,
        Duration invocationOverdueFor,
        Duration deletesFailingFor,
        @Nullable ReceiveWait receiveWait,
        @Nullable String problem) {

    /**
     * {@return the status of a container that has neither threads nor messages}
     *
     * @param state its state
     * @param problem the text that explains why it does not work, or {@code null}
     */
    public static ContainerStatus idle(ContainerState state, @Nullable String problem) {
        return new ContainerStatus(
                state,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                Duration.ZERO,
                null,
                Duration.ZERO,
                Duration.ZERO,
                Duration.ZERO,
                null,
                problem);
    }
}
