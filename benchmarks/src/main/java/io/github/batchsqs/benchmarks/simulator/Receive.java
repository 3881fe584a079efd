/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.simulator;

import io.github.batchsqs.model.sqs.ReceiveRequest;
import io.github.batchsqs.model.sqs.Received;
import java.util.List;

/**
 * A receive that may have to wait.
 *
 * @param until when its wait ends
 */
record Receive(World world, SimulatedQueue queue, Wanted wanted, ReceiveRequest request, Reply reply, long until) {

    boolean open() {
        return reply.open();
    }

    /** Responds, with an empty list if there are no messages. */
    void respond(List<Received<Content>> messages, long now) {
        world.counters.received(messages.size(), queue.name(), queue.model().inFlight(now));
        JsonText out = new JsonText(reply.allocator().buffer());
        MessageText.write(out, messages, wanted);
        reply.ok(out.buffer());
    }
}
