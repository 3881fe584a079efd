/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.histories.laws;

import org.jspecify.annotations.Nullable;

/** One message of one receive: a lease. */
public final class Receive {

    /** The message. */
    public final Message message;

    /** Who received it. */
    public final Party by;

    /** The receipt handle. */
    public final String handle;

    /** When, in nanoseconds. */
    public final long at;

    /** Its run, if there was one. */
    public @Nullable Run run;

    /** Why there may be none, or why the lease may be lost; {@code null} as long as nothing went wrong with it. */
    public @Nullable String excuse;

    /** Whether only SQS can know when the lease ends: the response was late, or the message was delivered once more. */
    public boolean unknowable;

    /** Makes a receive. */
    public Receive(Message message, Party by, String handle, long at) {
        this.message = message;
        this.by = by;
        this.handle = handle;
        this.at = at;
    }

    /** Something goes wrong that this lease may suffer from. */
    public void excuse(String why) {
        excuse = excuse == null ? why : excuse;
    }

    /** Only SQS can know when the lease ends. */
    public void makeUnknowable() {
        unknowable = true;
        message.lane.disturbed = true;
    }

    @Override
    public String toString() {
        return message + " by " + by + " at " + Truth.seconds(at);
    }
}
