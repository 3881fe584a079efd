/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.listener;

import java.time.Duration;

/**
 * Why a listener that runs receives nothing: all of its pollers wait.
 *
 * @param reason the short name of the reason: {@code gate}, {@code permits}, {@code in-flight-bytes}, {@code rate-limit},
 *     {@code executor}, {@code backoff}, {@code pause} or {@code spacing}; more may follow
 * @param detail what it waits for; of a {@link ReceiveGate}, its name and its reason, and the name of another gate if that has failed
 * @param waitingFor how long the listener has received nothing because of it
 * @param endsIn the time until it looks again at the latest; zero if it waits for an event
 * @param failingFor how long a gate has failed, or has not answered; zero if all work
 */
public record ReceiveWait(String reason, String detail, Duration waitingFor, Duration endsIn, Duration failingFor) {

    /** The reason of a {@link ReceiveGate} that keeps the listener from receiving. */
    public static final String GATE = "gate";
}
