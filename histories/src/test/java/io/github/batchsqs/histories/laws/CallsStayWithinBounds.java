/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.histories.laws;

/** When nothing goes wrong, a message costs one delete entry, one receive, and no change of its visibility without need. */
public final class CallsStayWithinBounds extends Law {

    /** Makes it. */
    public CallsStayWithinBounds() {
        super(
                "When nothing goes wrong, a message costs one delete entry, one receive, and no change of its visibility without need.");
    }

    @Override
    public void end(Truth truth) {
        if (truth.calm()) {
            for (Message message : truth.messages()) {
                if (message.receives.size() > message.runs.size()) {
                    throw broken(message + " was received " + message.receives.size() + " times for "
                            + message.runs.size() + " runs: " + message.receives);
                }
            }
            if (truth.calls("delete entry") > truth.messages().size()) {
                throw broken(truth.calls("delete entry") + " entries of deletes for "
                        + truth.messages().size() + " messages");
            }
        }
    }
}
