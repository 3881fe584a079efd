/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.fetch;

import java.util.function.IntSupplier;
import java.util.function.LongSupplier;

/**
 * What messages wait for after their receive, at this moment. The numbers are asked for with the {@link Valve}'s lock
 * held, so they take none.
 *
 * @param concurrency how many invocations there may be at once
 * @param delayed how many messages wait here for a retry, with their permits
 * @param refusesUntil until when nothing is received, because the executor refuses batches
 * @param whenMemoryIsExhausted called by a poller, without a lock, each time that it finds the memory exhausted
 */
public record Downstream(
        IntSupplier concurrency, IntSupplier delayed, LongSupplier refusesUntil, Runnable whenMemoryIsExhausted) {}
