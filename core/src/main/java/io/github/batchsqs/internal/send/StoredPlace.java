/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.send;

import io.github.batchsqs.internal.client.EntryResult;
import io.github.batchsqs.internal.client.SentMessage;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The place of a stored message behind another one of its message group. It is not sent while the one ahead of it is neither
 * accepted nor refused for good: that one will be sent again later, from the outbox, and must not be overtaken.
 *
 * <p>Written by one call after the other: a message group has one call in flight.
 */
final class StoredPlace {

    private final @Nullable StoredPlace ahead;
    private State state = State.UNSENT;

    private enum State {
        UNSENT,
        REFUSED,
        ACCEPTED
    }

    StoredPlace(@Nullable StoredPlace ahead) {
        this.ahead = ahead;
    }

    /** Returns whether its message may be sent by a call that carries those of these places. */
    boolean isNext(Set<StoredPlace> carried) {
        StoredPlace other = ahead;
        while (other != null && other.state == State.REFUSED) {
            other = other.ahead;
        }
        return other == null || other.state == State.ACCEPTED || carried.contains(other);
    }

    /** A call carried the message. */
    void sent(EntryResult<SentMessage> result) {
        switch (result) {
            case EntryResult.Accepted<SentMessage> accepted -> state = State.ACCEPTED;
            case EntryResult.Rejected<SentMessage> no -> refused(no.code(), no.message());
        }
    }

    /** A call refused the message, and no other one. */
    void refused(String code, @Nullable String message) {
        if (SendCallFailures.isFinal(code, message)) {
            state = State.REFUSED;
        }
    }
}
