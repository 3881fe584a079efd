/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.fetch;

import io.github.batchsqs.internal.receive.delivery.Delivery;
import java.util.List;
import java.util.function.Consumer;

/**
 * Where the {@link Fetcher} puts messages; called by its pollers.
 *
 * @param run to be handled
 * @param delete handled before; only their delete is missing
 * @param returnToQueue not to be handled now
 */
public record Handover(
        Consumer<List<Delivery>> run, Consumer<List<Delivery>> delete, Consumer<List<Delivery>> returnToQueue) {}
