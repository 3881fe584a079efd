/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.send;

import io.github.batchsqs.client.EntryResult;
import io.github.batchsqs.client.QueueCallException;
import io.github.batchsqs.client.SentMessage;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The place of a stored message behind another one of its message group. It is not sent while the one ahead of it is neither
 * accepted nor refused for good: that one will be sent again later, from the outbox, and must not be overtaken.
 *
 * <p>Written by one call after the other: a message group has one call in flight.
 */
final class StoredPlace {

    /** The code of a message behind another one that will be sent again later. */
    static final String BEHIND = "BehindUnsent";

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

    /** Makes the call with the messages that overtake none; the others fail. Returns the results in the order of the batch. */
    static List<EntryResult<SentMessage>> before(List<BufferedMessage> batch, PayloadUploads.Call call)
            throws InterruptedException {
        List<BufferedMessage> sent = withoutOvertaking(batch);
        List<EntryResult<SentMessage>> made = sent.isEmpty() ? List.of() : make(sent, call);
        if (sent.size() == batch.size()) {
            return made;
        }
        Iterator<EntryResult<SentMessage>> results = made.iterator();
        Iterator<BufferedMessage> next = sent.iterator();
        BufferedMessage carried = next.hasNext() ? next.next() : null;
        List<EntryResult<SentMessage>> all = new ArrayList<>(batch.size());
        for (BufferedMessage each : batch) {
            if (each == carried) {
                all.add(results.next());
                carried = next.hasNext() ? next.next() : null;
            } else {
                all.add(new EntryResult.Rejected<>(
                        BEHIND, "A message ahead of it in its group was not accepted, and is sent again later", false));
            }
        }
        return all;
    }

    private static List<BufferedMessage> withoutOvertaking(List<BufferedMessage> batch) {
        Set<StoredPlace> carried = Collections.newSetFromMap(new IdentityHashMap<>());
        List<BufferedMessage> sent = new ArrayList<>(batch.size());
        for (BufferedMessage each : batch) {
            StoredPlace place = each.place;
            if (place == null) {
                sent.add(each);
            } else if (place.isNext(carried)) {
                carried.add(place);
                sent.add(each);
            }
        }
        return sent;
    }

    private boolean isNext(Set<StoredPlace> carried) {
        StoredPlace other = ahead;
        while (other != null && other.state == State.REFUSED) {
            other = other.ahead;
        }
        return other == null || other.state == State.ACCEPTED || carried.contains(other);
    }

    private static List<EntryResult<SentMessage>> make(List<BufferedMessage> sent, PayloadUploads.Call call)
            throws InterruptedException {
        try {
            List<EntryResult<SentMessage>> results = call.make(sent);
            for (int i = 0; i < sent.size(); i++) {
                StoredPlace place = sent.get(i).place;
                if (place != null) {
                    place.record(results.get(i));
                }
            }
            return results;
        } catch (QueueCallException refused) {
            StoredPlace place = sent.getFirst().place;
            if (place != null && sent.size() == 1 && SendCallFailures.isFinal(refused.code(), refused.getMessage())) {
                place.state = State.REFUSED;
            }
            throw refused;
        }
    }

    private void record(EntryResult<SentMessage> result) {
        switch (result) {
            case EntryResult.Accepted<SentMessage> accepted -> state = State.ACCEPTED;
            case EntryResult.Rejected<SentMessage> rejected -> {
                if (SendCallFailures.isFinal(rejected.code(), rejected.message())) {
                    state = State.REFUSED;
                }
            }
        }
    }
}
