/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.run;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The result of one pass of a row.
 *
 * @param row its name
 * @param warmUp how it was warmed up; {@code null} for a row whose speed does not depend on it
 * @param rounds what was measured, in order
 * @param peakRssMiB of the client's process over its life
 * @param load of the machine, one minute
 */
public record Measurement(String row, @Nullable WarmUp warmUp, List<Round> rounds, double peakRssMiB, double load) {}
