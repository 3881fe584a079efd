/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.run;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The result of one pass of a row.
 *
 * @param row its name
 * @param warmUp how it was warmed up; {@code null} for a row whose speed does not depend on it
 * @param rounds what was measured; one round, but up to three in results from before the passes were interleaved
 * @param peakRssMiB of the client's process over its life so far
 * @param load of the machine, one minute
 * @param idleCpu the share of one core that the client used between its last round and this one, without the JIT compiler's
 *     threads; {@code null} in results from before the passes were interleaved
 */
public record Measurement(
        String row,
        @Nullable WarmUp warmUp,
        List<Round> rounds,
        double peakRssMiB,
        double load,
        @Nullable Double idleCpu) {}
