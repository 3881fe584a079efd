/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.histories.laws;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One message, and all that truly became of it. */
public final class Message {

    /** Its body, which names it. */
    public final String body;

    /** Its group, or {@code null} on a standard queue. */
    public final @Nullable String group;

    /** The message before it in its group. */
    public final @Nullable Message before;

    /** What it shares with the messages of its group. */
    public final Lane lane;

    /** All receives of it, in their order. */
    public final List<Receive> receives = new ArrayList<>();

    /** All runs of handlers with it. */
    public final List<Run> runs = new ArrayList<>();

    /** Who sent copies of it to the dead-letter queue. */
    public final List<Party> copiers = new ArrayList<>();

    /** Whether it had its effect. */
    public boolean succeeded;

    /** Whether it is not in its queue any more. */
    public boolean gone;

    /** Whether SQS moved it to the dead-letter queue. */
    public boolean moved;

    /** Whether a handler asked for it to be dead-lettered, or it can never be read. */
    public boolean condemned;

    /** Makes a message that is sent. */
    public Message(String body, @Nullable String group, @Nullable Message before) {
        this.body = body;
        this.group = group;
        this.before = before;
        this.lane = before == null ? new Lane() : before.lane;
    }

    /** The messages that wait for one another. */
    public static final class Lane {

        /** Whether a call for one of them went wrong, or its handler never acknowledges it: the others may return without a run. */
        public boolean disturbed;
    }

    /** {@return whether a copy of it is in the dead-letter queue} */
    public boolean copied() {
        return !copiers.isEmpty();
    }

    /** {@return the receive whose lease counts} */
    public @Nullable Receive lastReceive() {
        return receives.isEmpty() ? null : receives.getLast();
    }

    @Override
    public String toString() {
        return body;
    }
}
