/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.ladder;

import io.github.batchsqs.benchmarks.contestants.Callers;
import io.github.batchsqs.benchmarks.run.Sending;
import io.github.batchsqs.benchmarks.run.Target;

/**
 * One call per message.
 *
 * @param threads that share the work
 */
record SendOneByOne(int threads) implements Sending {

    @Override
    public Sender open(Target target) {
        PlainQueue queue = PlainQueue.of(target);
        return load -> Callers.run(threads, load.messages(), index -> queue.send(load, index));
    }
}
