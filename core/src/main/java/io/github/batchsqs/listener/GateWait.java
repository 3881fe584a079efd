/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.listener;

import java.time.Duration;

/**
 * A {@link ReceiveGate} keeps a listener from receiving.
 *
 * @param gate the name of the gate: of its bean, or {@code downstream.max-depth}
 * @param reason why the listener waits; names another gate too if that has failed
 * @param waitingFor how long gates have kept the listener from receiving
 * @param asksAgainIn the time until the listener asks its gates again; zero while it asks them
 * @param failingFor how long this gate or another has failed, or has not answered; zero if all work
 */
public record GateWait(String gate, String reason, Duration waitingFor, Duration asksAgainIn, Duration failingFor) {}
