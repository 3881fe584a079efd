/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.ladder;

import io.github.batchsqs.benchmarks.contestants.Callers;
import io.github.batchsqs.benchmarks.run.Sending;
import io.github.batchsqs.benchmarks.run.Target;
import java.util.List;
import java.util.stream.IntStream;

/** Ten messages of one group per call, each group in order, the groups in parallel. */
record SendGroups() implements Sending {

    private static final int PER_CALL = 10;

    @Override
    public Sender open(Target target) {
        PlainQueue queue = PlainQueue.of(target);
        return load -> Callers.run(load.groups(), load.groups(), group -> {
            List<Integer> indexes = IntStream.range(0, load.messages())
                    .filter(index -> index % load.groups() == group)
                    .boxed()
                    .toList();
            for (int from = 0; from < indexes.size(); from += PER_CALL) {
                queue.send(load, indexes.subList(from, Math.min(from + PER_CALL, indexes.size())));
            }
        });
    }
}
