/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.listener;

import io.github.batchsqs.autoconfigure.internal.options.ListenerOptionsSource;
import io.github.batchsqs.listener.ReceiveGate;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The gates of the application, by the names of their beans. They are created when the first listener needs them, so that
 * one which cannot be created then ends the start instead of being left out.
 */
final class ListenerGates {

    private static final Logger LOG = LoggerFactory.getLogger(ListenerGates.class);

    private final Supplier<Map<String, ReceiveGate>> beans;
    private volatile @Nullable Map<String, Named> created;

    /** A gate, and the listeners that ask it; all if empty. */
    private record Named(ReceiveGate gate, Set<String> listeners) {}

    ListenerGates(Supplier<Map<String, ReceiveGate>> beans) {
        this.beans = beans;
    }

    /** No lock is held while Spring creates beans: two threads find the same ones. */
    private Map<String, Named> gates() {
        Map<String, Named> gates = created;
        if (gates == null) {
            gates = new LinkedHashMap<>();
            for (Map.Entry<String, ReceiveGate> bean : beans.get().entrySet()) {
                ReceiveGate gate = bean.getValue();
                gates.put(bean.getKey(), new Named(gate, Set.copyOf(gate.listeners())));
            }
            created = gates;
        }
        return gates;
    }

    /** Returns the gates of a container with these ids. */
    Map<String, ReceiveGate> of(Collection<String> ids) {
        var found = new LinkedHashMap<String, ReceiveGate>();
        gates().forEach((name, each) -> {
            if (each.listeners().isEmpty() || !Collections.disjoint(each.listeners(), ids)) {
                found.put(name, each.gate());
            }
        });
        return found;
    }

    /** Returns the names of the beans. */
    Set<String> beans() {
        return Collections.unmodifiableSet(gates().keySet());
    }

    /**
     * Warns of gates that name a listener which does not exist: they keep nothing from receiving. It does not end the start,
     * because the listener may be created at run time.
     *
     * @param known the ids of all listeners
     */
    void checkIds(Collection<String> known) {
        var ids = new TreeSet<>(known);
        gates().forEach((name, each) -> {
            Set<String> absent = new TreeSet<>(each.listeners());
            absent.removeAll(ids);
            if (!absent.isEmpty()) {
                LOG.warn(
                        "The ReceiveGate bean {} names the listeners {}, but {}. Correct a misspelt id. Otherwise listeners that are created later ask the gate.",
                        name,
                        absent.stream()
                                .map(id -> ListenerOptionsSource.withSimilar(id, ids))
                                .collect(Collectors.joining(", ")),
                        ListenerOptionsSource.existing(ids));
            }
        });
    }
}
