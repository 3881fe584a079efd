/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive;

import io.github.batchsqs.MessageBatch;
import io.github.batchsqs.SqsMessage;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** How often each message was run, by payload. Safe for use by any thread. */
final class Runs {

    private final Map<String, Integer> byPayload = new TreeMap<>();
    private int total;

    /** Counts one run; returns which run of this payload it is, from 1. */
    synchronized int add(SqsMessage<String> message) {
        total++;
        return byPayload.merge(message.payload(), 1, Integer::sum);
    }

    void addAll(MessageBatch<String> batch) {
        batch.forEach(this::add);
    }

    synchronized int of(String payload) {
        return byPayload.getOrDefault(payload, 0);
    }

    /** How many runs there were. */
    synchronized int total() {
        return total;
    }

    /** How many messages were run. */
    synchronized int messages() {
        return byPayload.size();
    }

    /** The messages that were run more than once. */
    synchronized List<String> repeated() {
        List<String> repeated = new ArrayList<>();
        byPayload.forEach((payload, runs) -> repeated.addAll(Collections.nCopies(runs - 1, payload)));
        return repeated;
    }
}
