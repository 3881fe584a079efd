/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.client;

import io.github.batchsqs.autoconfigure.internal.options.ClientNames;
import io.github.batchsqs.autoconfigure.internal.settings.NamedClientSettings;
import io.github.batchsqs.client.QueueClient;
import io.github.batchsqs.errors.InvalidOptionException;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The clients by name: the default one, and those of {@code batchsqs.clients}, each of which is built when it is asked for
 * the first time. Safe for use by any thread.
 */
public final class NamedClients implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(NamedClients.class);

    private final NamedClient defaultClient;
    private final Map<String, NamedClientSettings> settings;
    private final NamedClientFactory factory;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, NamedClient> built = new HashMap<>();
    private boolean closed;

    /** @throws InvalidOptionException if a setting breaks its rule */
    NamedClients(NamedClient defaultClient, Map<String, NamedClientSettings> settings, NamedClientFactory factory) {
        settings.forEach(NamedClientRules::check);
        this.defaultClient = defaultClient;
        this.settings = Map.copyOf(settings);
        this.factory = factory;
    }

    /**
     * {@return the client of this name}
     *
     * @throws InvalidOptionException if there is none
     * @throws IllegalStateException if the application has closed
     */
    public NamedClient get(String name) {
        if (name.equals(QueueClient.DEFAULT_NAME)) {
            return defaultClient;
        }
        ClientNames.require(name, settings.keySet());
        lock.lock();
        try {
            if (closed) {
                throw new IllegalStateException("The client '" + name + "' is closed, as the application context is");
            }
            return built.computeIfAbsent(
                    name, each -> factory.create(each, Objects.requireNonNull(settings.get(each))));
        } finally {
            lock.unlock();
        }
    }

    /** Returns the names of the clients that were built. */
    Set<String> built() {
        lock.lock();
        try {
            return Set.copyOf(built.keySet());
        } finally {
            lock.unlock();
        }
    }

    /** Closes the clients that were built, except the default one, which is a bean. */
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            built.forEach(NamedClients::close);
        } finally {
            lock.unlock();
        }
    }

    private static void close(String name, NamedClient client) {
        try {
            client.closing().run();
        } catch (RuntimeException failure) {
            log.warn("Closing the SQS client '{}' failed", name, failure);
        }
    }
}
