/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.run;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The figures of one round.
 *
 * @param messages done in the time
 * @param seconds from the moment the work was there to the last delete, or to the last accepted send; by the server's clock
 * @param perSecond messages per second
 * @param cpuMicrosPerMessage of the client's process, without the JIT compiler's threads
 * @param allocatedBytesPerMessage by the client, on its heap
 * @param callsPerMessage of any kind
 * @param calls by kind
 * @param delayP50Millis from the message's birth to the handler; 0 where not measured
 * @param delayP99Millis the same
 * @param roundTripsToFullSpeed from the first receive until nine tenths of the most open receives were open
 * @param serverCpuMicrosPerMessage of the simulated SQS's thread
 * @param handler the latency of the handler; {@code null} where not measured
 */
public record Round(
        long messages,
        double seconds,
        double perSecond,
        double cpuMicrosPerMessage,
        double allocatedBytesPerMessage,
        double callsPerMessage,
        Map<String, Long> calls,
        double delayP50Millis,
        double delayP99Millis,
        double roundTripsToFullSpeed,
        double serverCpuMicrosPerMessage,
        @Nullable HandlerLatency handler) {}
