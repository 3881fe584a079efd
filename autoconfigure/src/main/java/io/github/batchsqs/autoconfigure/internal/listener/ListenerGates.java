/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.listener;

import io.github.batchsqs.listener.ReceiveGate;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/**
 * The gates of the application, by the names of their beans. They are created when the first listener needs them, so that
 * one which cannot be created then ends the start instead of being left out.
 */
final class ListenerGates {

    private final Supplier<Map<String, ReceiveGate>> beans;

    /** @param beans the gates by the names of their beans; the same ones each time */
    ListenerGates(Supplier<Map<String, ReceiveGate>> beans) {
        this.beans = beans;
    }

    /** Returns the gates of a container with these ids: a gate without listeners is asked by all. */
    Map<String, ReceiveGate> of(Collection<String> ids) {
        var found = new LinkedHashMap<>(beans.get());
        found.values().removeIf(gate -> !gate.listeners().isEmpty() && Collections.disjoint(gate.listeners(), ids));
        return found;
    }

    /** Returns the names of the beans. */
    Set<String> beans() {
        return beans.get().keySet();
    }
}
