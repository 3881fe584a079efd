/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.histories.laws;

/** Each message has its effect and leaves the queue, or is in the dead-letter queue. */
public final class NothingIsLost extends Law {

    /** Makes it. */
    public NothingIsLost() {
        super("Each message has its effect and leaves the queue, or is in the dead-letter queue.");
    }

    @Override
    public void end(Truth truth) {
        for (Message message : truth.messages()) {
            boolean handled = message.succeeded && message.gone;
            boolean dead = message.moved || (message.copied() && message.gone);
            if (!handled && !dead) {
                throw broken(message + " " + (message.gone ? "is gone" : "is still in the queue")
                        + (message.succeeded ? "" : " and had no effect") + "; its receives: " + message.receives
                        + ", its runs: " + message.runs);
            }
        }
    }
}
