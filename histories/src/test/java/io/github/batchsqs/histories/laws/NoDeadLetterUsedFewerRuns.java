/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.histories.laws;

/** What is in the dead-letter queue ran as often as the redrive policy wants, unless something else went wrong. */
public final class NoDeadLetterUsedFewerRuns extends Law {

    private final int maxReceives;

    /**
     * Makes it.
     *
     * @param maxReceives that of the redrive policy
     */
    public NoDeadLetterUsedFewerRuns(int maxReceives) {
        super(
                "What is in the dead-letter queue ran as often as the redrive policy wants, unless something else went wrong.");
        this.maxReceives = maxReceives;
    }

    @Override
    public void copied(Message message) {
        long without = message.receives.stream()
                .filter(receive -> receive.run == null && (receive.excuse != null || receive.by.killed()))
                .count();
        if (!message.condemned && !message.lane.disturbed && message.runs.size() + without < maxReceives) {
            throw broken(message + " was sent there; its runs: " + message.runs);
        }
    }

    @Override
    public void moved(Message message) {
        if (message.lane.disturbed) {
            return;
        }
        for (Receive receive : message.receives) {
            if (receive.run == null && receive.excuse == null && !receive.by.killed()) {
                throw broken(message + " was moved although this receive led to no run: " + receive);
            }
        }
    }
}
