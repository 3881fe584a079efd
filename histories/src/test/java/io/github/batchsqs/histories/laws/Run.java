/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.histories.laws;

/** One handler's work with one message. */
public final class Run {

    /** The lease under which it runs. */
    public final Receive receive;

    /** What the messages of one call of the handler share. */
    public final Object call;

    /** When it began, in nanoseconds. */
    public final long begunAt;

    /** Whether the handler has returned. */
    public boolean over;

    /** Whether the handler, or whoever it told, has settled the message: its lease is over then. */
    public boolean settled;

    /** Makes a run that begins. */
    public Run(Receive receive, Object call, long begunAt) {
        this.receive = receive;
        this.call = call;
        this.begunAt = begunAt;
    }

    @Override
    public String toString() {
        return receive.message + " by " + receive.by + " from " + Truth.seconds(begunAt);
    }
}
