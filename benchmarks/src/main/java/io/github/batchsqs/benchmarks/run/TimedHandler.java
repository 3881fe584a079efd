/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.run;

import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Records how long each invocation of a handler takes.
 *
 * @param handler what is measured
 * @param latencies where they go
 */
record TimedHandler(MessageHandler handler, Durations latencies) implements MessageHandler {

    @Override
    public void handle(List<String> bodies) throws InterruptedException {
        long start = System.nanoTime();
        handler.handle(bodies);
        latencies.add(TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - start));
    }
}
