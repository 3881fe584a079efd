/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.ladder;

import io.github.batchsqs.benchmarks.run.Sending;
import io.github.batchsqs.benchmarks.run.Target;

/** One call per message, each by a new client and so on a new connection. */
record SendOnNewConnections() implements Sending {

    @Override
    public Sender open(Target target) {
        return load -> {
            for (int i = 0; i < load.messages(); i++) {
                PlainQueue queue = PlainQueue.of(target);
                queue.send(load, i);
                queue.sqs().close();
            }
        };
    }
}
