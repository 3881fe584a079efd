/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.send;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;

/** The templates of the named clients, one per client: two would break the order of message groups. */
final class NamedTemplates<T> {

    /** The clients of a template that has none. */
    static final Function<String, SenderResources> NO_CLIENTS = name -> {
        throw new UnsupportedOperationException(
                "This template has no named clients, so there is no client '" + name + "'");
    };

    private final Function<String, T> factory;
    private final Consumer<T> closer;
    private final ReentrantLock lock = new ReentrantLock();
    private final ConcurrentMap<String, T> byName = new ConcurrentHashMap<>();
    private boolean closed;

    /** @param closer closes a template */
    NamedTemplates(Function<String, T> factory, Consumer<T> closer) {
        this.factory = factory;
        this.closer = closer;
    }

    /** Returns the template of a client. A new one is closed if {@link #close} was called. */
    T get(String name) {
        T known = byName.get(name);
        return known != null ? known : created(name);
    }

    private T created(String name) {
        lock.lock();
        try {
            T known = byName.get(name);
            if (known == null) {
                known = factory.apply(name);
                if (closed) {
                    closer.accept(known);
                }
                byName.put(name, known);
            }
            return known;
        } finally {
            lock.unlock();
        }
    }

    /** Returns the templates of the clients that were asked for. */
    Stream<T> all() {
        return byName.values().stream();
    }

    /** Ensures that later templates take no messages; {@link #all} then returns all earlier ones. */
    void close() {
        lock.lock();
        try {
            closed = true;
        } finally {
            lock.unlock();
        }
    }
}
