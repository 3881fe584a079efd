/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive;

import io.github.batchsqs.internal.receive.delivery.InFlightLedger;
import io.github.batchsqs.internal.receive.delivery.InFlightLimit;
import io.github.batchsqs.internal.receive.fetch.Valve;
import io.github.batchsqs.internal.receive.handoff.Dispatcher;
import io.github.batchsqs.internal.receive.settle.Settler;

/** The parts of a {@link Pipeline} that a stop passes through. */
record Stages(Valve valve, InFlightLimit limit, InFlightLedger ledger, Dispatcher dispatcher, Settler settler) {}
