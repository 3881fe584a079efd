/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.ladder;

import io.github.batchsqs.benchmarks.contestants.Callers;
import io.github.batchsqs.benchmarks.run.Sending;
import io.github.batchsqs.benchmarks.run.Target;
import java.util.stream.IntStream;

/**
 * Ten messages per call, in the order in which they come.
 *
 * @param workers that share the work
 */
record SendBatches(int workers) implements Sending {

    private static final int PER_CALL = 10;

    @Override
    public Sender open(Target target) {
        PlainQueue queue = PlainQueue.of(target);
        return load -> Callers.run(workers, (load.messages() + PER_CALL - 1) / PER_CALL, batch -> {
            int from = batch * PER_CALL;
            queue.send(
                    load,
                    IntStream.range(from, Math.min(from + PER_CALL, load.messages()))
                            .boxed()
                            .toList());
        });
    }
}
