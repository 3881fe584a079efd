/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.histories.laws;

/** A message of a group runs and has its effect only after those before it. */
public final class GroupsKeepTheirOrder extends Law {

    /** Makes it. */
    public GroupsKeepTheirOrder() {
        super("A message of a group runs and has its effect only after those before it.");
    }

    @Override
    public void begun(Run run) {
        Message before = run.receive.message.before;
        if (before != null && isOpen(before) && !isPartOf(run.call, before)) {
            throw broken(run + " began although " + before + " has had no effect yet");
        }
    }

    @Override
    public void succeeded(Run run) {
        Message before = run.receive.message.before;
        if (before != null && isOpen(before)) {
            throw broken(run.receive.message + " had its effect before " + before);
        }
    }

    private static boolean isOpen(Message message) {
        return !message.succeeded && !message.gone && !message.copied() && !message.condemned;
    }

    private static boolean isPartOf(Object call, Message message) {
        return message.runs.stream().anyMatch(run -> run.call.equals(call));
    }
}
